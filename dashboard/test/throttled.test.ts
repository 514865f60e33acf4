import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { throttled } from '../src/shared/queries/throttled.ts';

let calls = 0;
const call = () => void (calls += 1);
beforeEach(() => {
  calls = 0;
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());

test('the first call is made at once, and those of the next two seconds are one call at their end', () => {
  const { ask } = throttled(call);
  ask();
  expect(calls).toBe(1);
  for (let count = 0; count < 100; count += 1) ask();
  jest.advanceTimersByTime(1_999);
  expect(calls).toBe(1);
  jest.advanceTimersByTime(1);
  expect(calls).toBe(2);
  ask();
  expect(calls).toBe(2);
  jest.advanceTimersByTime(2_000);
  expect(calls).toBe(3);
  jest.advanceTimersByTime(10_000);
  expect(calls).toBe(3);
  ask();
  expect(calls).toBe(4);
});

test('a call that waits can be made now, once', () => {
  const { ask, flush } = throttled(call);
  flush();
  expect(calls).toBe(0);
  ask();
  ask();
  flush();
  expect(calls).toBe(2);
  flush();
  expect(calls).toBe(2);
});
