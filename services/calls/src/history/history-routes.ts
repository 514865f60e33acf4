import { z } from 'zod';
import { knownUser, listLimit, listRoute } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { known } from '@tutoring/shared/http/read/validation';
import { command } from '@tutoring/shared/internal/command';
import { exportOf } from '@tutoring/shared/internal/export-page';
import { identifier } from '../call/call.ts';
import type { Parts } from '../parts.ts';
import { callNotFound } from '../errors.ts';
import { callDetail, callFilter, callRow, detailOf, receipt, receiptOf, rowOf } from './history.ts';
import { createCallList, findKnownCall, findLowBalances, listCalls } from './history-store.ts';

const one = { params: z.object({ identifier }), notFound: callNotFound };

/** People's own calls, and for administrators all calls. */
export function historyRoutes(deps: Parts): Route[] {
  const { database, people, publicUrl, wallet } = deps;
  const { manager, standby } = database;
  const listAll = createCallList();
  const ownCall = (identifier: string, userId: number) => findKnownCall(manager, identifier, userId);
  return [
    route('get /api/calls', {
      summary: 'List your calls, newest first',
      description:
        'For students and teachers. Older ones: give the `identifier` of the last call as `before`; at most 100 ' +
        'at once, 50 unless `limit` says otherwise.',
      auth: 'user',
      query: z.object({
        before: identifier.optional(),
        limit: listLimit(100, 50),
      }),
      rules: known('before', (before: string, caller) => ownCall(before, caller.id)),
      response: z.array(callRow),
      handle: async ({ caller, query }) => {
        const before = query.before === undefined ? undefined : await ownCall(query.before, caller.id);
        const calls = await listCalls(manager, caller.id, { before: before?.id, limit: query.limit });
        return calls.map(rowOf);
      },
    }),
    route('get /api/calls/{identifier}', {
      summary: 'Show one of your calls, with its cost, duration and steps',
      description:
        'For students and teachers. While the call runs, what is charged so far; `total_duration` is null until ' +
        "it is over. Somebody else's is a 404.",
      auth: 'user',
      ...one,
      response: callRow,
      handle: async ({ caller, params }) => {
        const call = await ownCall(params.identifier, caller.id);
        return call && rowOf(call);
      },
    }),
    route('get /api/calls/{identifier}/receipt', {
      summary: 'What one of your calls cost, step by step',
      description:
        'For both people of the call, while it runs and after. `total` is the sum of the lines and what the ledger has ' +
        'charged by now; refunds come on top. The teacher also reads what the platform keeps and what is earned. ' +
        "Somebody else's call is a 404; 503 while payments are unavailable.",
      auth: 'user',
      ...one,
      response: receipt,
      handle: async ({ caller, params }) => {
        const call = await ownCall(params.identifier, caller.id);
        return call && receiptOf(call, await wallet.ledger(call.identifier), caller.id === call.teacher_id);
      },
    }),
    command('calls.export', exportOf(standby.manager, listCalls, rowOf)),
    listRoute('post /api/admin/callsall', {
      summary: 'Calls of everybody, newest first',
      description:
        'For administrators. Paged. `user_id` finds the calls of a student or teacher, `filter_value` those with an ' +
        '`identifier` or of people with a name, e-mail or phone number like it; `from` and `to` are UTC days on which it rang.',
      auth: 'admin',
      body: callFilter,
      rules: knownUser(people),
      item: callRow,
      publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listAll(standby.manager, filter, window);
        return { items: items.map(rowOf), total };
      },
    }),
    route('get /api/admin/calls/{identifier}', {
      summary: 'Show a call with its charges, refunds and story',
      description:
        'For administrators. Charges and refunds are those of the ledger, `billed` in the timeline is a charge. 503 while ' +
        'payments are unavailable.',
      auth: 'admin',
      ...one,
      response: callDetail,
      handle: async ({ params }) => {
        const call = await findKnownCall(manager, params.identifier);
        if (!call) return undefined;
        const [ledger, warnings] = await Promise.all([
          wallet.ledger(call.identifier),
          findLowBalances(manager, call.id),
        ]);
        return detailOf(call, ledger, warnings);
      },
    }),
  ];
}
