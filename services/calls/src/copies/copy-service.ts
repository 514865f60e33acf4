import type { Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { lockLiveCalls } from '../call/call-store.ts';
import { endLiveCall } from '../call/call-service.ts';
import { saveUser } from './copy-store.ts';

/** Keeps the copy of a user; a ban or a deletion ends the user's live call. */
export async function applyUserChange(tx: Tx, user: EventData<'user.changed'>): Promise<void> {
  const saved = await saveUser(tx, user);
  if (saved.length === 0 || (user.status === 'active' && !user.deleted)) return;
  for (const call of await lockLiveCalls(tx, [user.id])) await endLiveCall(tx, call, 'ban');
}
