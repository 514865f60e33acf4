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

describe('the number of due steps', () => {
  test.each([
    ['is 0 before the acceptance (the clock stepped back)', -1, 0],
    ['is 1 at the acceptance', 0, 1],
    ['is 1 within the first step', 59.999999 * SECOND, 1],
    ['is 2 at the start of the second step', 60 * SECOND, 2],
    ['is 61 after an hour', 3600 * SECOND, 61],
  ])('%s', (_name, elapsed, due) => expect(stepsDue(elapsed, 60)).toBe(due));

  test('reaches k exactly when step k falls due', () => {
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
    ['the first step includes the base cost', 1, 150],
    ['a later step does not include the base cost', 2, 50],
  ])('%s', (_name, step, cost) => expect(stepCost(step, prices)).toBe(cost));

  test.each([
    ['no step', 1, 149, 0],
    ['only the first step', 1, 199, 1],
    ['the first two steps', 1, 200, 2],
    ['three later steps', 5, 150, 3],
  ])('money can pay %s', (_name, from, money, count) => expect(affordableSteps(from, money, prices)).toBe(count));

  test.each([
    ['before the call until the money is used up', { steps: 0, elapsed_us: null }, 200, 120],
    ['in a charged step, without money, until its end', { steps: 2, elapsed_us: 70 * SECOND }, 0, 50],
    ['in a charged step, with money, until the money is used up', { steps: 2, elapsed_us: 70 * SECOND }, 120, 170],
  ])('a call is paid %s', (_name, call, money, seconds) =>
    expect(paidSeconds({ ...prices, ...call }, money)).toBe(seconds),
  );

  test('a free call is paid forever', () =>
    expect(paidSeconds({ ...prices, base_cost: 0, iterator_cost: 0, steps: 0, elapsed_us: 0 }, 0)).toBe(Infinity));

  test('a range of steps costs the sum of its steps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 50 }), (from, count) => {
        const steps = Array.from({ length: count }, (_, index) => stepCost(from + index, prices));
        expect(costOf(from, from + count - 1, prices)).toBe(steps.reduce((sum, cost) => sum + cost, 0));
      }),
    );
  });
});

describe('the hold', () => {
  const call = { ...prices, steps: 1, steps_due: 2, reserved: 50, reserved_left_us: SECOND };
  test.each([
    ['covers the step for which it was placed', call, true],
    ['does not cover another step', { ...call, steps_due: 3 }, false],
    ['does not cover a step that costs more', { ...call, reserved: 49 }, false],
    ['covers nothing after its expiry', { ...call, reserved_left_us: 0 }, false],
    ['covers nothing before it is placed', { ...call, reserved_left_us: null }, false],
    ['covers a free step without an amount', { ...call, iterator_cost: 0, reserved: 0, reserved_left_us: null }, true],
    ['covers a call that owes nothing', { ...call, steps: 2, reserved: 0 }, true],
  ])('%s', (_name, given, covered) => expect(isCovered(given)).toBe(covered));
});

/** An accepted call with steps of a minute. Times are seconds after its acceptance. */
const ACCEPTED = '2026-01-01T00:00:00.000000Z';
const after = (seconds: number) => dueAt(ACCEPTED, 2, seconds);
const callWith = (given: {
  billed?: number;
  alive?: number;
  needs?: boolean;
  billedSteps?: number;
  elapsed?: number;
}) =>
  ({
    ...prices,
    state: 'active',
    accepted_at: ACCEPTED,
    billed_at: given.billed === undefined ? null : after(given.billed),
    alive_at: given.alive === undefined ? null : after(given.alive),
    needs_alive: given.needs ?? false,
    steps_due: given.billedSteps ?? 0,
    elapsed_us: (given.elapsed ?? 0) * SECOND,
  }) as Accepted<LockedCall>;

describe('a silent call ends', () => {
  test.each<[string, Parameters<typeof callWith>[0], number, number]>([
    ['after the first step, billed or not', {}, 1, 60],
    ['after the first step', { billed: 10, billedSteps: 1 }, 1, 60],
    ['after the last billed step', { billed: 250, billedSteps: 5 }, 5, 300],
    [
      'after the last billed step, when both participants are silent',
      { billed: 70, alive: 65, billedSteps: 2 },
      2,
      120,
    ],
    ['within the step that was billed after the student had left', { billed: 130, alive: 20, billedSteps: 3 }, 3, 140],
    ['at once and free of charge, when a required sign of life is missing', { billed: 100, needs: true }, 0, 0],
    ['after the first step, when the required sign of life was given', { alive: 10, needs: true }, 1, 60],
    [
      'after the last charged step, even when a required sign of life is missing',
      { billed: 70, needs: true, billedSteps: 2 },
      2,
      120,
    ],
  ])('%s', (_name, given, steps, end) => expect(silentEnd(callWith(given))).toEqual({ steps, at: after(end) }));
});

test.each<[string, Parameters<typeof callWith>[0], number]>([
  ['the due steps', { elapsed: 61 }, 2],
  ['no fewer steps than before when the clock steps back', { elapsed: -1, billedSteps: 3 }, 3],
  ['no step before a required sign of life', { elapsed: 61, needs: true }, 0],
  ['all due steps after a required sign of life', { elapsed: 61, needs: true, alive: 60 }, 2],
])('a call owes %s', (_name, given, steps) => expect(stepsOwed(callWith(given))).toBe(steps));

test.each([
  ['when no answer was lost', null, true],
  ['not while a lost request can still take effect', 19 * SECOND, false],
  ['when a lost request can no longer take effect', 20 * SECOND, true],
])('a refusal is final %s', (_name, since, final) => expect(isFinalRefusal(since)).toBe(final));
