import type { Database } from '@tutoring/shared/database/open';
import { command } from '@tutoring/shared/internal/command';
import { callDays, callStats } from './stats-store.ts';

/** This service's part of the dashboard. */
export const statsRoutes = ({ database }: { database: Database }) => [
  command('calls-stats.read', {
    summary: "The dashboard's figures of calls",
    handle: () => callStats(database.standby.manager),
  }),
  command('calls-days.read', {
    summary: 'Calls, bookings and reviews of each day',
    handle: ({ query }) => callDays(database.standby.manager, query),
  }),
];
