import type { UserCaller } from '@tutoring/shared/identity/auth';
import type { Database } from '@tutoring/shared/database/open';
import { sessionViewOf } from './session.ts';
import type { Tokens } from './token-service.ts';
import { sessionsOf } from './token-store.ts';

/** The caller's logins, last used first. */
export async function listSessions(deps: { database: Database; tokens: Tokens }, caller: UserCaller) {
  // Writes this replica's collected uses only; those of other replicas follow within a second.
  await deps.tokens.writeUses();
  return (await sessionsOf(deps.database.manager, caller.id, caller.tokenId)).map(sessionViewOf);
}
