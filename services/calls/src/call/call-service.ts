import type { Tx } from '@tutoring/shared/kit/database/open';
import { publish } from '@tutoring/shared/contract/publish';
import type { EventData, EventInput } from '@tutoring/shared/contract/events';
import type { LiveData, LiveMessage } from '@tutoring/shared/contract/live-events';
import { deleteBlocks, isAnyDeleted, saveBlock, saveUsers } from '../copies/copy-store.ts';
import {
  dueAt,
  endReasonOf,
  isAccepted,
  isEnded,
  isLive,
  lapse,
  nextState,
  participantsOf,
  presentCall,
  ringEndedBy,
  SECOND_US,
  silentEnd,
  stepsOwed,
} from './call.ts';
import type { Accepted, Call, Command, Ended, EndedBy, LockedCall } from './call.ts';
import * as store from './call-store.ts';

export const callEvent = (call: Call): EventInput<'call.changed'> => ({
  ...presentCall(call),
  ring_expires_at: call.ring_expires_at,
  version: call.version,
});

/** The fields of a call in every live event. A live event never contains a token. */
export function liveCallFields({ identifier, channel, call_type, student_id, teacher_id }: Call) {
  return { identifier, channel, call_type, student_id, teacher_id };
}

/** Publishes `call.changed` to the other services, and `live` to the apps. */
export async function announce(tx: Tx, call: Call, live: LiveMessage | undefined): Promise<void> {
  publish(tx, [{ name: 'call.changed', data: callEvent(call) }, ...(live ? [live] : [])]);
}

/** Ends the ringing of a locked call and publishes that. Returns undefined when the call does not ring. */
export async function stopRinging(
  tx: Tx,
  call: LockedCall,
  command: Exclude<Command, 'accept' | 'end'>,
  why: Pick<LiveData<'call.canceled'>, 'reason'> = {},
): Promise<Call | undefined> {
  const state = nextState(call.state, command);
  if (state !== 'rejected' && state !== 'missed' && state !== 'canceled') return undefined;
  const closed = await store.closeRinging(tx, call, state, ringEndedBy(command, why.reason));
  await announce(tx, closed, {
    to: participantsOf(closed),
    event: `call.${state}`,
    data: { ...liveCallFields(closed), ...why },
  });
  return closed;
}

/** The live message to both participants about the end of a call. */
function endedMessage(call: Ended): LiveMessage {
  const { ended_by: reason, ended_at, total_duration } = call;
  return {
    to: participantsOf(call),
    event: 'call.ended',
    data: { ...liveCallFields(call), reason, ended_at, total_duration },
  };
}

/** Publishes to the apps an end that waited for the last charge, unless it is already published. */
export async function announceEnd(tx: Tx, id: number): Promise<void> {
  const ended = await store.markEndAnnounced(tx, id);
  if (ended) publish(tx, [endedMessage(ended)]);
}

/** Publishes that a call is settled; if it was accepted, also its final cost to the apps. */
export async function announceSettled(tx: Tx, call: Call): Promise<void> {
  if (!isEnded(call)) return announce(tx, call, undefined);
  const { identifier, steps, total_cost, total_duration } = call;
  const data = { identifier, steps, total_cost, total_duration, ended_by: endReasonOf(call.ended_by) };
  await announce(tx, call, { to: participantsOf(call), event: 'call.settled', data });
}

async function close(tx: Tx, call: Accepted<LockedCall>, end: store.Ending): Promise<LockedCall> {
  const closed = await store.closeActive(tx, call, end);
  // A later correction (an earlier end, for lack of money) is not sent to the apps: they have closed the call.
  await announce(tx, closed, call.state === 'active' && closed.end_announced ? endedMessage(closed) : undefined);
  return { ...call, ...closed };
}

/** Ends a locked active call now. The steps that are due by now remain to be charged. */
export async function endNow(tx: Tx, call: LockedCall, by: EndedBy): Promise<LockedCall> {
  if (!isAccepted(call) || nextState(call.state, 'end') === undefined) return call;
  const seconds = Math.floor((call.elapsed_us ?? 0) / SECOND_US);
  return close(tx, call, { at: call.now, steps_due: stepsOwed(call), seconds, by });
}

/** Ends a locked call for lack of money, at the time at which its first unpaid step was due. */
export async function endUnpaid(tx: Tx, call: LockedCall): Promise<LockedCall> {
  if (!isAccepted(call)) return call;
  const { steps, iterator } = call;
  const at = dueAt(call.accepted_at, steps + 1, iterator);
  return close(tx, call, { at, steps_due: steps, seconds: steps * iterator, by: 'exhaustion' });
}

/** Ends a locked call that has lapsed: a ring is missed, an active call ends after two silent steps of either side. */
export async function applyLapse(tx: Tx, call: LockedCall): Promise<LockedCall> {
  const lapsed = lapse(call);
  if (lapsed === 'missed') return { ...call, ...(await stopRinging(tx, call, 'miss')) };
  if (lapsed !== 'silent' || !isAccepted(call)) return call;
  const { steps, at } = silentEnd(call);
  return close(tx, call, { at, steps_due: steps, seconds: steps * call.iterator, by: 'silence' });
}

/** Ends a live call, ringing or active, after a ban or a deletion of a participant. */
async function endLiveCall(tx: Tx, call: LockedCall, by: 'ban'): Promise<void> {
  const current = await applyLapse(tx, call);
  if (!isLive(current.state)) return;
  if (current.state === 'ringing') await stopRinging(tx, current, 'cancel', { reason: by });
  else await endNow(tx, current, by);
}

/**
 * Saves the copies of different users. A ban or a deletion ends the user's live call; a deletion also deletes the
 * user's blocks. Returns the users who are banned or deleted.
 */
export async function applyUserChanges(tx: Tx, users: EventData<'user.changed'>[]) {
  const deleted = users.filter((user) => user.deleted).map(({ id }) => id);
  if (deleted.length > 0) await store.lockUsers(tx, deleted);
  const saved = new Set((await saveUsers(tx, users)).map(({ id }) => id));
  for (const id of deleted) await deleteBlocks(tx, id);
  const inactive = users.filter((user) => saved.has(user.id) && (user.status !== 'active' || user.deleted));
  if (inactive.length === 0) return inactive;
  const ids = inactive.map(({ id }) => id);
  for (const call of await store.lockLiveCalls(tx, ids)) await endLiveCall(tx, call, 'ban');
  return inactive;
}

/**
 * Saves a block. From now on neither user can call the other. A ringing call between them stops as if the blocker had
 * hung up, which keeps the block secret. An active call continues. Concurrent requests are serialised: a new ring comes
 * before the block and is stopped, or after it and is refused; a deletion deletes the block, or comes before it, and
 * then the block is not saved. Returns whether the block is new.
 */
export async function applyBlockChange(tx: Tx, block: EventData<'block.changed'>): Promise<boolean> {
  const pair = [block.user_id, block.blocked_id];
  await store.lockUsers(tx, pair);
  if (await isAnyDeleted(tx, pair)) return false;
  const saved = await saveBlock(tx, block);
  if (saved.length === 0 || !block.active) return false;
  const ofStudent = await store.lockLiveCallOfPair(tx, block.user_id, block.blocked_id);
  const ofTeacher = await store.lockLiveCallOfPair(tx, block.blocked_id, block.user_id);
  if (ofStudent) await stopRinging(tx, await applyLapse(tx, ofStudent), 'cancel');
  if (ofTeacher) await stopRinging(tx, await applyLapse(tx, ofTeacher), 'reject');
  return true;
}
