import { z } from 'zod';
import { done, id, pathId } from '@tutoring/shared/http/declare/fields';
import { listLimit } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { known } from '@tutoring/shared/http/read/validation';
import { recordNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { teacherView, teacherViewOf } from '../teachers/teacher.ts';
import { texts } from '../texts.ts';
import { MAX_FAVOURITES, type Favourites } from './favourite-service.ts';
import { isFavourite, listFavourites } from './favourite-store.ts';

const one = { auth: 'student', params: z.object({ teacher_id: pathId() }), notFound: recordNotFound } as const;

/** The teachers that a student has marked. */
export const favouriteRoutes = ({ database: { manager }, publicUrl }: Parts, favourites: Favourites): Route[] => [
  route('get /api/favourites', {
    summary: 'The favourite teachers, newest first',
    description:
      'For students. Who is not listed at the moment is left out. Older ones: give the `id` of the last as `before`; ' +
      'at most 100 at once, 50 unless `limit` says otherwise.',
    auth: 'student',
    query: z.object({ before: id().optional().meta({ example: 12 }), limit: listLimit(100, 50) }),
    rules: known('before', (before: number, caller) => isFavourite(manager, caller.id, before)),
    response: z.array(teacherView),
    handle: async ({ caller, query }) =>
      (await listFavourites(manager, caller.id, query)).map((teacher) => teacherViewOf(teacher, publicUrl)),
  }),
  route('put /api/favourites/{teacher_id}', {
    summary: 'Mark a teacher as a favourite',
    description:
      `For students, at most ${MAX_FAVOURITES} (409). A repeat changes nothing. 404 for anybody who is not a teacher or ` +
      'is not listed.',
    ...one,
    response: teacherView,
    errors: ['conflict'],
    handle: async ({ caller, params }) => teacherViewOf(await favourites.add(caller.id, params.teacher_id), publicUrl),
  }),
  route('delete /api/favourites/{teacher_id}', {
    summary: 'Unmark a favourite teacher',
    description: 'For students. A success also for a teacher who is not marked, or not listed any more; else 404.',
    ...one,
    response: done,
    handle: async ({ caller, params }) => {
      await favourites.remove(caller.id, params.teacher_id);
      return { message: texts.favouriteRemoved };
    },
  }),
];
