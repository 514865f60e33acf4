import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { id, pathId, uuid } from '@tutoring/shared/http/fields';
import { route } from '@tutoring/shared/http/route';
import type { Rtc } from '../provider/rtc.ts';
import { callStats, findLiveCallOfRoom, isInLiveCall } from './internal-store.ts';

/** What the other services ask; never routed by the gateway. */
export const internalRoutes = ({ database, rtc }: { database: Database; rtc: Rtc }) => [
  route({
    method: 'get',
    path: '/internal/rooms/{uuid}/token',
    summary: "The provider token of the room's live call",
    description: 'Null when there is none; where tokens are bound to users, null unless `user_id` says for whom.',
    auth: 'service',
    params: z.object({ uuid: uuid() }),
    query: z.object({ user_id: id().optional() }),
    response: z.strictObject({ rtc_token: z.string().nullable() }),
    handle: async ({ params, query }) => {
      const call = await findLiveCallOfRoom(database.manager, params.uuid);
      if (!call) return { rtc_token: null };
      return { rtc_token: query.user_id === undefined ? call.rtc_token : rtc.of(call, query.user_id) };
    },
  }),
  route({
    method: 'get',
    path: '/internal/users/{id}/live-call',
    summary: 'Whether the user is in a call that rings or goes on',
    auth: 'service',
    params: z.object({ id: pathId() }),
    response: z.strictObject({ live: z.boolean() }),
    handle: async ({ params }) => ({ live: await isInLiveCall(database.manager, params.id) }),
  }),
  route({
    method: 'get',
    path: '/internal/stats',
    summary: "The dashboard's figures of calls",
    auth: 'service',
    response: z.strictObject({ count: z.int(), active: z.int(), seconds: z.int() }),
    handle: () => callStats(database.manager),
  }),
];
