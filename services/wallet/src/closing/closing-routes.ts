import { command } from '@tutoring/shared/contract/command';
import type { Parts } from '../parts.ts';
import { forfeit, freeze, obligationsOf, thaw } from './closing-service.ts';

/** Commands that identity sends before it deletes an account. */
export const closingRoutes = (parts: Parts) => [
  command('obligations.read', ({ params: { id } }) => obligationsOf(parts.database.manager, id)),
  command('obligations.check', ({ params: { id }, body }) => freeze(parts, id, body.forfeit)),
  command('account.thaw', ({ params: { id }, body }) => thaw(parts, id, body).then(() => ({}))),
  command('balance.forfeit', async ({ params: { id } }) => ({ forfeited: await forfeit(parts, id) })),
];
