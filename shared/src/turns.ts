/**
 * Runs tasks in the name of accounts: of each account one at a time, in their order; `atOnce` of all. After its task an
 * account goes to the end of the line. A task that has waited `waitMs` is refused.
 */
export function createTurns({ atOnce, waitMs, refusal }: { atOnce: number; waitMs: number; refusal: () => Error }) {
  const running = new Set<string>();
  /** What waits, by account. */
  const lines = new Map<string, Set<() => void>>();

  function startNext(): void {
    const next = [...lines].find(([account]) => !running.has(account));
    if (!next || running.size >= atOnce) return;
    const [account, [start]] = next;
    running.add(account);
    start?.();
  }

  function turn(account: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const line = lines.get(account) ?? new Set();
    const leave = () => {
      clearTimeout(timer);
      line.delete(start);
      if (line.size === 0) lines.delete(account);
    };
    const start = () => {
      leave();
      resolve();
    };
    const timer = setTimeout(() => {
      leave();
      reject(refusal());
    }, waitMs);
    lines.set(account, line.add(start));
    startNext();
    return promise;
  }

  function end(account: string): void {
    running.delete(account);
    const line = lines.get(account);
    lines.delete(account);
    if (line) lines.set(account, line);
    startNext();
  }

  return async function inTurn<T>(account: string, work: () => Promise<T>): Promise<T> {
    await turn(account);
    return work().finally(() => end(account));
  };
}
