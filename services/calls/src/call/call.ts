import { z } from 'zod';
import { CALL_TYPES } from '@tutoring/shared/contract/call-types';
import { pickFields, text, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { ACCEPTING_GRACE_US, DOUBT_US } from '../deadlines.ts';

/*
 * The states of a call: ringing -> active -> ended, or ringing -> rejected | missed | canceled. Pure functions:
 * the caller has locked the call's row and then read the clock.
 */

export const CALL_STATES = ['ringing', 'active', 'ended', 'rejected', 'missed', 'canceled'] as const;
export type CallState = (typeof CALL_STATES)[number];

export type CallType = (typeof CALL_TYPES)[number];

export type Command = 'accept' | 'reject' | 'miss' | 'cancel' | 'end';
export type EndedBy = 'student' | 'teacher' | 'silence' | 'exhaustion' | 'ban';

/** Who or what ended a call. */
export const END_REASONS = ['student', 'teacher', 'money', 'silence', 'ban'] as const;
export type EndReason = (typeof END_REASONS)[number];
export const endReasonOf = (by: EndedBy): EndReason => (by === 'exhaustion' ? 'money' : by);

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

/** The state after a command; undefined when the command does not apply. */
export const nextState = (state: CallState, command: Command): CallState | undefined => TRANSITIONS[state]?.[command];

/** Whether the call makes both participants busy. */
export const isLive = (state: CallState) => state === 'ringing' || state === 'active';

/** A call ends after this many steps without a `bill` request, or without a sign of life that the student must give. */
export const SILENT_STEPS = 2;

/** The call's identifier in paths and request bodies. */
export const identifier = text().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' });

/** The fields of a call in lists and events. */
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

/** A call's row. Prices are null until the teacher's first attempt to accept. */
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
  /** The student's last sign of life. */
  alive_at: string | null;
  /** No step is charged before the first sign of life. Fixed at acceptance. */
  needs_alive: boolean;
  ended_by: EndedBy | null;
  /** Steps that must be charged. */
  steps_due: number;
  /** The amount that wallet holds for the next step, by its last answer. */
  reserved: number;
  settled: boolean;
  /** False while `call.ended` waits for the charge of the last steps. */
  end_announced: boolean;
  /** No job sends a request about the call to wallet before this time of the server's clock. */
  retry_at: string | null;
  /** Consecutive requests to wallet without a final answer. */
  attempts: number;
  /** Generation of the lease; only the lease holder sends requests about the call to wallet. */
  lease: number;
  leased_until: string | null;
  version: number;
  updated_at: string;
}

/** A call with a locked row, and the clock as read after the lock. The clock is never earlier than a recorded time. */
export interface LockedCall extends Call {
  now: string;
  /** The database server's clock, which leases use. */
  server_now: string;
  ring_left_us: number;
  /** Since acceptance. */
  elapsed_us: number | null;
  /** Until the hold expires. */
  reserved_left_us: number | null;
  /** Since wallet's last answer was lost. */
  since_lost_us: number | null;
  token_left_us: number | null;
  /** Another process or request holds the lease. */
  leased: boolean;
}

/** The fields that wallet needs to charge a call's steps. */
export type Chargeable = Pick<Call, 'identifier' | 'call_type' | 'student_id' | 'teacher_id'> &
  Prices & { commission_percent: number };

/** The amount that wallet holds for a call, and for how long; `hold_seconds` is absent when nothing is held. */
export interface PlacedHold {
  held: number;
  hold_seconds?: number | undefined;
}

/** An accepted call: its prices are fixed. */
export type Accepted<C extends Call = Call> = C & Chargeable & { accepted_at: string };

/** An accepted call that has ended. */
export type Ended = Accepted & { ended_at: string; ended_by: EndedBy; total_duration: number };

export const isEnded = (call: Call): call is Ended => call.state === 'ended';

export const isAccepted = <C extends Call>(call: C): call is Accepted<C> => call.accepted_at !== null;

export const presentCall = (call: Call) => pickFields(callFields, call);

/** The recipients of a call's live messages. */
export const participantsOf = (call: Call) => ({ student: call.student_id, teacher: call.teacher_id });

/** The columns that determine when a call lapses. */
export type LapseColumns = Pick<
  Call,
  'state' | 'ring_expires_at' | 'accepting_at' | 'accepted_at' | 'billed_at' | 'alive_at' | 'needs_alive' | 'iterator'
>;

/** The later of two times; null when both are null. */
const latest = (a: string | null, b: string | null) => ((a ?? '') > (b ?? '') ? a : b);

/** The start of the student's silence: the last sign of life, or the acceptance where signs of life are required. */
const lastSignOfStudent = ({ alive_at, needs_alive, accepted_at }: LapseColumns) =>
  alive_at ?? (needs_alive ? accepted_at : null);

/** When the ringing or the call lapses, that is, ends without a request; null when it is over. */
export function lapseAt(call: LapseColumns): string | null {
  if (call.state === 'ringing')
    return latest(call.ring_expires_at, call.accepting_at && addMicroseconds(call.accepting_at, ACCEPTING_GRACE_US));
  const lastOfTeacher = latest(call.accepted_at, call.billed_at);
  if (call.state !== 'active' || lastOfTeacher === null || call.iterator === null) return null;
  const lastOfStudent = lastSignOfStudent(call);
  const silentSince = lastOfStudent !== null && lastOfStudent < lastOfTeacher ? lastOfStudent : lastOfTeacher;
  return addMicroseconds(silentSince, SILENT_STEPS * call.iterator * SECOND_US);
}

/** How the call has lapsed by `now`, even when no job has recorded it yet; undefined when it has not. */
export function lapse(call: LapseColumns & { now: string }): 'missed' | 'silent' | undefined {
  const at = lapseAt(call);
  if (at === null || call.now < at) return undefined;
  return call.state === 'ringing' ? 'missed' : 'silent';
}

