import type { Tx } from '@tutoring/shared/database/open';
import { publish, publishLive } from '@tutoring/shared/events/outbox';
import type { EventData, LiveEvent } from '@tutoring/shared/events/catalogue';
import { dueAtUs, silentEnd, stepsDue } from '../meter/meter.ts';
import { isAccepted, presentCall, type Call, type LockedCall } from './call.ts';
import { closeActive, closeRinging } from './calls-store.ts';
import { isLive, lapse, nextState, type Command, type EndedBy } from './life-cycle.ts';

export const callEvent = (call: Call): EventData<'call.changed'> => ({ ...presentCall(call), version: call.version });

/** Tells the other services, and the apps of both people or of the teacher; a token never travels in an event. */
export async function announce(
  tx: Tx,
  call: Call,
  live: { event: LiveEvent; to: 'both' | 'teacher'; more?: Record<string, unknown> } | undefined,
): Promise<void> {
  await publish(tx, 'call.changed', callEvent(call));
  if (!live) return;
  const { identifier, channel, call_type, student_id, teacher_id } = call;
  const data = { identifier, channel, call_type, student_id, teacher_id, ...live.more };
  const to = live.to === 'both' ? { student: student_id, teacher: teacher_id } : { user: teacher_id };
  await publishLive(tx, [{ to, event: live.event, data }]);
}

const LIVE_NAMES = { rejected: 'call.rejected', missed: 'call.missed', canceled: 'call.canceled' } as const;

/** Ends the ringing of a locked call and tells both sides. Undefined when it does not ring. */
export async function stopRinging(
  tx: Tx,
  call: LockedCall,
  command: Exclude<Command, 'accept' | 'end'>,
  more: Record<string, unknown> = {},
): Promise<Call | undefined> {
  const state = nextState(call.state, command);
  if (state !== 'rejected' && state !== 'missed' && state !== 'canceled') return undefined;
  const closed = await closeRinging(tx, call, state);
  await announce(tx, closed, { event: LIVE_NAMES[state], to: 'both', more });
  return closed;
}

/** What an ended call says to the apps; its cost may still be on its way. */
const ending = ({ ended_by, ended_at, total_duration }: Call) => ({ reason: ended_by, ended_at, total_duration });

async function close(
  tx: Tx,
  call: LockedCall,
  end: { at_us: number; steps_due: number; by: EndedBy },
): Promise<LockedCall> {
  const closed = await closeActive(tx, call, { ...end, duration: Math.floor(end.at_us / 1_000_000) });
  const live = { event: 'call.ended', to: 'both', more: ending(closed) } as const;
  // A correction of the end (the money did not last) is for the history; the apps have closed the call already.
  await announce(tx, closed, call.state === 'active' ? live : undefined);
  return { ...call, ...closed };
}

/** Ends a locked active call now: every step that is due by now is owed. */
export async function endNow(tx: Tx, call: LockedCall, by: EndedBy): Promise<LockedCall> {
  if (!isAccepted(call) || nextState(call.state, 'end') === undefined) return call;
  const at_us = call.elapsed_us ?? 0;
  return close(tx, call, { at_us, steps_due: Math.max(call.steps_due, stepsDue(at_us, call.iterator)), by });
}

/** Ends a locked call where the money ran out: when the first unpaid step was due. */
export async function endUnpaid(tx: Tx, call: LockedCall): Promise<LockedCall> {
  if (!isAccepted(call)) return call;
  return close(tx, call, { at_us: dueAtUs(call.steps + 1, call.iterator), steps_due: call.steps, by: 'exhaustion' });
}

/** Does to a locked call what time alone has done to it already: missed, or ended after two silent steps. */
export async function applyLapse(tx: Tx, call: LockedCall): Promise<LockedCall> {
  const fate = lapse(call);
  if (fate === 'missed') return { ...call, ...(await stopRinging(tx, call, 'miss')) };
  if (fate !== 'silent' || !isAccepted(call)) return call;
  const { steps, atUs } = silentEnd(call.steps_due, call.iterator);
  return close(tx, call, { at_us: atUs, steps_due: steps, by: 'silence' });
}

/** Ends whatever live call a user has, without anybody asking: a ban or a deletion. */
export async function endLiveCall(tx: Tx, call: LockedCall, by: 'ban'): Promise<void> {
  const current = await applyLapse(tx, call);
  if (!isLive(current.state)) return;
  if (current.state === 'ringing') await stopRinging(tx, current, 'cancel', { reason: by });
  else await endNow(tx, current, by);
}
