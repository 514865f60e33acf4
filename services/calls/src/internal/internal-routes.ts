import { command } from '@tutoring/shared/internal/command';
import type { Parts } from '../parts.ts';
import { callNotFound } from '../errors.ts';
import { callDays, callStats, findLiveCallOfRoom, findPeopleOfCall, isInLiveCall } from './internal-store.ts';

/** The questions of other services; the gateway never routes them. */
export const internalRoutes = ({ database, rtc }: Parts) => [
  command('room-token.read', async ({ params, query }) => {
    const call = await findLiveCallOfRoom(database.manager, params.uuid);
    if (!call) return { rtc_token: null };
    return { rtc_token: query.user_id === undefined ? call.rtc_token : rtc.tokenFor(call, query.user_id) };
  }),
  command('call.read', ({ params }) => findPeopleOfCall(database.manager, params.identifier), callNotFound),
  command('live-call.read', async ({ params }) => ({ live: await isInLiveCall(database.manager, params.id) })),
  command('calls-stats.read', () => callStats(database.standby.manager)),
  command('calls-days.read', ({ query }) => callDays(database.standby.manager, query)),
];
