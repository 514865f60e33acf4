import { expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { throttled } from '../src/shared/queries/throttled.ts';

/** Longer than this test. */
const LONG_MS = 600_000;

function counted(everyMs: number) {
  let calls = 0;
  return { ...throttled(() => void (calls += 1), everyMs), calls: () => calls };
}

test('the first call is made at once, and the calls of the next two seconds become one, which flush makes early', () => {
  const { ask, flush, calls } = counted(LONG_MS);
  flush();
  expect(calls()).toBe(0);
  for (let count = 0; count < 100; count += 1) ask();
  expect(calls()).toBe(1);
  flush();
  expect(calls()).toBe(2);
  for (let count = 0; count < 2; count += 1) {
    flush();
    expect(calls()).toBe(2);
  }
  ask();
  expect(calls()).toBe(3);
  flush();
});

test('a call that waits is made when the time is over', async () => {
  const { ask, flush, calls } = counted(1);
  ask();
  ask();
  await eventually('the second call', () => calls() === 2);
  flush();
});
