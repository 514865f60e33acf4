import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  affordableSteps,
  costOf,
  dueAtUs,
  isCovered,
  isFinalRefusal,
  paidSeconds,
  silentEnd,
  stepCost,
  stepsDue,
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

test.each([
  ['after the first step, asked for or not', 0, { steps: 1, atUs: 60 * SECOND }],
  ['after the first step', 1, { steps: 1, atUs: 60 * SECOND }],
  ['after the last one that was asked for', 5, { steps: 5, atUs: 300 * SECOND }],
])('a silent call ends %s', (_name, asked, end) => expect(silentEnd(asked, 60)).toEqual(end));

test.each([
  ['when no answer was lost', null, true],
  ['not while a lost request may still take effect', 19 * SECOND, false],
  ['when a lost request can have no effect any more', 20 * SECOND, true],
])('a refusal is final %s', (_name, since, final) => expect(isFinalRefusal(since)).toBe(final));
