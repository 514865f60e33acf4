import { busy } from '../errors.ts';

const ROOM = 50;

/** On whose behalf work is done. */
export interface Client {
  account: string;
  network: string;
}

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

const sizeOf = (accounts: Map<string, Waiting[]>) =>
  [...accounts.values()].reduce((sum, { length }) => sum + length, 0);

function largest<Value>(map: Map<string, Value>, size: (value: Value) => number): [string, Value] {
  return [...map].reduce((most, entry) => (size(entry[1]) >= size(most[1]) ? entry : most));
}

/**
 * Runs at most `atOnce` tasks at a time and lets at most fifty wait. Networks take turns, and so do the accounts of a
 * network. When the queue is full, the last task of the network with the most waiting tasks is refused: unavailable,
 * with Retry-After.
 */
export function createFairQueue(atOnce: number, room = ROOM) {
  let running = 0;
  let size = 0;
  const networks = new Map<string, Map<string, Waiting[]>>();

  function enter({ account, network }: Client, waiting: Waiting): void {
    const accounts = networks.get(network) ?? new Map<string, Waiting[]>();
    networks.set(network, accounts);
    accounts.set(account, [...(accounts.get(account) ?? []), waiting]);
    size += 1;
  }

  /** Puts the rest of an account's tasks, and its network, at the end of the line. */
  function leave(network: string, accounts: Map<string, Waiting[]>, account: string, left: Waiting[]): void {
    size -= 1;
    accounts.delete(account);
    if (left.length > 0) accounts.set(account, left);
    networks.delete(network);
    if (accounts.size > 0) networks.set(network, accounts);
  }

  function next(): Waiting | undefined {
    const [found] = networks;
    if (!found) return undefined;
    const [network, accounts] = found;
    const [[account, line]] = accounts as unknown as [[string, Waiting[]]];
    leave(network, accounts, account, line.slice(1));
    return line[0];
  }

  function refuseOne(): void {
    const [network, accounts] = largest(networks, sizeOf);
    const [account, line] = largest(accounts, ({ length }) => length);
    line.pop()?.refuse(busy(1));
    size -= 1;
    if (line.length === 0) accounts.delete(account);
    if (accounts.size === 0) networks.delete(network);
  }

  const turn = (client: Client) =>
    new Promise<void>((start, refuse) => {
      enter(client, { start, refuse });
      if (size > room) refuseOne();
    });

  return async function run<T>(client: Client, work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await turn(client);
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
