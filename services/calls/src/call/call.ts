import { z } from 'zod';
import { fieldsOf, text, timestamp } from '@tutoring/shared/http/declare/fields';
import { ACCEPTING_GRACE_US } from '../deadlines.ts';
import { dueAt, later, SECOND_US, type Prices } from './meter.ts';

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

const TRANSITIONS: Partial<Record<CallState, Partial<Record<Command, CallState>>>> = {
  ringing: { accept: 'active', reject: 'rejected', miss: 'missed', cancel: 'canceled' },
  active: { end: 'ended' },
};

/** The state that a command leads to, or undefined when it does not apply. */
export const nextState = (state: CallState, command: Command): CallState | undefined => TRANSITIONS[state]?.[command];

/** In a live call both people are busy. */
export const isLive = (state: CallState) => state === 'ringing' || state === 'active';

/** Steps without a `bill` request after which a call is over. */
export const SILENT_STEPS = 2;

/** In every path and form that names a call. */
export const identifier = text().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' });

/** A call in every list and event. */
export const callFields = z.strictObject({
  identifier: z.string().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
  state: z.enum(CALL_STATES).meta({ example: 'ended' }),
  call_type: z.enum(CALL_TYPES),
  /** The room's uuid. */
  channel: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
  student_id: z.int().meta({ example: 12 }),
  teacher_id: z.int().meta({ example: 7 }),
  /** Steps that have been charged. */
  steps: z.int().meta({ example: 3 }),
  total_cost: z.int().meta({ example: 250 }),
  /** Seconds; null until the call has ended. */
  total_duration: z.int().nullable().meta({ example: 130 }),
  created_at: timestamp(),
  accepted_at: timestamp().nullable(),
  ended_at: timestamp().nullable(),
});

/** A call's row. Prices are null until a teacher begins to accept. */
export interface Call extends z.infer<typeof callFields> {
  id: number;
  service_id: number;
  plan_id: number | null;
  ring_expires_at: string;
  rtc_token: string | null;
  rtc_token_expires_at: string | null;
  accepting_at: string | null;
  iterator: number | null;
  base_cost: number | null;
  iterator_cost: number | null;
  commission_percent: number | null;
  billed_at: string | null;
  ended_by: EndedBy | null;
  /** Steps that must be charged. */
  steps_due: number;
  /** What wallet holds for the next step, by its last answer. */
  reserved: number;
  settled: boolean;
  /** False while `call.ended` waits for the charge of the last steps. */
  end_announced: boolean;
  /** No job asks wallet about the call before; by the server's clock. */
  retry_at: string | null;
  /** Generation of the lease; only the lease holder asks wallet about the call. */
  lease: number;
  leased_until: string | null;
  version: number;
  updated_at: string;
}

/** A call whose row is locked, with the clock read after that. The clock is never earlier than a recorded time. */
export interface LockedCall extends Call {
  now: string;
  /** The server's clock, which leases go by. */
  server_now: string;
  ring_left_us: number;
  /** Since acceptance. */
  elapsed_us: number | null;
  reserved_left_us: number | null;
  since_lost_us: number | null;
  token_left_us: number | null;
  /** Another process or request holds the lease. */
  leased: boolean;
}

/** What wallet needs to charge a call's steps. */
export type Chargeable = Pick<Call, 'identifier' | 'call_type' | 'student_id' | 'teacher_id'> &
  Prices & { commission_percent: number };

/** What wallet holds for a call, and for how long; absent when nothing is held. */
export interface Held {
  held: number;
  hold_seconds?: number | undefined;
}

/** An accepted call: its prices are fixed. */
export type Accepted<C extends Call = Call> = C & Chargeable & { accepted_at: string };

/** An accepted call that has ended. */
export type Ended = Accepted & { ended_at: string; ended_by: EndedBy; total_duration: number };

export const isEnded = (call: Call): call is Ended => call.state === 'ended';

export const isAccepted = <C extends Call>(call: C): call is Accepted<C> => call.accepted_at !== null;

export const presentCall = (call: Call) => fieldsOf(callFields, call);

/** The people who hear of a call. */
export const pairOf = (call: Call) => ({ student: call.student_id, teacher: call.teacher_id });

/** What time alone may end a call by. */
export type Moments = Pick<
  Call,
  'state' | 'ring_expires_at' | 'accepting_at' | 'accepted_at' | 'billed_at' | 'iterator'
>;

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

/** When a job has something to do for a call; null: not before the call changes. */
export interface Deadlines {
  /** When time alone ends the ringing or the call. */
  lapse_at: string | null;
  /** When the next step is due that the hold does not cover. */
  uncovered_at: string | null;
  /** From when on a job may ask wallet for what is open; by the server's clock. */
  open_at: string | null;
}

/** Whether something is left to ask of wallet: charges and, after the end, the release of the hold. */
export const hasOpenWork = (call: Pick<Call, 'state' | 'steps' | 'steps_due'>) =>
  call.steps < call.steps_due || !isLive(call.state);

export function uncoveredAt(call: Call): string | null {
  if (call.state !== 'active' || !isAccepted(call)) return null;
  if (call.steps === 0 || call.steps < call.steps_due || call.reserved >= call.iterator_cost) return null;
  return dueAt(call.accepted_at, call.steps + 1, call.iterator);
}

/** The deadlines of a call as its row is after a change; undefined when it is settled. */
export function deadlinesOf(call: Call): Deadlines | undefined {
  if (call.settled) return undefined;
  return {
    lapse_at: lapseAt(call),
    uncovered_at: uncoveredAt(call),
    open_at: hasOpenWork(call) ? (latest(call.leased_until, call.retry_at) ?? '-infinity') : null,
  };
}
