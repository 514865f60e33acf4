/** Runs loops, and knows when the last turn of each ended: a loop in which none ended for `overdueMs` hangs. */
export function createLoops(overdueMs: number, now = () => performance.now()) {
  const ended = new Map<string, number>();
  return {
    /** Takes turns until `isOver`. An error in a turn ends the loop. */
    async run(name: string, isOver: () => boolean, turn: () => Promise<void>): Promise<void> {
      try {
        for (ended.set(name, now()); !isOver(); ended.set(name, now())) await turn();
      } finally {
        ended.delete(name);
      }
    },
    isOverdue: () => [...ended.values()].some((at) => now() - at > overdueMs),
  };
}
