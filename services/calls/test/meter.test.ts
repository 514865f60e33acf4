import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Accepted,
  affordableSteps,
  costOf,
  dueAt,
  dueAtUs,
  isCovered,
  isFinalRefusal,
  type LockedCall,
  paidSeconds,
  silentEnd,
  stepCost,
  stepsDue,
  stepsOwed,
} from '../src/call/call.ts';

const SECOND = 1_000_000;
const prices = { iterator: 60, base_cost: 100, iterator_cost: 50 };

describe('steps that are due', () => {
  test.each([
    ['before acceptance (the clock stepped back)', -1, 0],
    ['at acceptance', 0, 1],
    ['within the first step', 59.999999 * SECOND, 1],
    ['at the start of the second', 60 * SECOND, 2],
    ['an hour later', 3600 * SECOND, 61],
  ])('%s', (_name, elapsed, due) => expect(stepsDue(elapsed, 60)).toBe(due));

  test('step k falls due exactly when the count reaches k', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 2, max: 3600 }), (step, iterator) => {
        const at = dueAtUs(step, iterator);
        expect([stepsDue(at - 1, iterator), stepsDue(at, iterator)]).toEqual([step - 1, step]);
      }),
    );
  });
});

describe('costs', () => {
  test.each([
    ['the first step includes the base', 1, 150],
    ['each later one does not', 2, 50],
  ])('%s', (_name, step, cost) => expect(stepCost(step, prices)).toBe(cost));

  test.each([
    ['not the first step', 1, 149, 0],
    ['the first step only', 1, 199, 1],
    ['the first two', 1, 200, 2],
    ['three later ones', 5, 150, 3],
  ])('money for %s', (_name, from, money, count) => expect(affordableSteps(from, money, prices)).toBe(count));

  test.each([
    ['before the call: every step that the money pays', { steps: 0, elapsed_us: null }, 200, 120],
    ['in a step that is charged, without money: to its end', { steps: 2, elapsed_us: 70 * SECOND }, 0, 50],
    [
      'in a step that is charged, with money: to the end of what it pays',
      { steps: 2, elapsed_us: 70 * SECOND },
      120,
      170,
    ],
  ])('paid %s', (_name, call, money, seconds) => expect(paidSeconds({ ...prices, ...call }, money)).toBe(seconds));

  test('a free call is paid for ever', () =>
    expect(paidSeconds({ ...prices, base_cost: 0, iterator_cost: 0, steps: 0, elapsed_us: 0 }, 0)).toBe(Infinity));

  test('a range costs the sum of its steps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 50 }), (from, count) => {
        const steps = Array.from({ length: count }, (_, index) => stepCost(from + index, prices));
        expect(costOf(from, from + count - 1, prices)).toBe(steps.reduce((sum, cost) => sum + cost, 0));
      }),
    );
  });
});

describe('coverage by the hold', () => {
  const call = { ...prices, steps: 1, steps_due: 2, reserved: 50, reserved_left_us: SECOND };
  test.each([
    ['the one step that it was made for', call, true],
    ['not one more', { ...call, steps_due: 3 }, false],
    ['not a step that it is too small for', { ...call, reserved: 49 }, false],
    ['nothing once it has expired', { ...call, reserved_left_us: 0 }, false],
    ['nothing before it is made', { ...call, reserved_left_us: null }, false],
    ['what costs nothing', { ...call, iterator_cost: 0, reserved: 0, reserved_left_us: null }, true],
    ['a call that owes nothing', { ...call, steps: 2, reserved: 0 }, true],
  ])('%s', (_name, given, covered) => expect(isCovered(given)).toBe(covered));
});

/** An accepted call of steps of a minute; times are seconds after its acceptance. */
const ACCEPTED = '2026-01-01T00:00:00.000000Z';
const after = (seconds: number) => dueAt(ACCEPTED, 2, seconds);
const callWith = (given: { billed?: number; alive?: number; needs?: boolean; asked?: number; elapsed?: number }) =>
  ({
    ...prices,
    state: 'active',
    accepted_at: ACCEPTED,
    billed_at: given.billed === undefined ? null : after(given.billed),
    alive_at: given.alive === undefined ? null : after(given.alive),
    needs_alive: given.needs ?? false,
    steps_due: given.asked ?? 0,
    elapsed_us: (given.elapsed ?? 0) * SECOND,
  }) as Accepted<LockedCall>;

describe('a silent call ends', () => {
  test.each<[string, Parameters<typeof callWith>[0], number, number]>([
    ['after the first step, asked for or not', {}, 1, 60],
    ['after the first step', { billed: 10, asked: 1 }, 1, 60],
    ['after the last one that was asked for', { billed: 250, asked: 5 }, 5, 300],
    ['after the last one, when both are silent', { billed: 70, alive: 65, asked: 2 }, 2, 120],
    ['within the step that was billed after the student had gone', { billed: 130, alive: 20, asked: 3 }, 3, 140],
    ['at once and free, when no required sign of life came', { billed: 100, needs: true }, 0, 0],
    ['after the first step, when the required sign came', { alive: 10, needs: true }, 1, 60],
    ['where steps were charged all the same', { billed: 70, needs: true, asked: 2 }, 2, 120],
  ])('%s', (_name, given, steps, end) => expect(silentEnd(callWith(given))).toEqual({ steps, at: after(end) }));
});

test.each<[string, Parameters<typeof callWith>[0], number]>([
  ['what is due', { elapsed: 61 }, 2],
  ['never fewer than before (a clock may step back)', { elapsed: -1, asked: 3 }, 3],
  ['nothing before a required sign of life', { elapsed: 61, needs: true }, 0],
  ['everything after it', { elapsed: 61, needs: true, alive: 60 }, 2],
])('a call owes %s', (_name, given, steps) => expect(stepsOwed(callWith(given))).toBe(steps));

test.each([
  ['when no answer was lost', null, true],
  ['not while a lost request may still take effect', 19 * SECOND, false],
  ['when a lost request can have no effect any more', 20 * SECOND, true],
])('a refusal is final %s', (_name, since, final) => expect(isFinalRefusal(since)).toBe(final));
