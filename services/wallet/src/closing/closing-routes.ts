import type { Database } from '@tutoring/shared/database/open';
import { command } from '@tutoring/shared/internal/command';
import { obligationsOf, type Closing } from './closing-service.ts';

/** Commands that identity sends before it deletes an account. */
export const closingRoutes = ({ database, closing }: { database: Database; closing: Closing }) => [
  command('obligations.read', ({ params: { id } }) => obligationsOf(database.manager, id)),
  command('obligations.check', ({ params: { id }, body: { forfeit } }) => closing.freeze(id, forfeit)),
  command('account.thaw', async ({ params: { id }, body }) => {
    await closing.thaw(id, body);
    return {};
  }),
  command('balance.forfeit', async ({ params: { id } }) => ({ forfeited: await closing.forfeit(id) })),
];
