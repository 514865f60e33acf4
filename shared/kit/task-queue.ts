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

type Task = Required<TaskOptions> & { start: () => void; reject: () => void };

/** Most keys with a total: without this limit their number would grow while new clients keep a queue busy. */
const MAX_KEYS = 1_000;

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
    /** Deletes inactive keys whose total would be raised anyway when they are added again; all of them if too many. */
    prune(): void {
      const [start, present] = [totals.size > MAX_KEYS ? Infinity : least(), new Set(active())];
      for (const [key, cost] of totals) if (!present.has(key) && cost <= start) totals.delete(key);
    },
  };
}

interface TaskQueueOptions {
  atOnce: number;
  heavyAtOnce?: number;
  /** Most tasks of one account that run at a time. */
  perAccount?: number;
  /** A task that has waited longer is rejected. */
  waitMs?: number;
  /** When more tasks wait, the last one of the network, and the account in it, with the most waiting ones is rejected. */
  maxWaiting?: number;
  /** The error of a rejected task. */
  refusal: () => Error;
}

const longest = (lines: Map<string, Task[]>): Task[] =>
  [...lines.values()].reduce((most, line) => (line.length >= most.length ? line : most), []);

/**
 * A fair queue. At most `atOnce` tasks run at a time. The next task is of the network with the fewest running tasks,
 * then of the network, and the account in it, with the smallest total cost.
 */
export function createTaskQueue(queue: TaskQueueOptions) {
  const { atOnce, heavyAtOnce = atOnce, perAccount = 1, maxWaiting = Infinity, refusal } = queue;
  const running = new Set<Task>();
  /** In order of arrival. */
  const waiting = new Set<Task>();
  const tasks = () => [...running, ...waiting];
  const accounts = createUsage(() => tasks().map(({ account }) => account));
  const networks = createUsage(() => tasks().map(({ network }) => network));

  const countRunning = (matches: (task: Task) => boolean) => [...running].filter(matches).length;
  const mayStart = (task: Task) =>
    countRunning(({ account }) => account === task.account) < perAccount &&
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
    task.start();
    startNext();
  }

  function rejectLast(): void {
    const ofNetwork = longest(Map.groupBy(waiting, ({ network }) => network));
    longest(Map.groupBy(ofNetwork, ({ account }) => account))
      .at(-1)
      ?.reject();
  }

  function begin(options: TaskOptions): Promise<Task> {
    const { promise, resolve, reject } = Promise.withResolvers<Task>();
    const { account, network = account, cost = 1, isHeavy = false, waitMs = queue.waitMs ?? Infinity } = options;
    const stopWaiting = () => {
      clearTimeout(timer);
      waiting.delete(task);
    };
    const task: Task = {
      ...{ account, network, cost, isHeavy, waitMs },
      start: () => {
        stopWaiting();
        running.add(task);
        resolve(task);
      },
      reject: () => {
        stopWaiting();
        reject(refusal());
      },
    };
    const timer = waitMs === Infinity ? undefined : setTimeout(task.reject, waitMs);
    accounts.add(account);
    networks.add(network);
    waiting.add(task);
    startNext();
    if (waiting.size > maxWaiting) rejectLast();
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

export type TaskQueue = ReturnType<typeof createTaskQueue>;
