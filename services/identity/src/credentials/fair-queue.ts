import { busy } from '../errors.ts';

const MAX_WAITING = 50;

/** The client that a task belongs to. */
interface Client {
  account: string;
  network: string;
}

interface WaitingTask extends Client {
  start(): void;
  refuse(error: Error): void;
}

const longest = (lines: Map<string, WaitingTask[]>): WaitingTask[] =>
  [...lines.values()].reduce((most, line) => (line.length >= most.length ? line : most));

/**
 * Runs at most `atOnce` tasks at a time; by default at most fifty wait. Round robin over networks, and within a network
 * over accounts. When the queue is full, it refuses the last task of the network with the most waiting tasks: throws
 * unavailable, with Retry-After.
 */
export function createFairQueue(atOnce: number, maxWaiting = MAX_WAITING) {
  let running = 0;
  /** In the order in which tasks will start, unless others arrive. */
  let waiting: WaitingTask[] = [];

  /** Takes the first task and moves the other tasks of its network to the end, those of its account last. */
  function next(): WaitingTask | undefined {
    const [first, ...rest] = waiting;
    if (!first) return undefined;
    const rank = ({ network, account }: Client) => (network !== first.network ? 0 : account !== first.account ? 1 : 2);
    waiting = rest.toSorted((a, b) => rank(a) - rank(b));
    return first;
  }

  function refuseLast(): void {
    const ofNetwork = longest(Map.groupBy(waiting, ({ network }) => network));
    const refused = longest(Map.groupBy(ofNetwork, ({ account }) => account)).at(-1);
    waiting = waiting.filter((task) => task !== refused);
    refused?.refuse(busy(1));
  }

  const waitForSlot = (client: Client) =>
    new Promise<void>((start, refuse) => {
      waiting.push({ ...client, start, refuse });
      if (waiting.length > maxWaiting) refuseLast();
    });

  return async function run<T>(client: Client, work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await waitForSlot(client);
    else running += 1;
    try {
      return await work();
    } finally {
      const follower = next();
      if (follower) follower.start();
      else running -= 1;
    }
  };
}
