import { command } from '@tutoring/shared/contract/command';
import type { Parts } from '../parts.ts';
import { callNotFound } from '../errors.ts';
import * as rtc from '../provider/rtc.ts';
import { callDays, callStats, findLiveCallsOf, findLiveCallOfRoom, findPeopleOfCall } from './internal-store.ts';

/** The commands of other services; the gateway does not route them. */
export const internalRoutes = (parts: Parts) => [
  command('call.read', ({ params }) => findPeopleOfCall(parts.database.manager, params.identifier), callNotFound),
  command('live-call.read', async ({ params }) => ({
    live: (await findLiveCallsOf(parts.database.manager, [params.id])).length > 0,
  })),
  command('live-call.read-batch', async ({ body: { user_ids } }) => {
    const calls = new Map((await findLiveCallsOf(parts.database.manager, user_ids)).map((call) => [call.of, call]));
    return user_ids.map((id) => {
      const call = calls.get(id);
      return call ? { room_uuid: call.channel, rtc_token: rtc.tokenFor(parts, call, id) } : null;
    });
  }),
  command('room-token.read', async ({ params, query: { user_id: viewer } }) => {
    const call = await findLiveCallOfRoom(parts.database.manager, params.uuid);
    return { rtc_token: call && viewer !== undefined ? rtc.tokenFor(parts, call, viewer) : (call?.rtc_token ?? null) };
  }),
  command('calls-stats.read', () => callStats(parts.database.standby.manager)),
  command('calls-days.read', ({ query }) => callDays(parts.database.standby.manager, query)),
];
