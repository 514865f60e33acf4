import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PROBE_MS = 500;

/**
 * Works like a Kubernetes Service: one address whose new connections go in next to the replicas that are ready.
 * Existing connections stay with their replica.
 */
export interface Balancer {
  url: string;
  add(port: number): void;
  /** Whether new connections go to this port. */
  serves(port: number): boolean;
  /** Sends no new connections to this port, as for a pod that is being deleted. */
  remove(port: number): void;
  stop(): Promise<void>;
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

export async function startBalancer(): Promise<Balancer> {
  const replicas = new Map<number, { isReady: boolean }>();
  let next = 0;

  const server = createServer({ noDelay: true }, (client) => {
    const ready = [...replicas.keys()].filter(serves);
    const port = ready[(next += 1) % ready.length];
    if (port === undefined) {
      client.destroy();
      return;
    }
    const replica = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const [from, to] of [
      [client, replica],
      [replica, client],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const serves = (port: number) => replicas.get(port)?.isReady === true;
  /** Probes one replica. A slow replica does not delay the probes of the others. */
  async function probe(port: number, replica: { isReady: boolean }): Promise<void> {
    while (replicas.get(port) === replica) {
      replica.isReady = await isReady(port);
      await pause(PROBE_MS, undefined, { ref: false });
    }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (port) => {
      const replica = { isReady: false };
      replicas.set(port, replica);
      void probe(port, replica);
    },
    serves,
    remove: (port) => void replicas.delete(port),
    stop: async () => {
      replicas.clear();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
