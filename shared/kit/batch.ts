import { AsyncLocalStorage } from 'node:async_hooks';
import { bulkhead } from 'cockatiel';
import { BATCH_LIMIT_MS, BATCH_WAIT_MS, withTimeout } from './process/deadlines.ts';
import { AppError } from './errors.ts';
import { texts } from './language/texts.ts';

/** How much a batch may take, and how long. */
export interface BatchLimits {
  /** Largest batch. */
  size: number;
  /** Most batches in flight. */
  atOnce: number;
  /** An item that has waited longer is refused, because its client has given up. */
  maxWaitMs?: number;
  /** Timeout of a batch or item, so that a dead connection cannot block all others. */
  limitMs?: number;
}

interface BatchOptions<Item, Result> extends BatchLimits {
  /**
   * Processes all items together and returns their results in order; undefined for an item that would have to wait for
   * a lock. Rejects when no item was processed. Runs outside of any request context.
   */
  processBatch(items: Item[]): Promise<(Result | undefined)[]>;
  /** Processes one item that a batch skipped, or whose batch failed, in the context of its request. */
  processItem?(item: Item): Promise<Result>;
  /** Whether the items of a batch that failed with this error are processed one by one; otherwise all of them fail. */
  isWorthSplitting?(error: unknown): boolean;
  /** Two items with a common key are never in flight at the same time. */
  keys?(item: Item): readonly unknown[];
}

/** Waiting items are divided among the batches that may start, but not into batches smaller than this. */
const MIN_BATCH = 8;
/** Most single items in flight: they may wait for locks, and must not take all connections. */
const MAX_SINGLE = 3;

interface Waiting<Item, Result> {
  item: Item;
  keys: readonly unknown[];
  since: number;
  inContext<T>(work: () => T): T;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Thrown outside of a request context; `refuse` creates it again in the language of the item's request. */
class Busy extends AppError {
  constructor() {
    super('unavailable', texts.busy, { retryAfter: 1 });
  }
}

/**
 * Groups items that arrive while earlier ones are in flight, so that they share round trips and commits. There is no
 * timer: if nothing is in flight, an item starts at once. A failing item does not affect the others. An item that waits
 * or takes too long is rejected as unavailable.
 */
export function createBatch<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { processBatch: many, processItem: one, size, atOnce, isWorthSplitting = () => true } = options;
  const { maxWaitMs = BATCH_WAIT_MS, limitMs = BATCH_LIMIT_MS } = options;
  const outsideRequests = AsyncLocalStorage.snapshot();
  let queue: Waiting<Item, Result>[] = [];
  const singles = bulkhead(MAX_SINGLE, Infinity);
  let running = 0;
  let scheduled = false;
  const keysInFlight = new Set<unknown>();

  function release({ keys }: Waiting<Item, Result>): void {
    for (const key of keys) keysInFlight.delete(key);
    schedule();
  }

  function succeed(waiting: Waiting<Item, Result>, result: Result): void {
    waiting.resolve(result);
    release(waiting);
  }

  function refuse(waiting: Waiting<Item, Result>, error: unknown): void {
    waiting.reject(error instanceof Busy ? waiting.inContext(() => new Busy()) : error);
  }

  function fail(waiting: Waiting<Item, Result>, error: unknown): void {
    refuse(waiting, error);
    release(waiting);
  }

  const isLate = ({ since }: Waiting<Item, Result>) => performance.now() - since > maxWaitMs;

  /** The oldest items that may start now; marks their keys as in flight. */
  function take(): Waiting<Item, Result>[] {
    const share = Math.min(size, Math.max(MIN_BATCH, Math.ceil(queue.length / (atOnce - running))));
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const waiting of queue) {
      if (isLate(waiting)) refuse(waiting, new Busy());
      else if (batch.length >= share || waiting.keys.some((key) => keysInFlight.has(key))) rest.push(waiting);
      else {
        for (const key of waiting.keys) keysInFlight.add(key);
        batch.push(waiting);
      }
    }
    queue = rest;
    return batch;
  }

  /** Processes a single item, unless it has waited too long when it starts. */
  async function runSingle(waiting: Waiting<Item, Result>, processOne: typeof one & {}): Promise<void> {
    const work = () => {
      if (isLate(waiting)) throw new Busy();
      const done = waiting.inContext(() => processOne(waiting.item));
      return withTimeout(limitMs, done, () => new Busy());
    };
    await singles.execute(work).then(
      (result) => succeed(waiting, result),
      (error: unknown) => fail(waiting, error),
    );
  }

  async function run(batch: Waiting<Item, Result>[]): Promise<void> {
    const work = outsideRequests(() => many(batch.map(({ item }) => item)));
    const [done] = await Promise.allSettled([withTimeout(limitMs, work, () => new Busy())]);
    for (const [index, waiting] of batch.entries()) {
      const result = done.status === 'fulfilled' ? done.value[index] : undefined;
      if (result !== undefined) succeed(waiting, result);
      else if (one && (done.status === 'fulfilled' || isWorthSplitting(done.reason))) void runSingle(waiting, one);
      else fail(waiting, done.status === 'rejected' ? done.reason : new Busy());
    }
  }

  function start(): void {
    scheduled = false;
    while (running < atOnce && queue.length > 0) {
      const batch = take();
      if (batch.length === 0) return;
      running += 1;
      void run(batch).finally(() => {
        running -= 1;
        schedule();
      });
    }
  }

  function schedule(): void {
    if (scheduled || queue.length === 0 || running >= atOnce) return;
    scheduled = true;
    setImmediate(start);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const keys = options.keys?.(item) ?? [];
      const inContext = AsyncLocalStorage.snapshot();
      queue.push({ item, keys, since: performance.now(), inContext, resolve, reject });
      schedule();
    });
}
