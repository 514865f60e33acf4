import { expect, test } from '@jest/globals';
import { MORE } from '../kit/jobs.ts';
import { queueJob } from '../kit/queue.ts';

/** A queue of these items, whose work the test ends. */
function createQueue(concurrency: number, items: string[]) {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const waiting = [...items];
  const limits: number[] = [];
  const job = queueJob<string>({
    ...{ name: 'queue', purpose: 'works', everyMs: 1_000, concurrency },
    claim: (limit) => {
      limits.push(limit);
      return Promise.resolve(waiting.splice(0, limit));
    },
    work: (item) => {
      ends.set(item, Promise.withResolvers());
      return ends.get(item)!.promise;
    },
  });
  return {
    job,
    limits,
    begun: () => [...ends.keys()],
    end: (item: string) => ends.get(item)!.resolve(),
    fail: (item: string, error: Error) => ends.get(item)!.reject(error),
  };
}

test('a slow item occupies one worker, and the idle ones get new items', async () => {
  const { job, begun, end, limits } = createQueue(2, ['slow', 'a', 'b', 'c']);
  expect(await job.run()).toBe(MORE);
  expect(begun()).toEqual(['slow', 'a']);
  const next = job.run();
  end('a');
  expect(await next).toBe(MORE);
  end('b');
  expect(await job.run()).toBe(MORE);
  end('c');
  expect([await job.run(), begun(), limits]).toEqual([undefined, ['slow', 'a', 'b', 'c'], [2, 1, 1, 1]]);
});

test('a failure is thrown by the next run, which claims items all the same, and the job is idle when all work has ended', async () => {
  const { job, begun, end, fail } = createQueue(3, ['a', 'b', 'c', 'd']);
  await job.run();
  const error = new Error('away');
  fail('a', error);
  end('b');
  let isIdle = false;
  const idle = job.whenIdle!().then(() => void (isIdle = true));
  await expect(job.run()).rejects.toBe(error);
  expect([isIdle, begun()]).toEqual([false, ['a', 'b', 'c', 'd']]);
  end('c');
  await idle;
  end('d');
  await job.whenIdle!();
  expect(await job.run()).toBe(undefined);
});
