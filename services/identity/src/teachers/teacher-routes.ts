import { assertThat } from '@tutoring/shared/errors';
import { z } from 'zod';
import { createCounts } from '@tutoring/shared/database/counts';
import type { Database } from '@tutoring/shared/database/open';
import { flag, id, pathId, text } from '@tutoring/shared/http/declare/fields';
import { pageFields, pageOf, pageWindow, paginate } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { recordNotFound } from '../errors.ts';
import { teacherView, teacherViewOf, type TeacherFilter } from './teacher.ts';
import { countTeachers, directoryState, findTeacher, searchTeachers } from './teacher-store.ts';

const filterFields = {
  q: text(200).optional().meta({ example: 'mathematics' }),
  skill_id: id().optional().meta({ example: 1 }),
  plan_id: id().optional().meta({ example: 1 }),
  online: flag().optional().meta({ example: true }),
};

/** The filter as the query of the links to other pages. */
const linkQuery = (filter: TeacherFilter & { pageItems?: number | undefined }): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter)
      .filter(([name, value]) => value !== undefined && (name in filterFields || name === 'pageItems'))
      .map(([name, value]) => [name, value === true ? '1' : value === false ? '0' : String(value)]),
  );

export function teacherRoutes({ database, publicUrl }: { database: Database; publicUrl: string }): Route[] {
  const { manager } = database;
  const countOf = createCounts();

  async function search(query: TeacherFilter, window: { limit: number; offset: number }) {
    const state = await directoryState(manager, query.q);
    const { version, moment, verified_only: verifiedOnly, words } = state;
    const filter = { ...query, words, verifiedOnly };
    const key = JSON.stringify([words, query.skill_id, query.plan_id, verifiedOnly, query.online ? moment : null]);
    const { total } = await countOf(key, () => countTeachers(manager, filter), version);
    const items = await searchTeachers(manager, filter, window, total);
    return { items: items.map((teacher) => teacherViewOf(teacher, publicUrl)), total };
  }

  return [
    route({
      method: 'get',
      path: '/api/teachers',
      summary: 'Find teachers',
      description:
        'For students and teachers. Paged. `q` searches name, skills and bio without regard to case and accents; ' +
        'every word must be there. `online` means seen within ten minutes.',
      auth: 'user',
      query: z.object({ ...filterFields, pageItems: pageFields.pageItems, page: pageFields.page }),
      response: pageOf(teacherView),
      handle: async ({ query }) => {
        const window = pageWindow(query);
        const { items, total } = await search(query, window);
        return paginate({ items, total, ...window, path: `${publicUrl}/api/teachers`, query: linkQuery(query) });
      },
    }),
    route({
      method: 'get',
      path: '/api/teachers/{id}',
      summary: 'Public profile of a teacher',
      description:
        'For students and teachers. Shows neither e-mail nor phone nor address. 404 for anybody who is not ' +
        'a teacher or is not listed.',
      auth: 'user',
      params: z.object({ id: pathId() }),
      response: teacherView,
      notFound: recordNotFound,
      handle: async ({ params }) => {
        const teacher = await findTeacher(manager, params.id);
        assertThat(teacher, recordNotFound);
        return teacherViewOf(teacher, publicUrl);
      },
    }),
  ];
}
