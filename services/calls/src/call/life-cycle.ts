import { ACCEPTING_GRACE_US } from '../deadlines.ts';

/*
 * The life of a call: ringing -> active -> ended, or ringing -> rejected | missed | canceled. Pure functions:
 * the caller has locked the call's row and read the clock after that.
 */

export const CALL_STATES = ['ringing', 'active', 'ended', 'rejected', 'missed', 'canceled'] as const;
export type CallState = (typeof CALL_STATES)[number];

export const CALL_TYPES = ['video', 'audio'] as const;
export type CallType = (typeof CALL_TYPES)[number];

export type Command = 'accept' | 'reject' | 'miss' | 'cancel' | 'end';
export type EndedBy = 'student' | 'teacher' | 'silence' | 'exhaustion' | 'ban';

/** Who or what ended a call. */
export const ENDS = ['student', 'teacher', 'money', 'silence', 'ban'] as const;
export type End = (typeof ENDS)[number];
export const endOf = (by: EndedBy): End => (by === 'exhaustion' ? 'money' : by);

/** Who or what stopped the ringing; null for a missed call. */
export function ringEndedBy(
  command: Exclude<Command, 'accept' | 'end'>,
  reason?: 'ban' | 'payment_required',
): EndedBy | null {
  if (command === 'miss') return null;
  if (command === 'reject') return 'teacher';
  return reason === 'payment_required' ? 'exhaustion' : (reason ?? 'student');
}

const TRANSITIONS: Record<CallState, Partial<Record<Command, CallState>>> = {
  ringing: { accept: 'active', reject: 'rejected', miss: 'missed', cancel: 'canceled' },
  active: { end: 'ended' },
  ended: {},
  rejected: {},
  missed: {},
  canceled: {},
};

/** The state that a command leads to, or undefined when it does not apply. */
export const nextState = (state: CallState, command: Command): CallState | undefined => TRANSITIONS[state][command];

/** In a live call both people are busy. */
export const isLive = (state: CallState) => state === 'ringing' || state === 'active';

/** Steps without a `bill` request after which a call is over. */
export const SILENT_STEPS = 2;

/** A call by its row and the clock. Times are in microseconds; those since the acceptance are null before it. */
export interface Moment {
  state: CallState;
  /** Until the ring time-out; negative when it has passed. */
  ring_left_us: number;
  /** Since the teacher began to accept. */
  accepting_us: number | null;
  /** Since accept or the last bill request. */
  silent_us: number | null;
  /** Seconds of a step. */
  iterator: number | null;
}

/** What time alone has done to the call, even when no job has recorded it yet. */
export function lapse(call: Moment): 'missed' | 'silent' | undefined {
  if (call.state === 'ringing') {
    const accepting = call.accepting_us !== null && call.accepting_us < ACCEPTING_GRACE_US;
    return call.ring_left_us <= 0 && !accepting ? 'missed' : undefined;
  }
  if (call.state !== 'active' || call.silent_us === null || call.iterator === null) return undefined;
  return call.silent_us >= SILENT_STEPS * call.iterator * 1_000_000 ? 'silent' : undefined;
}
