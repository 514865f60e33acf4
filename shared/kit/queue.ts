import { MORE, moreIf, type Job, type Schedule } from './jobs.ts';

/** Items of work in the database, each with the time of its next attempt. */
interface Queue<Item> {
  /** Items that one process works on concurrently. */
  concurrency: number;
  /**
   * Claims up to `limit` due items in one statement, with SKIP LOCKED, and sets the time of their next attempt: until
   * then no replica claims them again, and after a crash the work is repeated.
   */
  claim(limit: number): Promise<Item[]>;
  /** Does the work and records its result, or the time of the next attempt. A rejection fails the next run. */
  work(item: Item): Promise<unknown>;
}

/**
 * The job of a queue. A slow item occupies one worker only: each run claims items for the idle workers, or waits while
 * all are busy.
 */
export function queueJob<Item>({ concurrency, claim, work, ...schedule }: Schedule & Queue<Item>): Job {
  const working = new Set<Promise<void>>();
  const failures: Error[] = [];

  function start(item: Item): void {
    const done: Promise<void> = work(item)
      .catch((error: Error) => void failures.push(error))
      .then(() => void working.delete(done));
    working.add(done);
  }

  return {
    ...schedule,
    run: async () => {
      if (working.size >= concurrency) {
        await Promise.race(working);
        // Claims nothing: the job may have been stopped meanwhile.
        return MORE;
      }
      const idle = concurrency - working.size;
      const items = await claim(idle);
      items.forEach(start);
      const [failure] = failures.splice(0);
      if (failure !== undefined) throw failure;
      return moreIf(items.length === idle);
    },
    whenIdle: () => Promise.all(working),
  };
}
