import type { Database, Tx } from '@tutoring/shared/database/open';
import { assertThat, invalid, type FieldErrors } from '@tutoring/shared/errors';
import { unknownCall } from '../errors.ts';
import { takeLease } from '../meter/meter-store.ts';
import type { Settlement } from '../meter/settlement.ts';
import type { Call } from './call.ts';
import { existing, lockCallOfParticipant } from './calls-store.ts';
import { isLive } from './life-cycle.ts';
import { applyLapse, endNow, stopRinging } from './transitions.ts';

/** How long `end` waits for the settlement before it answers; what is left is a job's. */
const END_PATIENCE_MS = 2_000;

export function createEnding({ database, settlement }: { database: Database; settlement: Settlement }) {
  /** Throws invalid when nobody has such a call or room. */
  async function assertExisting(identifier: string, channel: string): Promise<void> {
    const found = await existing(database.manager, identifier, channel);
    const errors: FieldErrors = {};
    if (!found.room) errors['room_uuid'] = ['The selected room uuid is invalid.'];
    if (!found.call) errors['identifier'] = ['The selected identifier is invalid.'];
    if (Object.keys(errors).length > 0) throw invalid(errors);
  }

  async function close(tx: Tx, userId: number, identifier: string, channel: string) {
    const found = await lockCallOfParticipant(tx, identifier, userId);
    if (!found || found.channel !== channel) return undefined;
    const call = await applyLapse(tx, found);
    const isStudent = call.student_id === userId;
    if (call.state === 'ringing') await stopRinging(tx, call, isStudent ? 'cancel' : 'reject');
    if (call.state !== 'active' && call.state !== 'ended') return { call, mine: false, open: false };
    const ended: Call = call.state === 'active' ? await endNow(tx, call, isStudent ? 'student' : 'teacher') : call;
    const mine = !ended.settled && !call.leased;
    return { call: mine ? await takeLease(tx, call.id) : ended, mine, open: !ended.settled };
  }

  return {
    /**
     * Hangs up; always succeeds for a participant, also when repeated. A call that still rings is canceled or rejected.
     * Throws invalid for an identifier or room that does not exist, not_found for one that is not theirs.
     */
    async end(userId: number, identifier: string, roomUuid: string): Promise<void> {
      const deadline = Date.now() + END_PATIENCE_MS;
      const channel = roomUuid.toLowerCase();
      await assertExisting(identifier, channel);
      const closed = await database.transact((tx) => close(tx, userId, identifier, channel));
      assertThat(closed, unknownCall());
      if (closed.mine) await settlement.carryOut(closed.call, deadline);
      else if (closed.open)
        await settlement.watch(closed.call.id, deadline, (call) => call.settled || isLive(call.state));
    },
  };
}

export type Ending = ReturnType<typeof createEnding>;
