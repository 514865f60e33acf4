import type { Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { forgetBlocks, isAnyDeleted, saveBlock, saveUsers } from '../copies/copy-store.ts';
import { applyLapse, endLiveCall, stopRinging } from './call-service.ts';
import { lockCallers, lockLiveCallOfPair, lockLiveCalls } from './call-store.ts';

/**
 * Saves the copies of different users. A ban or a deletion ends the user's live call; a deletion removes the user's
 * blocks. Returns those who are banned or deleted.
 */
export async function applyUserChanges(tx: Tx, users: EventData<'user.changed'>[]) {
  const deleted = users.filter((user) => user.deleted).map(({ id }) => id);
  if (deleted.length > 0) await lockCallers(tx, deleted);
  const saved = new Set((await saveUsers(tx, users)).map(({ id }) => id));
  for (const id of deleted) await forgetBlocks(tx, id);
  const gone = users.filter((user) => saved.has(user.id) && (user.status !== 'active' || user.deleted));
  if (gone.length === 0) return gone;
  const ids = gone.map(({ id }) => id);
  for (const call of await lockLiveCalls(tx, ids)) await endLiveCall(tx, call, 'ban');
  return gone;
}

/**
 * Saves a block. From now on neither can call the other. A ringing call between them stops as if the blocker had hung
 * up, so that the other does not learn of the block. An active call continues. A simultaneous new ring comes either
 * before this and is stopped, or after it and is refused. A simultaneous deletion either sees the block and removes it,
 * or comes before: no block of a deleted user is saved. Returns whether the block is new.
 */
export async function applyBlockChange(tx: Tx, block: EventData<'block.changed'>): Promise<boolean> {
  const pair = [block.user_id, block.blocked_id];
  await lockCallers(tx, pair);
  if (await isAnyDeleted(tx, pair)) return false;
  const saved = await saveBlock(tx, block);
  if (saved.length === 0 || !block.active) return false;
  const ofStudent = await lockLiveCallOfPair(tx, block.user_id, block.blocked_id);
  const ofTeacher = await lockLiveCallOfPair(tx, block.blocked_id, block.user_id);
  if (ofStudent) await stopRinging(tx, await applyLapse(tx, ofStudent), 'cancel');
  if (ofTeacher) await stopRinging(tx, await applyLapse(tx, ofTeacher), 'reject');
  return true;
}
