interface Turns {
  /** How many tasks run at a time. */
  atOnce: number;
  /** How long a task may wait. */
  waitMs: number;
  /** Thrown when it has waited that long. */
  refusal: () => Error;
}

/**
 * Runs tasks in the name of accounts: of each account one at a time, in their order. After its task an account goes to
 * the end of the line.
 */
export function createTurns({ atOnce, waitMs, refusal }: Turns) {
  const running = new Set<string>();
  const waiting = new Map<string, Set<() => void>>();

  function startNext(): void {
    const next = [...waiting].find(([account]) => !running.has(account));
    if (!next || running.size >= atOnce) return;
    const [account, line] = next;
    running.add(account);
    const [start] = line;
    start?.();
  }

  function leave(account: string, start: () => void): void {
    const line = waiting.get(account);
    line?.delete(start);
    if (line?.size === 0) waiting.delete(account);
  }

  const turn = (account: string) =>
    new Promise<void>((resolve, reject) => {
      const line = waiting.get(account) ?? new Set();
      const timer = setTimeout(() => {
        leave(account, start);
        reject(refusal());
      }, waitMs);
      const start = () => {
        clearTimeout(timer);
        leave(account, start);
        resolve();
      };
      waiting.set(account, line.add(start));
      startNext();
    });

  function end(account: string): void {
    running.delete(account);
    const line = waiting.get(account);
    waiting.delete(account);
    if (line) waiting.set(account, line);
    startNext();
  }

  return async function inTurn<T>(account: string, work: () => Promise<T>): Promise<T> {
    await turn(account);
    return work().finally(() => end(account));
  };
}
