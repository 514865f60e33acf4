import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { applyLapse } from '../call/call-service.ts';
import { lockCallOfParticipant, recordAlive } from '../call/call-store.ts';
import { isLive } from '../call/call.ts';
import { callNotFound, callOver } from '../errors.ts';

/**
 * A sign of life of a call's student. From the first one on, the call ends when they stop. Before the call is accepted
 * it counts for nothing. Throws not_found for a call of others, and conflict for one that is over.
 */
export const createSignsOfLife =
  ({ database }: { database: Database }) =>
  async (studentId: number, identifier: string): Promise<void> => {
    const call = await database.transact(async (tx) => {
      const found = await lockCallOfParticipant(tx, identifier, studentId);
      const current = found && (await applyLapse(tx, found));
      if (current?.state === 'active') await recordAlive(tx, current);
      return current;
    });
    assertThat(call, callNotFound);
    assertThat(isLive(call.state), callOver);
  };
