/**
 * A pool of workers for a job that claims items from the database. A slow item occupies one worker only: the next run
 * of the job claims items for the idle workers.
 */
export function createWorkerPool(size: number) {
  const working = new Set<Promise<void>>();
  const failures: Error[] = [];

  function start(work: Promise<unknown>): void {
    const done: Promise<void> = work.then(
      () => void working.delete(done),
      (error: unknown) => {
        working.delete(done);
        failures.push(error as Error);
      },
    );
    working.add(done);
  }

  return {
    /**
     * Claims items for the idle workers and starts to work on them; waits first while all workers are busy. Returns
     * whether more items may be left. Throws the first error of earlier work since the last call.
     */
    async fill<Item>(
      claim: (limit: number) => Promise<Item[]>,
      work: (item: Item) => Promise<unknown>,
    ): Promise<boolean> {
      if (working.size >= size) await Promise.race(working);
      const idle = size - working.size;
      const items = await claim(idle);
      for (const item of items) start(work(item));
      const [failure] = failures.splice(0);
      if (failure !== undefined) throw failure;
      return items.length === idle;
    },

    /** Resolves when all started work has ended. */
    whenIdle: () => Promise.all(working),
  };
}
