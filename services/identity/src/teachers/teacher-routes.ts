import { z } from 'zod';
import { createCounts } from '@tutoring/shared/database/counts';
import { done, id, pathId } from '@tutoring/shared/http/declare/fields';
import { listLimit, pageFields, pageOf, pageWindow, paginate } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { known } from '@tutoring/shared/http/read/validation';
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

/** The query of a list as that of the links to its other pages. */
const linkQuery = (query: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, String(typeof value === 'boolean' ? Number(value) : value)]),
  );

export function teacherRoutes({ database, publicUrl }: Parts): Route[] {
  const { manager } = database;
  const countOf = createCounts();

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
        'For students and teachers. Paged. `q` searches name, skills and bio without regard to case and accents; ' +
        'every word must be there. `online` means seen within ten minutes. `min_rating` leaves out who has a lower ' +
        '`rating` or none. `sort`: `newest` (unless given); `rating`, where few reviews count for less than many; ' +
        '`price`, the least `points` of the plan first.',
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
        'For students and teachers. Shows neither e-mail nor phone nor address. 404 for anybody who is not ' +
        'a teacher or is not listed.',
      auth: 'user',
      params: z.object({ id: pathId() }),
      response: teacherView,
      handle: async ({ params, caller }) =>
        teacherViewOf(found(await findTeacher(manager, caller.id, params.id)), publicUrl),
    }),
  ];
}

const one = { auth: 'student', params: z.object({ teacher_id: pathId() }) } as const;

/** The teachers that a student has marked. */
export const favouriteRoutes = ({ database, publicUrl }: Parts): Route[] => [
  route('get /api/favourites', {
    summary: 'The favourite teachers, newest first',
    description:
      'For students. Who is not listed at the moment is left out. Older ones: give the `id` of the last as `before`; ' +
      'at most 100 at once, 50 unless `limit` says otherwise.',
    auth: 'student',
    query: z.object({ before: id().optional().meta({ example: 12 }), limit: listLimit(100, 50) }),
    rules: known('before', (before: number, caller) => isFavourite(database.manager, caller.id, before)),
    response: z.array(teacherView),
    handle: async ({ caller, query }) =>
      (await listFavourites(database.manager, caller.id, query.before, query.limit)).map((teacher) =>
        teacherViewOf(teacher, publicUrl),
      ),
  }),
  route('put /api/favourites/{teacher_id}', {
    summary: 'Mark a teacher as a favourite',
    description:
      `For students, at most ${MAX_FAVOURITES} (409). A repeat changes nothing. 404 for anybody who is not a teacher or ` +
      'is not listed.',
    ...one,
    response: teacherView,
    errors: ['conflict'],
    handle: async ({ caller, params }) =>
      teacherViewOf(await addFavourite(database, caller.id, params.teacher_id), publicUrl),
  }),
  route('delete /api/favourites/{teacher_id}', {
    summary: 'Unmark a favourite teacher',
    description: 'For students. A success also for a teacher who is not marked, or not listed any more; else 404.',
    ...one,
    response: done,
    handle: ({ caller, params }) => removeFavourite(database, caller.id, params.teacher_id),
  }),
];
