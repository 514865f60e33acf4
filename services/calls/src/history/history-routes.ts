import { z } from 'zod';
import { userMustExist, listLimit, listRoute } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { mustExist } from '@tutoring/shared/kit/http/read/validation';
import { command } from '@tutoring/shared/contract/command';
import { exportHandler } from '@tutoring/shared/kit/commands/export-page';
import { identifier } from '../call/call.ts';
import type { Parts } from '../parts.ts';
import * as wallet from '../wallet/wallet.ts';
import { callNotFound } from '../errors.ts';
import { callDetail, callFilter, callRow, detailOf, receipt, receiptOf, rowOf } from './history.ts';
import { createCallList, findDetailedCall, findLowBalances, listCalls } from './history-store.ts';

const byIdentifier = { params: z.object({ identifier }), notFound: callNotFound };

export function historyRoutes(parts: Parts): Route[] {
  const { database, people, publicUrl } = parts;
  const { manager, standby } = database;
  const listAll = createCallList();
  const ownCall = (identifier: string, userId: number) => findDetailedCall(manager, identifier, userId);
  return [
    route('get /api/calls', {
      summary: 'List your calls, newest first',
      description:
        'For students and teachers. For the next page give the `identifier` of the last call as `before`; a page has 50 ' +
        'calls, or `limit`, at most 100.',
      auth: 'user',
      query: z.object({
        before: identifier.optional(),
        limit: listLimit(100, 50),
      }),
      rules: mustExist('before', (before: string, caller) => ownCall(before, caller.id)),
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
        'For students and teachers. While the call runs, `total_cost` is what is charged so far, and `total_duration` is ' +
        "null. Somebody else's call is a 404.",
      auth: 'user',
      ...byIdentifier,
      response: callRow,
      handle: async ({ caller, params }) => {
        const call = await ownCall(params.identifier, caller.id);
        return call && rowOf(call);
      },
    }),
    route('get /api/calls/{identifier}/receipt', {
      summary: 'Get the receipt of one of your calls, step by step',
      description:
        'For both people of the call, while it runs and after. `total` is the sum of the lines, which is what the ledger has ' +
        'charged by now; refunds are not subtracted. The teacher also sees the commission and the earnings. ' +
        "Somebody else's call is a 404; 503 while payments are unavailable.",
      auth: 'user',
      ...byIdentifier,
      response: receipt,
      handle: async ({ caller, params }) => {
        const call = await ownCall(params.identifier, caller.id);
        return call && receiptOf(call, await wallet.ledger(parts, call.identifier), caller.id === call.teacher_id);
      },
    }),
    command('calls.export', exportHandler(standby.manager, listCalls, rowOf)),
    listRoute('post /api/admin/callsall', {
      summary: 'List all calls, newest first',
      description:
        'For administrators. Paged. `user_id` finds the calls of a student or teacher, `filter_value` the call with that ' +
        '`identifier` and the calls of people with a similar name, e-mail or phone number; `from` and `to` limit the UTC day ' +
        'on which the call rang.',
      auth: 'admin',
      right: 'lessons',
      body: callFilter,
      rules: userMustExist(people),
      item: callRow,
      publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listAll(standby.manager, filter, window);
        return { items: items.map(rowOf), total };
      },
    }),
    route('get /api/admin/calls/{identifier}', {
      summary: 'Show a call with its charges, refunds and timeline',
      description:
        'For administrators. Charges and refunds come from the ledger; `billed` in the timeline is a charge. 503 while ' +
        'payments are unavailable.',
      auth: 'admin',
      right: 'lessons',
      ...byIdentifier,
      response: callDetail,
      handle: async ({ params }) => {
        const call = await findDetailedCall(manager, params.identifier);
        if (!call) return undefined;
        const [ledger, warnings] = await Promise.all([
          wallet.ledger(parts, call.identifier),
          findLowBalances(manager, call.id),
        ]);
        return detailOf(call, ledger, warnings);
      },
    }),
  ];
}
