import { DOUBT_US } from '../deadlines.ts';

/*
 * The meter: what a call owes by the clock. Pure functions. Times are microseconds since acceptance, amounts are in the
 * smallest unit of the currency. Step k (1, 2, ...) is due at (k - 1) * iterator seconds.
 */

export const SECOND_US = 1_000_000;

/** A moment of the database, such as `2026-11-20T21:04:06.500000Z`, so many whole microseconds later. */
export function later(at: string, us: number): string {
  const [seconds = '', fraction = ''] = at.split('.');
  const micros = Number.parseInt(fraction, 10) + us;
  const whole = Math.floor(micros / SECOND_US);
  const date = new Date(Date.parse(`${seconds}Z`) + whole * 1_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return `${date}.${String(micros - whole * SECOND_US).padStart(6, '0')}Z`;
}

export interface Prices {
  /** Seconds of a step. */
  iterator: number;
  base_cost: number;
  iterator_cost: number;
}

/** How many steps are due; none before acceptance (a clock may step back). */
export function stepsDue(elapsedUs: number, iterator: number): number {
  return elapsedUs < 0 ? 0 : Math.floor(elapsedUs / (iterator * SECOND_US)) + 1;
}

/** When step k falls due. */
export const dueAtUs = (step: number, iterator: number) => (step - 1) * iterator * SECOND_US;

/** The same as a timestamp, for a call accepted at `acceptedAt`. */
export const dueAt = (acceptedAt: string, step: number, iterator: number) => later(acceptedAt, dueAtUs(step, iterator));

/** The base is part of the first step. */
export const stepCost = (step: number, prices: Prices) =>
  step === 1 ? prices.base_cost + prices.iterator_cost : prices.iterator_cost;

/** The sum of the costs of steps `from` to `to`, both included. */
export function costOf(from: number, to: number, prices: Prices): number {
  if (to < from) return 0;
  return (to - from + 1) * prices.iterator_cost + (from <= 1 ? prices.base_cost : 0);
}

/** How many steps in a row, beginning with `from`, `money` pays; Infinity when they are free. */
export function affordableSteps(from: number, money: number, prices: Prices): number {
  const rest = money - stepCost(from, prices);
  if (rest < 0) return 0;
  return prices.iterator_cost === 0 ? Infinity : 1 + Math.floor(rest / prices.iterator_cost);
}

/** Seconds until the first step that is neither charged nor paid by `money` is due. */
export function paidSeconds(call: Prices & { steps: number; elapsed_us: number | null }, money: number): number {
  const unpaid = call.steps + affordableSteps(call.steps + 1, money, call) + 1;
  return (dueAtUs(unpaid, call.iterator) - (call.elapsed_us ?? 0)) / SECOND_US;
}

interface Reserve {
  /** What wallet holds for the call. */
  reserved: number;
  /** Microseconds until the hold expires. */
  reserved_left_us: number | null;
}

/** Whether the hold pays every step that is due and not charged yet. */
export function isCovered(call: Prices & Reserve & { steps: number; steps_due: number }): boolean {
  const owed = costOf(call.steps + 1, call.steps_due, call);
  return owed === 0 || (call.reserved >= owed && (call.reserved_left_us ?? 0) > 0);
}

/** Where a silent call ends: after its last billed step, and never before the end of the first step. */
export function silentEnd(stepsAsked: number, iterator: number): { steps: number; atUs: number } {
  const steps = Math.max(1, stepsAsked);
  return { steps, atUs: dueAtUs(steps + 1, iterator) };
}

/** Whether a refusal for lack of money is final: no earlier request for the same step can still succeed. */
export const isFinalRefusal = (sinceLostUs: number | null) => sinceLostUs === null || sinceLostUs >= DOUBT_US;
