import { AsyncLocalStorage } from 'node:async_hooks';
import { bulkhead } from 'cockatiel';
import { BATCH_LIMIT_MS, BATCH_PATIENCE_MS, within } from './process/deadlines.ts';
import { AppError } from './errors.ts';
import { texts } from './language/texts.ts';

interface BatchOptions<Item, Result> {
  /**
   * Does all items together and returns their results in the same order; undefined for an item that would have to wait
   * for a lock. Rejects when none was done. Runs outside of any request.
   */
  many(items: Item[]): Promise<(Result | undefined)[]>;
  /** Does one item, in the context of its request, after a batch skipped it or failed; without it the item fails. */
  one?(item: Item): Promise<Result>;
  /** Whether the items of a batch that failed with this error are done one by one; otherwise all of them fail. */
  isWorthSplitting?(error: unknown): boolean;
  /** Two items with the same key are never in flight at the same time. */
  keys?(item: Item): readonly unknown[];
  /** Largest batch. */
  size: number;
  /** Batches in flight at the same time. */
  atOnce: number;
  /** Milliseconds. An item that waited longer is refused: its client has given up. */
  patienceMs?: number;
  /** Milliseconds. Work that takes longer is given up, so that a silent connection cannot stop all others. */
  limitMs?: number;
}

/** Waiting items are shared among the batches that may start; no share is smaller than this. */
const SMALL = 8;
/** Items done one by one at the same time: they may wait for locks, and connections are few. */
const ALONE_AT_ONCE = 3;

interface Waiting<Item, Result> {
  item: Item;
  keys: readonly unknown[];
  since: number;
  inItsContext<T>(work: () => T): T;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Made outside of any request; the item's caller gets one in their language. */
class Busy extends AppError {
  constructor() {
    super('unavailable', texts.busy, { retryAfter: 1 });
  }
}

/**
 * Gathers items that arrive while earlier ones are in flight and does them together, so that they share round trips and
 * commits. There is no timer: when nothing is in flight an item starts at once. A failing item never harms the others.
 * Rejects as unavailable an item that waited or took too long.
 */
export function createBatch<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { many, one, size, atOnce, isWorthSplitting = () => true } = options;
  const { patienceMs = BATCH_PATIENCE_MS, limitMs = BATCH_LIMIT_MS } = options;
  const outside = AsyncLocalStorage.snapshot();
  let queue: Waiting<Item, Result>[] = [];
  const alone = bulkhead(ALONE_AT_ONCE, Infinity);
  let running = 0;
  let scheduled = false;
  const underWay = new Set<unknown>();

  function release({ keys }: Waiting<Item, Result>): void {
    for (const key of keys) underWay.delete(key);
    schedule();
  }

  function succeed(waiting: Waiting<Item, Result>, result: Result): void {
    waiting.resolve(result);
    release(waiting);
  }

  function refuse(waiting: Waiting<Item, Result>, error: unknown): void {
    waiting.reject(error instanceof Busy ? waiting.inItsContext(() => new Busy()) : error);
  }

  function fail(waiting: Waiting<Item, Result>, error: unknown): void {
    refuse(waiting, error);
    release(waiting);
  }

  const isLate = ({ since }: Waiting<Item, Result>) => performance.now() - since > patienceMs;

  /** The oldest items that may start now; marks their keys as in flight. */
  function take(): Waiting<Item, Result>[] {
    const share = Math.min(size, Math.max(SMALL, Math.ceil(queue.length / (atOnce - running))));
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const waiting of queue) {
      if (isLate(waiting)) refuse(waiting, new Busy());
      else if (batch.length >= share || waiting.keys.some((key) => underWay.has(key))) rest.push(waiting);
      else {
        for (const key of waiting.keys) underWay.add(key);
        batch.push(waiting);
      }
    }
    queue = rest;
    return batch;
  }

  /** When its turn comes: an item that has waited too long by then is refused. */
  async function doAlone(waiting: Waiting<Item, Result>, doOne: typeof one & {}): Promise<void> {
    const work = () => {
      if (isLate(waiting)) throw new Busy();
      const done = waiting.inItsContext(() => doOne(waiting.item));
      return within(limitMs, done, () => new Busy());
    };
    await alone.execute(work).then(
      (result) => succeed(waiting, result),
      (error: unknown) => fail(waiting, error),
    );
  }

  async function run(batch: Waiting<Item, Result>[]): Promise<void> {
    const work = outside(() => many(batch.map(({ item }) => item)));
    const [done] = await Promise.allSettled([within(limitMs, work, () => new Busy())]);
    for (const [index, waiting] of batch.entries()) {
      const result = done.status === 'fulfilled' ? done.value[index] : undefined;
      if (result !== undefined) succeed(waiting, result);
      else if (one && (done.status === 'fulfilled' || isWorthSplitting(done.reason))) void doAlone(waiting, one);
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
      const inItsContext = AsyncLocalStorage.snapshot();
      queue.push({ item, keys, since: performance.now(), inItsContext, resolve, reject });
      schedule();
    });
}
