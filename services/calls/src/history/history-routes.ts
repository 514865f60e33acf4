import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { text } from '@tutoring/shared/http/fields';
import { listLimit } from '@tutoring/shared/http/page';
import { route } from '@tutoring/shared/http/route';
import { sentences } from '@tutoring/shared/http/validation';
import { callRow, presentCall } from '../call/call.ts';
import { findCallOfParticipant } from '../call/call-store.ts';
import { callNotFound } from '../errors.ts';
import { listCalls } from './history-store.ts';

/** A participant's own calls. */
export const historyRoutes = ({ database }: { database: Database }) => [
  route({
    method: 'get',
    path: '/api/calls',
    summary: 'List your calls, newest first',
    description:
      'For students and teachers. Older ones: give the `identifier` of the last call as `before`; at most 100 ' +
      'at once, 50 unless `limit` says otherwise.',
    auth: 'user',
    query: z.object({
      before: text().optional().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
      limit: listLimit(100, 50),
    }),
    rules: async ({ fields: { before }, caller }) => {
      if (before === undefined || (await findCallOfParticipant(database.manager, before, caller.id))) return [];
      return [[['before'], sentences.selected]];
    },
    response: z.array(callRow),
    handle: async ({ caller, query }) => {
      const cursor = query.before && (await findCallOfParticipant(database.manager, query.before, caller.id));
      const beforeId = cursor ? cursor.id : undefined;
      return (await listCalls(database.manager, caller.id, { beforeId, limit: query.limit })).map(presentCall);
    },
  }),
  route({
    method: 'get',
    path: '/api/calls/{identifier}',
    summary: 'Show one of your calls, with its cost, duration and steps',
    description:
      'For students and teachers. While the call runs, what is charged so far; `total_duration` is null until ' +
      "it is over. Somebody else's is a 404.",
    auth: 'user',
    params: z.object({
      identifier: z.string().max(255).meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
    }),
    notFound: callNotFound,
    response: callRow,
    handle: async ({ caller, params }) => {
      const call = await findCallOfParticipant(database.manager, params.identifier, caller.id);
      assertThat(call, callNotFound());
      return presentCall(call);
    },
  }),
];
