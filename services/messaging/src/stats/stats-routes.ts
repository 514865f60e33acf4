import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { route, type Route } from '@tutoring/shared/http/route';
import { countAll } from './stats-store.ts';

export const statsRoutes = ({ database }: { database: Database }): Route[] => [
  route({
    method: 'get',
    path: '/internal/stats',
    summary: 'Numbers of rooms and messages',
    auth: 'service',
    response: z.strictObject({ rooms: z.int(), messages: z.int() }),
    handle: () => countAll(database.manager),
  }),
];
