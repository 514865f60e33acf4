import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { userMustExist, listRoute } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { reportNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import {
  adminReport,
  newReport,
  report,
  reportDecision,
  reportFilter,
  showAdminReport,
  type Report,
} from './report.ts';
import { brokenRules, createReport, decideReport } from './report-service.ts';
import { createReportList, findReport } from './report-store.ts';

/** For administrators: the routes of one report. */
const ofReport = {
  auth: 'admin' as const,
  right: 'trust' as const,
  params: z.object({ id: pathId() }),
  notFound: reportNotFound,
  response: adminReport,
};

export function reportRoutes(parts: Parts): Route[] {
  const { database, people, publicUrl } = parts;
  const listReports = createReportList();
  async function shown(found: Report[]) {
    const personOf = await people.load(found.flatMap((stored) => [stored.reporter_id, stored.user_id]));
    return found.map((stored) => showAdminReport(stored, personOf));
  }
  return [
    route('post /api/reports', {
      summary: 'Report a user to the administrators',
      description:
        'For students and teachers. `room_uuid` and `identifier` name a room and a call of the two people; any other, ' +
        'an unknown user and oneself are a 422. Administrators receive `report.created`; the reported person is not ' +
        'notified. Send an `Idempotency-Key`, so that a repeat reports only once.',
      auth: 'user',
      idempotent: true,
      body: newReport,
      rules: ({ fields, caller }) => brokenRules(parts, fields, caller.id),
      response: report,
      handle: ({ caller, body, once }) => createReport(parts, caller, body, once),
    }),
    listRoute('post /api/admin/reportsall', {
      summary: 'Reports, newest first',
      description:
        'For administrators. Paged. `user_id` is the reported user; an unknown one is a 422. `filter_value` searches ' +
        'details, note and both people, or is an exact id; `from` and `to` are days, both included.',
      auth: 'admin',
      right: 'trust',
      body: reportFilter,
      rules: userMustExist(people),
      item: adminReport,
      publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listReports(database.standby.manager, filter, window);
        return { items: await shown(items), total };
      },
    }),
    route('get /api/admin/reports/{id}', {
      summary: 'A report',
      description: 'For administrators. One report, by id.',
      ...ofReport,
      handle: async ({ params }) => {
        const found = await findReport(database.manager, params.id);
        return found && (await shown([found]))[0];
      },
    }),
    route('put /api/admin/reports/{id}', {
      summary: 'Decide about a report',
      description:
        'For administrators. Sets the status, and the note if one is given; the reporter is not notified. A repeat ' +
        'changes nothing.',
      ...ofReport,
      body: reportDecision,
      handle: async ({ params, body, caller }) =>
        (await shown([await decideReport(parts, caller, params.id, body)]))[0],
    }),
  ];
}
