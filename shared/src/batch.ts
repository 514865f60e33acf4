export interface BatchOptions<Item, Result> {
  /**
   * Does all of them together and answers in their order; undefined for what it cannot do without waiting for somebody.
   * Rejects when none was done.
   */
  many(items: Item[]): Promise<(Result | undefined)[]>;
  /** Does one item, however long it takes: what a batch left out, or failed with. */
  one(item: Item): Promise<Result>;
  /** Whether the items of a batch that failed with this error are to be done one by one; otherwise all of them fail. */
  isWorthSplitting?(error: unknown): boolean;
  /** Two items that share a key are never under way at the same time. */
  keys?(item: Item): readonly unknown[];
  /** Largest batch. */
  size: number;
  /** Batches under way at the same time. */
  atOnce: number;
}

/** What waits is shared among the batches that may start, down to this many. */
const SMALL = 8;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Gathers items that arrive while earlier ones are under way and does them together, so that they share round trips and
 * commits. There is no timer: when nothing is under way an item goes at once. One that cannot be done never hurts its
 * neighbours.
 */
export function createBatch<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { many, one, size, atOnce, keys = () => [], isWorthSplitting = () => true } = options;
  let queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;
  const busy = new Set<unknown>();

  /** The oldest items that may go now; marks their keys as busy. */
  function take(): Waiting<Item, Result>[] {
    const share = Math.min(size, Math.max(SMALL, Math.ceil(queue.length / (atOnce - running))));
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const waiting of queue) {
      const own = keys(waiting.item);
      if (batch.length >= share || own.some((key) => busy.has(key))) rest.push(waiting);
      else {
        for (const key of own) busy.add(key);
        batch.push(waiting);
      }
    }
    queue = rest;
    return batch;
  }

  const alone = ({ item, resolve, reject }: Waiting<Item, Result>) => one(item).then(resolve, reject);

  async function run(batch: Waiting<Item, Result>[]): Promise<void> {
    const [done] = await Promise.allSettled([many(batch.map(({ item }) => item))]);
    for (const [index, waiting] of batch.entries()) {
      const result = done.status === 'fulfilled' ? done.value[index] : undefined;
      if (result !== undefined) waiting.resolve(result);
      else if (done.status === 'fulfilled' || isWorthSplitting(done.reason)) void alone(waiting);
      else waiting.reject(done.reason);
    }
  }

  function start(): void {
    scheduled = false;
    while (running < atOnce && queue.length > 0) {
      const batch = take();
      if (batch.length === 0) return;
      running += 1;
      void run(batch).finally(() => {
        for (const { item } of batch) for (const key of keys(item)) busy.delete(key);
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
      queue.push({ item, resolve, reject });
      schedule();
    });
}
