import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { publish } from '@tutoring/shared/contract/publish';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import { senderBarred, userNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { shareLiving } from '../people/person-store.ts';
import { insertBlock, liftBlock, lockRoomBetween, type Block } from './block-store.ts';

/** Throws invalid for the caller's own id, not_found when there is no such student or teacher. */
async function assertOther({ people }: Parts, callerId: number, userId: number): Promise<void> {
  assertThat(callerId !== userId, () => invalidField('user_id', sentences.selected));
  const person = (await people.find([callerId, userId])).get(userId);
  assertThat(person && !person.deleted, userNotFound);
}

/** Runs `work` in a transaction and publishes the block that it returns. Throws like `assertOther`. */
async function change(parts: Parts, callerId: number, userId: number, work: (tx: Tx) => Promise<Block | undefined>) {
  await assertOther(parts, callerId, userId);
  await parts.database.transact(async (tx) => {
    const changed = await work(tx);
    if (changed) publish(tx, [{ name: 'block.changed', data: changed }]);
  });
}

/** From now on neither can write to or call the other. An existing block is left unchanged. */
export const block = (parts: Parts, callerId: number, userId: number) =>
  change(parts, callerId, userId, async (tx) => {
    await lockRoomBetween(tx, callerId, userId);
    const living = await shareLiving(tx, [callerId, userId]);
    assertThat(living.has(callerId), senderBarred);
    assertThat(living.has(userId), userNotFound);
    return insertBlock(tx, callerId, userId);
  });

/** Lifts the block, if there is one. */
export const unblock = (parts: Parts, callerId: number, userId: number) =>
  change(parts, callerId, userId, (tx) => liftBlock(tx, callerId, userId));
