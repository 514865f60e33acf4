import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { sentences, type RuleViolation } from '@tutoring/shared/kit/http/read/validation';
import { callAndRoomExist, lockCallOfParticipant } from '../call/call-store.ts';
import { isLive } from '../call/call.ts';
import { applyLapse, endNow, stopRinging } from '../call/call-service.ts';
import { END_PATIENCE_MS } from '../deadlines.ts';
import { callNotFound } from '../errors.ts';
import { takeLease } from './billing-store.ts';
import { settle, waitFor, type BillParts } from './bill-service.ts';

async function close(tx: Tx, userId: number, identifier: string, channel: string) {
  const found = await lockCallOfParticipant(tx, identifier, userId);
  if (!found || found.channel !== channel) return undefined;
  const call = await applyLapse(tx, found);
  const isStudent = call.student_id === userId;
  if (call.state === 'ringing') await stopRinging(tx, call, isStudent ? 'cancel' : 'reject');
  if (call.state !== 'active' && call.state !== 'ended') return { call, holdsLease: false, open: false };
  const ended = call.state === 'active' ? await endNow(tx, call, isStudent ? 'student' : 'teacher') : call;
  const holdsLease = !ended.settled && !call.leased;
  return { call: holdsLease ? await takeLease(tx, ended) : ended, holdsLease, open: !ended.settled };
}

/** Returns a violation for a call or room that does not exist. */
export async function unknownFields(
  { database }: BillParts,
  requested: { identifier?: string | undefined; room_uuid?: string | undefined },
) {
  const { identifier = null, room_uuid: room } = requested;
  const found = await callAndRoomExist(database.manager, identifier, room?.toLowerCase() ?? null);
  const unknown = (['room_uuid', 'identifier'] as const).filter(
    (field) => requested[field] !== undefined && !found[field],
  );
  return unknown.map((field): RuleViolation => [[field], sentences.selected]);
}

/**
 * Ends the call; a ringing call is canceled (by the student) or rejected (by the teacher). Idempotent.
 * Throws not_found when the user is not a participant, or the room is not the call's.
 */
export async function endCall(parts: BillParts, userId: number, identifier: string, roomUuid: string): Promise<void> {
  const deadline = Date.now() + END_PATIENCE_MS;
  const channel = roomUuid.toLowerCase();
  const closed = await parts.database.transact((tx) => close(tx, userId, identifier, channel));
  assertThat(closed, callNotFound);
  if (closed.holdsLease) await settle(parts, closed.call, deadline);
  else if (closed.open) await waitFor(parts, closed.call.id, deadline, (call) => call.settled || isLive(call.state));
}
