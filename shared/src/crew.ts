/**
 * Places in which a job does claimed work side by side. Slow work keeps its own place and holds up no other: the job
 * claims again as soon as it runs, for the places that are free.
 */
export function createCrew(places: number) {
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
     * Claims at most as many items as places are free and begins to work on them; waits first when no place is free.
     * Returns whether more items may be left. Throws one of the errors with which earlier work has failed since.
     */
    async fill<Item>(
      claim: (limit: number) => Promise<Item[]>,
      work: (item: Item) => Promise<unknown>,
    ): Promise<boolean> {
      if (working.size >= places) await Promise.race(working);
      const free = places - working.size;
      const items = await claim(free);
      for (const item of items) start(work(item));
      const [failure] = failures.splice(0);
      if (failure !== undefined) throw failure;
      return items.length === free;
    },

    /** Resolves when all work that was begun is over. */
    rest: () => Promise.all(working),
  };
}
