import { assertThat } from '@tutoring/shared/errors';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { invalidField, sentences } from '@tutoring/shared/http/read/validation';
import { senderBarred, userNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { shareLiving } from '../people/person-store.ts';
import { insertBlock, liftBlock } from './block-store.ts';

/** Throws invalid for the caller's own id, not_found when there is no such student or teacher. */
async function assertOther({ people }: Parts, callerId: number, userId: number): Promise<void> {
  assertThat(callerId !== userId, () => invalidField('user_id', sentences.selected));
  const person = (await people.find([callerId, userId])).get(userId);
  assertThat(person && !person.deleted, userNotFound);
}

/** From now on neither can write to or call the other. Repeating it changes nothing. Throws like `assertOther`. */
export async function block(parts: Parts, callerId: number, userId: number): Promise<void> {
  await assertOther(parts, callerId, userId);
  await parts.database.transact(async (tx) => {
    const living = await shareLiving(tx, [callerId, userId]);
    assertThat(living.has(callerId), senderBarred);
    assertThat(living.has(userId), userNotFound);
    const made = await insertBlock(tx, callerId, userId);
    if (made) await publish(tx, 'block.changed', made);
  });
}

/** Lifts the block, if there is one. Throws like `assertOther`. */
export async function unblock(parts: Parts, callerId: number, userId: number): Promise<void> {
  await assertOther(parts, callerId, userId);
  await parts.database.transact(async (tx) => {
    const lifted = await liftBlock(tx, callerId, userId);
    if (lifted) await publish(tx, 'block.changed', lifted);
  });
}