/** Whether a request to wallet is left to send: a charge or, after the end, the release of the hold. */
export const hasOpenWork = (call: Pick<Call, 'state' | 'steps' | 'steps_due'>) =>
  call.steps < call.steps_due || !isLive(call.state);

/** When the next step is due, if the hold does not cover it; otherwise null. */
export function uncoveredAt(call: Call): string | null {
  if (call.state !== 'active' || !isAccepted(call)) return null;
  if (call.steps === 0 || call.steps < call.steps_due || call.reserved >= call.iterator_cost) return null;
  return dueAt(call.accepted_at, call.steps + 1, call.iterator);
}

/**
 * When each job has to process a call, given its updated row; null: not before the next change of the call.
 * Returns undefined for a settled call.
 */
export function deadlinesOf(call: Call) {
  if (call.settled) return undefined;
  return {
    lapse_at: lapseAt(call),
    uncovered_at: uncoveredAt(call),
    // When a job may send the next request to wallet, by the server's clock.
    open_at: hasOpenWork(call) ? (latest(call.leased_until, call.retry_at) ?? '-infinity') : null,
  };
}

export type Deadlines = NonNullable<ReturnType<typeof deadlinesOf>>;

/*
 * The meter: the steps that a call owes at a given time. Pure functions. Times are microseconds since acceptance,
 * amounts are in the smallest unit of the currency. Step k (1, 2, ...) is due at (k - 1) * iterator seconds.
 */

export const SECOND_US = 1_000_000;

/** Adds whole microseconds to a timestamp of the database, such as `2026-11-20T21:04:06.500000Z`. */
export function addMicroseconds(at: string, us: number): string {
  const [seconds = '', fraction = ''] = at.split('.');
  const micros = Number.parseInt(fraction, 10) + us;
  const whole = Math.floor(micros / SECOND_US);
  const date = new Date(Date.parse(`${seconds}Z`) + whole * 1_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return `${date}.${String(micros - whole * SECOND_US).padStart(6, '0')}Z`;
}

export interface Prices {
  /** Seconds per step. */
  iterator: number;
  base_cost: number;
  iterator_cost: number;
}

/** Whether steps may be charged: false while the call needs a first sign of life. */
const isChargeable = (call: Pick<Call, 'alive_at' | 'needs_alive'>) => !call.needs_alive || call.alive_at !== null;

/** How many steps of a call must be charged by now; never decreases. */
export const stepsOwed = (call: Accepted<LockedCall>) =>
  isChargeable(call) ? Math.max(call.steps_due, stepsDue(call.elapsed_us ?? 0, call.iterator)) : call.steps_due;

/** How many steps are due; 0 for a negative time (a clock may step back). */
export function stepsDue(elapsedUs: number, iterator: number): number {
  return elapsedUs < 0 ? 0 : Math.floor(elapsedUs / (iterator * SECOND_US)) + 1;
}

/** When step k falls due. */
export const dueAtUs = (step: number, iterator: number) => (step - 1) * iterator * SECOND_US;

/** When step k falls due, as a timestamp, for a call accepted at `acceptedAt`. */
export const dueAt = (acceptedAt: string, step: number, iterator: number) =>
  addMicroseconds(acceptedAt, dueAtUs(step, iterator));

/** The first step includes the base cost. */
export const stepCost = (step: number, prices: Prices) =>
  step === 1 ? prices.base_cost + prices.iterator_cost : prices.iterator_cost;

/** The sum of the costs of steps `from` to `to`, both included. */
export function costOf(from: number, to: number, prices: Prices): number {
  if (to < from) return 0;
  return (to - from + 1) * prices.iterator_cost + (from <= 1 ? prices.base_cost : 0);
}

/** How many consecutive steps, starting with `from`, `money` pays; Infinity when they are free. */
export function affordableSteps(from: number, money: number, prices: Prices): number {
  const rest = money - stepCost(from, prices);
  if (rest < 0) return 0;
  return prices.iterator_cost === 0 ? Infinity : 1 + Math.floor(rest / prices.iterator_cost);
}

/** Seconds until the first step is due that is not charged and that `money` does not pay. */
export function paidSeconds(call: Prices & { steps: number; elapsed_us: number | null }, money: number): number {
  const unpaid = call.steps + affordableSteps(call.steps + 1, money, call) + 1;
  return (dueAtUs(unpaid, call.iterator) - (call.elapsed_us ?? 0)) / SECOND_US;
}

/** Whether the hold pays all steps that are due and not charged yet. */
export function isCovered(
  call: Prices & Pick<LockedCall, 'reserved' | 'reserved_left_us' | 'steps' | 'steps_due'>,
): boolean {
  const owed = costOf(call.steps + 1, call.steps_due, call);
  return owed === 0 || (call.reserved >= owed && (call.reserved_left_us ?? 0) > 0);
}

/**
 * When a silent call ends: after its last billed step, and not before the end of the first step unless no step may be
 * charged. If the teacher keeps billing a silent student, the call ends within a step, when it lapses; that step is
 * charged.
 */
export function silentEnd(call: Accepted): { steps: number; at: string } {
  const steps = isChargeable(call) ? Math.max(1, call.steps_due) : call.steps_due;
  const [end, lapsed] = [dueAt(call.accepted_at, steps + 1, call.iterator), lapseAt(call)];
  return { steps, at: lapsed !== null && lapsed < end ? lapsed : end };
}

/** Whether a refusal for lack of money is final: no earlier request for the step can still take effect. */
export const isFinalRefusal = (sinceLostUs: number | null) => sinceLostUs === null || sinceLostUs >= DOUBT_US;
