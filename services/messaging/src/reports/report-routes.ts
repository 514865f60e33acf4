import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { day, id, pathId } from '@tutoring/shared/http/declare/fields';
import { pageFields, pageOf, pageWindow, paginate } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { sentences } from '@tutoring/shared/http/read/validation';
import { reportNotFound } from '../errors.ts';
import type { People } from '../people/person-service.ts';
import { adminReport, newReport, report, reportDecision, reportStatus, showAdminReport } from './report.ts';
import type { Reports } from './report-service.ts';

export const reportRoutes = ({ reports }: { reports: Reports }): Route[] => [
  route({
    method: 'post',
    path: '/api/reports',
    summary: 'Report somebody to the administrators',
    description:
      'For students and teachers. `room_uuid` and `identifier` name a room and a call of the two people; any other, ' +
      'an unknown user and oneself are a 422. Administrators receive `report.created`; the reported person is not ' +
      'notified. Send an `Idempotency-Key`, so that a repeat reports only once.',
    auth: 'user',
    idempotent: true,
    body: newReport,
    rules: ({ fields, caller }) => reports.brokenRules(fields, caller.id),
    response: report,
    handle: ({ caller, body, request }) => reports.create(caller, body, request.idempotencyKey),
  }),
];

const LIST = '/api/admin/reportsall';
const params = z.object({ id: pathId() });

export const reportAdminRoutes = (deps: {
  database: Database;
  people: People;
  reports: Reports;
  publicUrl: string;
}): Route[] => [
  route({
    method: 'post',
    path: LIST,
    summary: 'Reports, newest first',
    description:
      'For administrators. Paged. `user_id` is who is reported; an unknown one is a 422. `filter_value` looks into ' +
      'details, note and both people, and takes an exact id; `from` and `to` are days, both included.',
    auth: 'admin',
    body: z.object({
      ...pageFields,
      status: reportStatus.optional(),
      user_id: id().optional().meta({ example: 7 }),
      from: day().optional().meta({ example: '2026-11-01' }),
      to: day().optional().meta({ example: '2026-11-30' }),
    }),
    rules: async ({ fields: { user_id: userId } }) =>
      userId === undefined || (await deps.people.find([userId])).has(userId) ? [] : [[['user_id'], sentences.selected]],
    response: pageOf(adminReport),
    handle: async ({ body }) => {
      const window = pageWindow(body);
      const { items: found, total } = await deps.reports.list(body, window);
      const personOf = await deps.people.load(found.flatMap((one) => [one.reporter_id, one.user_id]));
      const items = found.map((one) => showAdminReport(one, personOf));
      return paginate({ items, total, ...window, path: `${deps.publicUrl}${LIST}` });
    },
  }),
  route({
    method: 'get',
    path: '/api/admin/reports/{id}',
    summary: 'A report',
    description: 'For administrators. One report, by id.',
    auth: 'admin',
    params,
    notFound: reportNotFound,
    response: adminReport,
    handle: ({ params: { id: reportId } }) => deps.reports.show(reportId),
  }),
  route({
    method: 'put',
    path: '/api/admin/reports/{id}',
    summary: 'Decide about a report',
    description:
      'For administrators. Sets the status, and the note if one is given; the reporter is not notified. The same again ' +
      'changes nothing.',
    auth: 'admin',
    params,
    notFound: reportNotFound,
    body: reportDecision,
    response: adminReport,
    handle: ({ params, body, caller }) => deps.reports.decide(caller, params.id, body),
  }),
];
