import { expect, test } from '@jest/globals';
import { createWorkerPool } from '../kit/worker-pool.ts';

/** Items whose work the test ends. */
function createWork(items: string[]) {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const waiting = [...items];
  const limits: number[] = [];
  return {
    limits,
    begun: () => [...ends.keys()],
    claim: (limit: number) => {
      limits.push(limit);
      return Promise.resolve(waiting.splice(0, limit));
    },
    work: (item: string) => {
      ends.set(item, Promise.withResolvers());
      return ends.get(item)!.promise;
    },
    end: (item: string) => ends.get(item)!.resolve(),
    fail: (item: string, error: Error) => ends.get(item)!.reject(error),
  };
}

test('a slow item occupies one worker, and the idle ones get new items', async () => {
  const crew = createWorkerPool(2);
  const { claim, work, begun, end, limits } = createWork(['slow', 'a', 'b', 'c']);
  expect(await crew.fill(claim, work)).toBe(true);
  expect(begun()).toEqual(['slow', 'a']);
  const next = crew.fill(claim, work);
  end('a');
  expect(await next).toBe(true);
  end('b');
  expect(await crew.fill(claim, work)).toBe(true);
  end('c');
  expect([await crew.fill(claim, work), begun(), limits]).toEqual([false, ['slow', 'a', 'b', 'c'], [2, 1, 1, 1]]);
});

test('a failure is thrown by the next run, which works all the same, and rest waits for all work', async () => {
  const crew = createWorkerPool(3);
  const { claim, work, begun, end, fail } = createWork(['a', 'b', 'c', 'd']);
  await crew.fill(claim, work);
  const error = new Error('away');
  fail('a', error);
  end('b');
  let isResting = false;
  const rest = crew.whenIdle().then(() => void (isResting = true));
  await expect(crew.fill(claim, work)).rejects.toBe(error);
  expect([isResting, begun()]).toEqual([false, ['a', 'b', 'c', 'd']]);
  end('c');
  await rest;
  end('d');
  await crew.whenIdle();
  expect(await crew.fill(claim, work)).toBe(false);
});
