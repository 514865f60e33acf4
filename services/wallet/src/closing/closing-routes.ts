import type { Database } from '@tutoring/shared/database/open';
import { command } from '@tutoring/shared/internal/command';
import { obligationsOf, type Closing } from './closing-service.ts';

/** Commands that identity sends before it deletes an account. */
export const closingRoutes = ({ database, closing }: { database: Database; closing: Closing }) => [
  command('obligations.read', {
    summary: 'What stands against deleting an account',
    handle: ({ params: { id } }) => obligationsOf(database.manager, id),
  }),
  command('obligations.check', {
    summary: 'The same; when nothing stands against it, no new money moves while identity deletes the account',
    handle: ({ params: { id }, body: { forfeit } }) => closing.freeze(id, forfeit),
  }),
  command('account.thaw', {
    summary: 'Ends a freeze, because identity does not delete the account',
    handle: async ({ params: { id }, body }) => {
      await closing.thaw(id, body);
      return {};
    },
  }),
  command('balance.forfeit', {
    summary: "Closes an account and posts what is left of its user's money to the platform; held money stays",
    handle: async ({ params: { id } }) => ({ forfeited: await closing.forfeit(id) }),
  }),
];
