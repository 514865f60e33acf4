import type { Database } from '@tutoring/shared/database/open';
import { command } from '@tutoring/shared/internal/command';
import { callDays, callStats } from './stats-store.ts';

/** This service's part of the dashboard. */
export const statsRoutes = ({ database }: { database: Database }) => [
  command('calls-stats.read', () => callStats(database.standby.manager)),
  command('calls-days.read', ({ query }) => callDays(database.standby.manager, query)),
];
