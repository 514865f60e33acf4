import { expect, test } from '@jest/globals';
import { MORE, startJobs } from '../kit/jobs.ts';
import { createLogger } from '../kit/process/logger.ts';
import { createMetrics } from '../kit/process/metrics.ts';
import { queueJob } from '../kit/queue.ts';
import { eventually } from '../testing/wait.ts';

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
  /** A run that claims: one that waits for an idle worker claims nothing, and the next follows at once. */
  async function claim(): Promise<unknown> {
    const before = limits.length;
    const left = await job.run();
    return limits.length === before ? job.run() : left;
  }
  return {
    job,
    claim,
    limits,
    begun: () => [...ends.keys()],
    end: (item: string) => ends.get(item)!.resolve(),
    fail: (item: string, error: Error) => ends.get(item)!.reject(error),
  };
}

test('a slow item occupies one worker, and the idle ones get new items', async () => {
  const { claim, begun, end, limits } = createQueue(2, ['slow', 'a', 'b', 'c']);
  expect(await claim()).toBe(MORE);
  expect(begun()).toEqual(['slow', 'a']);
  const next = claim();
  end('a');
  expect(await next).toBe(MORE);
  end('b');
  expect(await claim()).toBe(MORE);
  end('c');
  expect([await claim(), begun(), limits]).toEqual([undefined, ['slow', 'a', 'b', 'c'], [2, 1, 1, 1]]);
});

test('a job that is stopped while all workers are busy takes no further item', async () => {
  const { job, begun, end } = createQueue(1, ['a', 'b']);
  const tools = { logger: createLogger('test', 'silent'), metrics: createMetrics('test') };
  const jobs = startJobs([job], { ...tools, reader: undefined as never });
  await eventually('the first item is worked on', () => begun().length === 1);
  let isStopped = false;
  void jobs.stop().then(() => (isStopped = true));
  end('a');
  await eventually('the job has stopped, or goes on', () => isStopped || begun().length > 1);
  expect(begun()).toEqual(['a']);
});

test('a failure is thrown by the next run, which claims items all the same, and the job is idle when all work has ended', async () => {
  const { job, claim, begun, end, fail } = createQueue(3, ['a', 'b', 'c', 'd']);
  await job.run();
  const error = new Error('away');
  fail('a', error);
  end('b');
  let isIdle = false;
  const idle = job.whenIdle!().then(() => void (isIdle = true));
  await expect(claim()).rejects.toBe(error);
  expect([isIdle, begun()]).toEqual([false, ['a', 'b', 'c', 'd']]);
  end('c');
  await idle;
  end('d');
  await job.whenIdle!();
  expect(await job.run()).toBe(undefined);
});
