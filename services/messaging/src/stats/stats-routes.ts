import type { Database } from '@tutoring/shared/database/open';
import type { Route } from '@tutoring/shared/http/declare/route';
import { command } from '@tutoring/shared/internal/command';
import { countAll, messageDays } from './stats-store.ts';

export const statsRoutes = ({ database }: { database: Database }): Route[] => [
  command('messaging-stats.read', () => countAll(database.standby.manager)),
  command('messaging-days.read', ({ query }) => messageDays(database.standby.manager, query)),
];
