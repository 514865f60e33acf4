import type { Route } from '@tutoring/shared/kit/http/declare/route';
import { command } from '@tutoring/shared/contract/command';
import type { Parts } from '../parts.ts';
import { countAll, messageDays } from './stats-store.ts';

export const statsRoutes = ({ database: { standby } }: Parts): Route[] => [
  command('messaging-stats.read', () => countAll(standby.manager)),
  command('messaging-days.read', ({ query }) => messageDays(standby.manager, query)),
];
