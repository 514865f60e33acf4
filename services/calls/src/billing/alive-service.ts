import { assertThat } from '@tutoring/shared/kit/errors';
import { applyLapse } from '../call/call-service.ts';
import { lockCallOfParticipant, recordAlive } from '../call/call-store.ts';
import { isLive } from '../call/call.ts';
import { callNotFound, callOver } from '../errors.ts';
import type { Parts } from '../parts.ts';

/**
 * Records a sign of life of a call's student. After the first one, the call ends when they stop. It has no effect
 * before the call is accepted. Throws not_found when the student is not in the call; conflict when the call is over.
 */
export async function recordSignOfLife({ database }: Parts, studentId: number, identifier: string): Promise<void> {
  const call = await database.transact(async (tx) => {
    const found = await lockCallOfParticipant(tx, identifier, studentId);
    const current = found && (await applyLapse(tx, found));
    if (current?.state === 'active') await recordAlive(tx, current);
    return current;
  });
  assertThat(call, callNotFound);
  assertThat(isLive(call.state), callOver);
}
