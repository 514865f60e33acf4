import { expect, test } from '@jest/globals';
import { createCalendarCache, createReadLimit, MAX_READS_PER_MINUTE } from '../src/calendar/calendar-cache.ts';

test('reads are counted per owner, in windows of a minute', () => {
  let now = 5_000;
  const waitOf = createReadLimit(() => now);
  const read = (owner: number, times: number) => Array.from({ length: times }, () => waitOf(owner)).at(-1);
  expect([read(1, MAX_READS_PER_MINUTE), read(1, 1), read(2, 1)]).toEqual([undefined, 60, undefined]);
  now += 59_001;
  expect(read(1, 1)).toBe(1);
  now += 1_000;
  expect(read(1, 1)).toBeUndefined();
});

test('concurrent requests share one text; it is written again for a new tag, after a failure or after its eviction', async () => {
  let written = 0;
  const textOf = createCalendarCache(10_000);
  const ask = (key: string, tag: string, bytes = 2_000) =>
    textOf(key, tag, () => {
      written += 1;
      return Promise.resolve(Buffer.alloc(bytes));
    });
  const countOf = async (...texts: Promise<Buffer>[]) => {
    await Promise.all(texts);
    const count = written;
    written = 0;
    return count;
  };
  expect(await countOf(ask('a', '1'), ask('a', '1'), ask('b', '1'))).toBe(2);
  expect(await countOf(ask('a', '2'), ask('b', '1'))).toBe(1);
  await expect(textOf('c', '1', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await countOf(ask('c', '1'))).toBe(1);
  // The three entries have 9,072 bytes: another one evicts the least recently used.
  expect(await countOf(ask('a', '2'), ask('d', '1'))).toBe(1);
  expect(await countOf(ask('a', '2'), ask('c', '1'), ask('d', '1'))).toBe(0);
  expect(await countOf(ask('b', '1'))).toBe(1);
  expect(await countOf(ask('huge', '1', 50_000))).toBe(1);
  expect(await countOf(ask('huge', '1', 50_000))).toBe(1);
});
