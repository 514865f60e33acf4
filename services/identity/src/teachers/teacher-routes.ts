import { z } from 'zod';
import { createCountCache } from '@tutoring/shared/kit/database/counts';
import { confirmation, id, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { listLimit, pageFields, pageOf, pageWindow, paginate } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { mustExist } from '@tutoring/shared/kit/http/read/validation';
import { found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { addFavourite, MAX_FAVOURITES, removeFavourite } from './favourite-service.ts';
import { teacherFilter, teacherView, teacherViewOf, type TeacherFilter } from './teacher.ts';
import {
  countTeachers,
  directoryState,
  findTeacher,
  isFavourite,
  listFavourites,
  searchTeachers,
} from './teacher-store.ts';

/** The filter as query parameters of the links to other pages. */
const linkQuery = (query: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, String(typeof value === 'boolean' ? Number(value) : value)]),
  );

export function teacherRoutes({ database, publicUrl }: Parts): Route[] {
  const { manager } = database;
  const countOf = createCountCache();

  async function search(viewer: number, query: TeacherFilter, window: { limit: number; offset: number }) {
    const state = await directoryState(manager, query.q);
    const { version, moment, verified_only: verifiedOnly, words } = state;
    const filter = { ...query, words, verifiedOnly };
    const { skill_id: skill, plan_id: plan, min_rating: rating } = query;
    const key = JSON.stringify([words, skill, plan, rating, verifiedOnly, query.online ? moment : null]);
    const { total } = await countOf(key, () => countTeachers(manager, filter), version);
    const items = await searchTeachers(manager, viewer, filter, { ...window, total });
    return { items: items.map((teacher) => teacherViewOf(teacher, publicUrl)), total };
  }

  return [
    route('get /api/teachers', {
      summary: 'Find teachers',
      description:
        'For students and teachers. Paged. `q` searches name, skills and bio, ignoring case and accents; every word ' +
        'must match. `online` means active within ten minutes. `min_rating` excludes teachers with a lower `rating` ' +
        'or none. `sort`: `newest` (default); `rating`, where many reviews weigh more than few; `price`, the lowest ' +
        '`points` of the plan first.',
      auth: 'user',
      query: teacherFilter.extend({ pageItems: pageFields.pageItems, page: pageFields.page }),
      response: pageOf(teacherView),
      handle: async ({ query, caller }) => {
        const window = pageWindow(query);
        const { items, total } = await search(caller.id, query, window);
        return paginate({ items, total, ...window, path: `${publicUrl}/api/teachers`, query: linkQuery(query) });
      },
    }),
    route('get /api/teachers/{id}', {
      summary: 'Public profile of a teacher',
      description:
        'For students and teachers. Has no e-mail, phone number or address. 404 unless the user is a listed teacher.',
      auth: 'user',
      params: z.object({ id: pathId() }),
      response: teacherView,
      handle: async ({ params, caller }) =>
        teacherViewOf(found(await findTeacher(manager, caller.id, params.id)), publicUrl),
    }),
  ];
}

const byTeacherId = { auth: 'student', params: z.object({ teacher_id: pathId() }) } as const;

/** A student's favourite teachers. */
export const favouriteRoutes = (parts: Parts): Route[] => [
  route('get /api/favourites', {
    summary: 'Favourite teachers, newest first',
    description:
      'For students. Teachers who are not listed at the moment are left out. For older favourites give the `id` of ' +
      'the last teacher as `before`; `limit` is at most 100, by default 50.',
    auth: 'student',
    query: z.object({ before: id().optional().meta({ example: 12 }), limit: listLimit(100, 50) }),
    rules: mustExist('before', (before: number, caller) => isFavourite(parts.database.manager, caller.id, before)),
    response: z.array(teacherView),
    handle: async ({ caller, query }) =>
      (await listFavourites(parts.database.manager, caller.id, query.before, query.limit)).map((teacher) =>
        teacherViewOf(teacher, parts.publicUrl),
      ),
  }),
  route('put /api/favourites/{teacher_id}', {
    summary: 'Mark a teacher as a favourite',
    description: `For students; at most ${MAX_FAVOURITES} (409). Idempotent. 404 unless the user is a listed teacher.`,
    ...byTeacherId,
    response: teacherView,
    errors: ['conflict'],
    handle: async ({ caller, params }) =>
      teacherViewOf(await addFavourite(parts, caller.id, params.teacher_id), parts.publicUrl),
  }),
  route('delete /api/favourites/{teacher_id}', {
    summary: 'Unmark a favourite teacher',
    description: 'For students. Succeeds for any teacher, also if not a favourite or no longer listed; else 404.',
    ...byTeacherId,
    response: confirmation,
    handle: ({ caller, params }) => removeFavourite(parts, caller.id, params.teacher_id),
  }),
];
