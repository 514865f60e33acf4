/** The owner and cost of a queued task. */
export interface TaskOptions {
  account: string;
  /** Client network of the account; its accounts share the network's capacity. Default: the account itself. */
  network?: string;
  /** Cost that is charged to the account and the network, in any unit; 1 by default. */
  cost?: number;
  /** At most `heavyAtOnce` heavy tasks run at a time, so that the other slots are free for light tasks. */
  isHeavy?: boolean;
  /** Longest wait of this task, instead of the queue's `waitMs`. */
  waitMs?: number;
}

type Task = Required<TaskOptions> & { start: () => void };

/** Total cost by key. A new key starts at the smallest active total, so that an idle key gains no advantage. */
function createUsage(active: () => string[]) {
  const totals = new Map<string, number>();
  const of = (key: string) => totals.get(key) ?? 0;
  const least = () => active().reduce((least, key) => Math.min(least, of(key)), Infinity);
  return {
    of,
    add(key: string): void {
      const start = least();
      totals.set(key, Math.max(of(key), start === Infinity ? 0 : start));
    },
    charge: (key: string, cost: number): void => void totals.set(key, of(key) + cost),
    /** Deletes inactive keys whose total would be raised anyway when they are added again. */
    prune(): void {
      const [start, present] = [least(), new Set(active())];
      for (const [key, cost] of totals) if (!present.has(key) && cost <= start) totals.delete(key);
    },
  };
}

/**
 * A fair queue. At most `atOnce` tasks run at a time, and one per account. The next task is of the network with the
 * fewest running tasks, then of the network, and the account in it, with the smallest total cost. A task that has
 * waited for `waitMs` is rejected with `refusal`.
 */
export function createTaskQueue(queue: { atOnce: number; heavyAtOnce?: number; waitMs: number; refusal: () => Error }) {
  const { atOnce, heavyAtOnce = atOnce, refusal } = queue;
  const running = new Set<Task>();
  /** In order of arrival. */
  const waiting = new Set<Task>();
  const tasks = () => [...running, ...waiting];
  const accounts = createUsage(() => tasks().map(({ account }) => account));
  const networks = createUsage(() => tasks().map(({ network }) => network));

  const countRunning = (matches: (task: Task) => boolean) => [...running].filter(matches).length;
  const mayStart = (task: Task) =>
    countRunning(({ account }) => account === task.account) === 0 &&
    (!task.isHeavy || countRunning(({ isHeavy }) => isHeavy) < heavyAtOnce);
  const rank = ({ account, network }: Task) => [
    countRunning((task) => task.network === network),
    networks.of(network),
    accounts.of(account),
  ];

  function next(): Task | undefined {
    let best: { task: Task; rank: number[] } | undefined;
    for (const task of waiting) {
      if (!mayStart(task)) continue;
      const own = rank(task);
      const at = own.findIndex((part, index) => part !== best?.rank[index]);
      if (!best || (at !== -1 && own[at]! < best.rank[at]!)) best = { task, rank: own };
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

  function begin(options: TaskOptions): Promise<Task> {
    const { promise, resolve, reject } = Promise.withResolvers<Task>();
    const { account, network = account, cost = 1, isHeavy = false, waitMs = queue.waitMs } = options;
    const start = () => {
      clearTimeout(timer);
      resolve(task);
    };
    const task: Task = { account, network, cost, isHeavy, waitMs, start };
    const timer = setTimeout(() => {
      waiting.delete(task);
      reject(refusal());
    }, waitMs);
    accounts.add(account);
    networks.add(network);
    waiting.add(task);
    startNext();
    return promise;
  }

  function end(task: Task): void {
    running.delete(task);
    accounts.charge(task.account, task.cost);
    networks.charge(task.network, task.cost);
    startNext();
    accounts.prune();
    networks.prune();
  }

  return async function enqueue<T>(options: TaskOptions, work: () => Promise<T>): Promise<T> {
    const task = await begin(options);
    return work().finally(() => end(task));
  };
}
