import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { knownUser, listRoute } from '@tutoring/shared/http/declare/page';
import { route } from '@tutoring/shared/http/declare/route';
import type { People } from '../copies/person-service.ts';
import { callNotFound } from '../errors.ts';
import { createCallList, findCallOfAnybody } from './admin-call-store.ts';
import { callFilter, callRow } from './call-row.ts';
import type { History } from './history-service.ts';
import { callDetail } from './timeline.ts';

/** All calls, for administrators. */
export const adminCallRoutes = (deps: { database: Database; history: History; people: People; publicUrl: string }) => {
  const listCalls = createCallList();
  return [
    listRoute('post /api/admin/callsall', {
      summary: 'Calls of everybody, newest first',
      description:
        'For administrators. Paged. `user_id` finds the calls of a student or teacher, `filter_value` those with an ' +
        '`identifier` or of people with a name, e-mail or phone number like it; `from` and `to` are UTC days on which it rang.',
      auth: 'admin',
      body: callFilter,
      rules: knownUser(deps.people),
      item: callRow,
      publicUrl: deps.publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listCalls(deps.database.standby.manager, filter, window);
        return { items: await deps.history.rowsOf(items), total };
      },
    }),
    route('get /api/admin/calls/{identifier}', {
      summary: 'Show a call with its charges, refunds and story',
      description:
        'For administrators. Charges and refunds are those of the ledger, `billed` in the timeline is a charge. 503 while ' +
        'payments are unavailable.',
      auth: 'admin',
      params: z.object({
        identifier: z.string().max(255).meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
      }),
      notFound: callNotFound,
      response: callDetail,
      handle: async ({ params }) => {
        const call = await findCallOfAnybody(deps.database.manager, params.identifier);
        return call && deps.history.detailFor(call);
      },
    }),
  ];
};
