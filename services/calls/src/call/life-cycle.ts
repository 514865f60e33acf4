import { ACCEPTING_GRACE_US } from '../deadlines.ts';

export const SECOND_US = 1_000_000;

/** A moment of the database, such as `2026-11-20T21:04:06.500000Z`, so many whole microseconds later. */
export function later(at: string, us: number): string {
  const [seconds = '', fraction = ''] = at.split('.');
  const micros = Number.parseInt(fraction, 10) + us;
  const whole = Math.floor(micros / SECOND_US);
  const date = new Date(Date.parse(`${seconds}Z`) + whole * 1_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return `${date}.${String(micros - whole * SECOND_US).padStart(6, '0')}Z`;
}

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

/** A call by its row. */
export interface Moments {
  state: CallState;
  ring_expires_at: string;
  accepting_at: string | null;
  accepted_at: string | null;
  billed_at: string | null;
  /** Seconds of a step. */
  iterator: number | null;
}

/** The later of two moments; null when there is none. */
export const latest = (one: string | null, other: string | null) => ((one ?? '') > (other ?? '') ? one : other);

/** When time alone ends the ringing or the call; null when it is over. */
export function lapseAt(call: Moments): string | null {
  if (call.state === 'ringing')
    return latest(call.ring_expires_at, call.accepting_at && later(call.accepting_at, ACCEPTING_GRACE_US));
  const heard = latest(call.accepted_at, call.billed_at);
  if (call.state !== 'active' || heard === null || call.iterator === null) return null;
  return later(heard, SILENT_STEPS * call.iterator * SECOND_US);
}

/** What time alone has done to the call by `now`, even when no job has recorded it yet. */
export function lapse(call: Moments & { now: string }): 'missed' | 'silent' | undefined {
  const at = lapseAt(call);
  if (at === null || call.now < at) return undefined;
  return call.state === 'ringing' ? 'missed' : 'silent';
}
