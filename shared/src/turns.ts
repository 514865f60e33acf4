/** Whose task it is, and what it takes. */
export interface Turn {
  account: string;
  /** Where the account is; accounts of one network share its part. */
  network?: string;
  /** What the task takes of the account's and the network's part, in any unit. */
  cost?: number;
  /** At most `heavyAtOnce` of these run at a time, so that others always find a place. */
  isHeavy?: boolean;
  /** For how long it may wait, when not as long as others. */
  waitMs?: number;
}

type Task = Required<Turn> & { start: () => void };

/** What each key has taken. A new key begins where the one with the least stands, so that waiting earns no advance. */
function createParts(active: () => string[]) {
  const taken = new Map<string, number>();
  const of = (key: string) => taken.get(key) ?? 0;
  const least = () => active().reduce((least, key) => Math.min(least, of(key)), Infinity);
  return {
    of,
    enter(key: string): void {
      const start = least();
      taken.set(key, Math.max(of(key), start === Infinity ? 0 : start));
    },
    take: (key: string, cost: number): void => void taken.set(key, of(key) + cost),
    /** Forgets the keys that have no task and would enter where they stand anyway. */
    tidy(): void {
      const [start, here] = [least(), new Set(active())];
      for (const [key, cost] of taken) if (!here.has(key) && cost <= start) taken.delete(key);
    },
  };
}

/**
 * Runs tasks in the name of accounts: of each account one at a time, `atOnce` of all. The network that has taken the least
 * is next, in it the account that has; a network gets a second place only while no other waits. A task that has waited
 * `waitMs` is refused.
 */
export function createTurns(options: { atOnce: number; heavyAtOnce?: number; waitMs: number; refusal: () => Error }) {
  const { atOnce, heavyAtOnce = atOnce, refusal } = options;
  const running = new Set<Task>();
  /** In the order of their arrival. */
  const waiting = new Set<Task>();
  const tasks = () => [...running, ...waiting];
  const accounts = createParts(() => tasks().map(({ account }) => account));
  const networks = createParts(() => tasks().map(({ network }) => network));

  const runs = (fits: (task: Task) => boolean) => [...running].filter(fits).length;
  const mayStart = (task: Task) =>
    runs(({ account }) => account === task.account) === 0 &&
    (!task.isHeavy || runs(({ isHeavy }) => isHeavy) < heavyAtOnce);
  const rank = ({ account, network }: Task) => [
    runs((task) => task.network === network),
    networks.of(network),
    accounts.of(account),
  ];

  function next(): Task | undefined {
    let best: { task: Task; rank: number[] } | undefined;
    for (const task of waiting) {
      if (!mayStart(task)) continue;
      const its = rank(task);
      const at = its.findIndex((part, index) => part !== best?.rank[index]);
      if (!best || (at !== -1 && its[at]! < best.rank[at]!)) best = { task, rank: its };
    }
    return best?.task;
  }

  function startNext(): void {
    const task = running.size < atOnce ? next() : undefined;
    if (!task) return;
    waiting.delete(task);
    running.add(task);
    task.start();
    startNext();
  }

  function begin(turn: Turn): Promise<Task> {
    const { promise, resolve, reject } = Promise.withResolvers<Task>();
    const { account, network = account, cost = 1, isHeavy = false, waitMs = options.waitMs } = turn;
    const start = () => {
      clearTimeout(timer);
      resolve(task);
    };
    const task: Task = { account, network, cost, isHeavy, waitMs, start };
    const timer = setTimeout(() => {
      waiting.delete(task);
      reject(refusal());
    }, waitMs);
    accounts.enter(account);
    networks.enter(network);
    waiting.add(task);
    startNext();
    return promise;
  }

  function end(task: Task): void {
    running.delete(task);
    accounts.take(task.account, task.cost);
    networks.take(task.network, task.cost);
    startNext();
    accounts.tidy();
    networks.tidy();
  }

  return async function inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const task = await begin(turn);
    return work().finally(() => end(task));
  };
}
