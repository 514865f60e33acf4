import { expect, test } from '@jest/globals';
import { createSlotCache, freeSlotsJson, renderSlots } from '../src/availability/slot-cache.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const from = Date.parse('2026-11-30T00:00:00Z');
const every = (minutes: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index * minutes * MINUTE);
const starts = (text: string) => (JSON.parse(text) as { starts_at: string }[]).map(({ starts_at }) => starts_at);

test('slots are formatted as in answers, also across midnight', () => {
  const text = freeSlotsJson(renderSlots([from - 30 * MINUTE, from], 60 * MINUTE), 0, []);
  expect(JSON.parse(text)).toEqual([
    { starts_at: '2026-11-29T23:30:00.000000Z', ends_at: '2026-11-30T00:30:00.000000Z' },
    { starts_at: '2026-11-30T00:00:00.000000Z', ends_at: '2026-11-30T01:00:00.000000Z' },
  ]);
  expect(freeSlotsJson(renderSlots([], MINUTE), 0, [])).toBe('[]');
});

test.each([
  ['all slots are free when nothing is taken', [], 0, ['00', '01', '02', '03']],
  [
    'the first and the last slot are taken',
    [
      [-1, 1],
      [3, 9],
    ],
    0,
    ['01', '02'],
  ],
  ['a slot that is taken in part is not free', [[1.25, 1.5]], 0, ['00', '02', '03']],
  [
    'taken ranges may overlap and be unsorted',
    [
      [2, 3],
      [0.5, 1.5],
      [1, 1.2],
    ],
    0,
    ['03'],
  ],
  [
    'a taken range that only touches a slot does not take it',
    [
      [-2, 0],
      [4, 5],
    ],
    0,
    ['00', '01', '02', '03'],
  ],
  ['slots before the earliest time are not free', [], 1.5, ['02', '03']],
  ['no slot is free when all are taken', [[0, 24]], 0, []],
] as [string, [number, number][], number, string[]][])('%s', (_name, taken, notice, expected) => {
  const at = (hours: number) => from + hours * 60 * MINUTE;
  const text = freeSlotsJson(
    renderSlots(every(60, 4), 60 * MINUTE),
    at(notice),
    taken.map(([first, last]) => ({ from: at(first), to: at(last) })),
  );
  expect(starts(text)).toEqual(expected.map((hour) => `2026-11-30T${hour}:00:00.000000Z`));
});

test('the cache respects its limit and evicts the least recently used slots', () => {
  const cache = createSlotCache(1_000);
  const listed = renderSlots(every(5, 288), 5 * MINUTE);
  cache.set('first', listed);
  for (let index = 0; index < 50; index += 1) {
    cache.set(`other ${index}`, listed);
    expect(cache.get('first')).toBe(listed);
    expect(cache.size()).toBeLessThanOrEqual(1_000);
  }
  expect(cache.get('other 0')).toBeUndefined();
  // Empty entries have a size, too; an entry that is larger than the limit is not cached.
  for (let index = 0; index < 1_000; index += 1) cache.set(`empty ${index}`, renderSlots([], MINUTE));
  expect([cache.get('first'), cache.get('empty 0')]).toEqual([undefined, undefined]);
  cache.set('large', renderSlots(every(5, 31 * (DAY / MINUTE / 5)), 5 * MINUTE));
  expect(cache.size()).toBe(0);
});
