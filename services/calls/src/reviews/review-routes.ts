import { z } from 'zod';
import { assertThat } from '@tutoring/shared/kit/errors';
import { flag, pathId, text } from '@tutoring/shared/kit/http/declare/fields';
import {
  userMustExist,
  listRoute,
  pageFields,
  pageOf,
  pageWindow,
  paginate,
} from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { command } from '@tutoring/shared/contract/command';
import { exportHandler } from '@tutoring/shared/kit/commands/export-page';
import { identifier } from '../call/call.ts';
import type { Parts } from '../parts.ts';
import { callNotFound, reviewNotFound, teacherNotFound } from '../errors.ts';
import * as reviews from './review-service.ts';
import { reviewInput, presentPublicReview, publicReviewObject, reviewFilter, reviewObject } from './review.ts';
import { createReviewList, exportReviews, listReviewsOf } from './review-store.ts';

const byId = { params: z.object({ id: pathId() }), notFound: reviewNotFound, response: reviewObject };

/** The query parameters in the links to other pages. */
const linkQuery = ({ pageItems, order }: { pageItems?: number | undefined; order?: string | undefined }) => ({
  ...(pageItems !== undefined && { pageItems: String(pageItems) }),
  ...(order !== undefined && { order }),
});

export function reviewRoutes(parts: Parts): Route[] {
  const { database, people, publicUrl } = parts;
  const { manager, standby } = database;
  const listAll = createReviewList();
  return [
    route('post /api/calls/{identifier}/review', {
      summary: 'Review a lesson',
      description: 'For its student, once, when the call has ended and has cost something; otherwise 409.',
      auth: 'student',
      params: z.object({ identifier }),
      notFound: callNotFound,
      body: reviewInput,
      response: reviewObject,
      errors: ['conflict'],
      idempotent: true,
      handle: ({ caller, params, body, once }) => reviews.create(parts, caller, params.identifier, body, once),
    }),
    route('put /api/reviews/{id}', {
      summary: 'Change a review',
      description: 'For its student, for 14 days; later 409. Without `comment` the comment is removed.',
      auth: 'student',
      ...byId,
      body: reviewInput,
      errors: ['conflict'],
      handle: ({ caller, params, body }) => reviews.update(parts, caller, params.id, body),
    }),
    route('put /api/reviews/{id}/reply', {
      summary: 'Answer a review',
      description: 'For its teacher. `""` removes the answer.',
      auth: 'teacher',
      ...byId,
      body: z.object({ reply: text(2_000).nullable().meta({ example: 'Thank you!' }) }),
      handle: ({ caller, params, body }) => reviews.reply(parts, caller, params.id, body.reply ?? ''),
    }),
    route('get /api/teachers/{id}/reviews', {
      summary: 'Reviews of a teacher',
      description:
        'For students and teachers. Paged, newest first, without hidden reviews. `student_name` is the first name, or ' +
        '"Former student" in the language of the request if the account is deleted.',
      auth: 'user',
      params: z.object({ id: pathId() }),
      query: z.object({ pageItems: pageFields.pageItems, page: pageFields.page, order: pageFields.order }),
      notFound: teacherNotFound,
      response: pageOf(publicReviewObject),
      handle: async ({ params, query }) => {
        assertThat(await people.teacher(params.id), teacherNotFound);
        const window = pageWindow(query);
        const { total, items: stored } = await listReviewsOf(manager, params.id, window);
        const items = stored.map(presentPublicReview);
        const path = `${publicUrl}/api/teachers/${params.id}/reviews`;
        return paginate({ items, total, ...window, path, query: linkQuery(query) });
      },
    }),
    command('reviews.export', exportHandler(standby.manager, exportReviews)),
    listRoute('post /api/admin/reviewsall', {
      summary: 'List all reviews, newest first',
      description:
        'For administrators. Paged. `user_id` finds the reviews by a student or of a teacher, `filter_value` reviews with a ' +
        'similar comment, reply or `identifier`, of people with a similar name, e-mail or phone number, or with that id.',
      auth: 'admin',
      right: 'trust',
      body: reviewFilter,
      rules: userMustExist(people),
      item: reviewObject,
      publicUrl,
      list: (filter, window) => listAll(standby.manager, filter, window),
    }),
    route('put /api/admin/reviews/{id}', {
      summary: 'Hide or show a review',
      description:
        'For administrators. A hidden review counts neither in the mean nor in the number, but is still the only review of ' +
        'its call. ' +
        '`reason` is kept in the audit log.',
      auth: 'admin',
      right: 'trust',
      ...byId,
      body: z.object({
        hidden: flag().meta({ example: true }),
        reason: text(500).optional().meta({ example: 'It insults the teacher.' }),
      }),
      handle: ({ caller, params, body }) => reviews.hide(parts, caller, params.id, body),
    }),
  ];
}
