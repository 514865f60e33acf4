import { expect, test } from '@jest/globals';
import { createBatch } from '@tutoring/shared/kit/batch';
import { currentContext, runInContext } from '@tutoring/shared/kit/process/context';

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

const never = () => Promise.reject(new Error('no item is processed alone here'));

test('an item starts at once when nothing is in flight, and items that arrive meanwhile form batches', async () => {
  const sizes: number[] = [];
  const double = createBatch<number, number>({
    size: 10,
    atOnce: 1,
    processItem: never,
    processBatch: async (items) => {
      sizes.push(items.length);
      await nextTick();
      return items.map((item) => 2 * item);
    },
  });
  const first = double(0);
  await nextTick();
  const rest = Array.from({ length: 24 }, (_none, index) => double(index + 1));
  expect(await Promise.all([first, ...rest])).toEqual(Array.from({ length: 25 }, (_none, index) => 2 * index));
  expect(sizes).toEqual([1, 10, 10, 4]);
});

test('at most `atOnce` batches are in flight, and no key twice at the same time', async () => {
  const inFlight = { batches: 0, most: 0 };
  const inside = new Set<number>();
  const work = createBatch<{ user: number; nr: number }, number>({
    size: 10,
    atOnce: 2,
    keys: ({ user }) => [user],
    processItem: never,
    processBatch: async (items) => {
      inFlight.batches += 1;
      inFlight.most = Math.max(inFlight.most, inFlight.batches);
      for (const { user } of items) expect(inside.has(user)).toBe(false);
      for (const { user } of items) inside.add(user);
      await nextTick();
      for (const { user } of items) inside.delete(user);
      inFlight.batches -= 1;
      return items.map(({ nr }) => nr);
    },
  });
  const all = Array.from({ length: 60 }, (_none, nr) => nr);
  expect(await Promise.all(all.map((nr) => work({ user: nr % 20, nr })))).toEqual(all);
  expect(inFlight.most).toBe(2);
});

test('the items of a failed batch are processed one by one, so that only the bad item fails', async () => {
  const work = createBatch<string, string>({
    size: 10,
    atOnce: 1,
    processItem: (item) => (item === 'bad' ? Promise.reject(new Error('a bad one')) : Promise.resolve(item)),
    processBatch: (items) => (items.includes('bad') ? Promise.reject(new Error('a bad one')) : Promise.resolve(items)),
  });
  const results = await Promise.allSettled(['a', 'b', 'bad', 'c'].map(work));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test('a batch whose outcome is unknown is not repeated: all of its items fail', async () => {
  let times = 0;
  const work = createBatch<number, number>({
    size: 10,
    atOnce: 1,
    processItem: never,
    processBatch: () => Promise.reject(new Error(`cut off ${(times += 1)}`)),
    isWorthSplitting: (error) => !(error as Error).message.startsWith('cut off'),
  });
  const results = await Promise.allSettled([1, 2, 3].map(work));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(times).toBe(1);
});

test('an item that a batch skips is processed alone and does not delay others', async () => {
  const waited = Promise.withResolvers<string>();
  const work = createBatch<string, string>({
    size: 10,
    atOnce: 1,
    processBatch: (items) => Promise.resolve(items.map((item) => (item === 'locked' ? undefined : item))),
    processItem: () => waited.promise,
  });
  const locked = work('locked');
  expect(await Promise.all([work('a'), work('b')])).toEqual(['a', 'b']);
  expect(await work('c')).toBe('c');
  waited.resolve('done in the end');
  expect(await locked).toBe('done in the end');
});

test('single items run three at a time, no key twice, each in the context of its request', async () => {
  const now = { all: 0, most: 0 };
  const inside = new Set<number>();
  const work = createBatch<{ key: number; request: string }, string | undefined>({
    size: 50,
    atOnce: 1,
    keys: ({ key }) => [key],
    processBatch: (items) => {
      expect(currentContext()).toBeUndefined();
      return Promise.resolve(items.map(() => undefined));
    },
    processItem: async ({ key }) => {
      now.all += 1;
      now.most = Math.max(now.most, now.all);
      expect(inside.has(key)).toBe(false);
      inside.add(key);
      await nextTick();
      inside.delete(key);
      now.all -= 1;
      return currentContext()?.requestId;
    },
  });
  const items = Array.from({ length: 40 }, (_none, nr) => ({ key: nr % 10, request: `request ${nr}` }));
  const answers = items.map((item) => runInContext({ requestId: item.request }, () => work(item)));
  expect(await Promise.all(answers)).toEqual(items.map(({ request }) => request));
  expect(now.most).toBe(3);
});

test('a batch that hangs times out, and items that waited too long are refused without being processed', async () => {
  const done: string[] = [];
  const work = createBatch<string, string>({
    size: 10,
    atOnce: 1,
    maxWaitMs: 100,
    // Far more, so that the second item has waited too long even if a busy machine adds it late.
    limitMs: 1_500,
    isWorthSplitting: () => false,
    processBatch: (items) => {
      if (items.includes('hangs')) return new Promise(() => undefined);
      done.push(...items);
      return Promise.resolve(items);
    },
    processItem: never,
  });
  const hanging = work('hangs');
  await nextTick();
  const waiting = work('waits too long');
  const outcomes = await Promise.allSettled([hanging, waiting]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
  expect(await work('next')).toBe('next');
  expect(done).toEqual(['next']);
});
