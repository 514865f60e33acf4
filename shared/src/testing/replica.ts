import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { signedClient } from './client.ts';
import { startDatabaseProxy, type Death } from './database-proxy.ts';
import type { TestService } from './service.ts';
import { eventually } from './wait.ts';

/** Several replicas may start on a few slow cores at once. */
const STARTS_MS = 240_000;

/** Starts the service as a process of its own, as production does: one more replica on the test's database. */
export async function startReplica(service: TestService, main: URL, databaseUrl = service.config.DATABASE_URL) {
  const child = spawn(process.execPath, [fileURLToPath(main)], {
    // By the channel it notices when the test's process is gone, and stops.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...service.environment, LOG_LEVEL: 'info', DATABASE_URL: databaseUrl },
  });
  const exited = once(child, 'exit');
  let port: number | undefined;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const entry = JSON.parse(line) as { msg: string; port?: number };
    if (entry.msg === 'listening') port = entry.port;
  });
  const isListening = () => {
    if (child.exitCode !== null) throw new Error(`the replica exited with ${child.exitCode}`);
    return port;
  };
  const url = `http://127.0.0.1:${await eventually('the replica listens', isListening, STARTS_MS)}`;
  return { url, api: signedClient(url, service.signer), kill: () => void child.kill('SIGKILL'), exited };
}

/**
 * Has the service's requests answered by a replica that dies when a test says so; another one has started meanwhile and
 * goes on. All that anybody can see of a process is what it sends: to be killed before or after one of its messages is to
 * be killed at any line between that one and the next. The replica in the test's own process only does the jobs.
 */
export async function startMortals(service: TestService, main: URL) {
  const { DATABASE_URL: database } = service.config;
  let isReady = false;
  async function start() {
    isReady = false;
    const proxy = await startDatabaseProxy(database);
    const replica = await startReplica(service, main, proxy.through(database));
    isReady = true;
    return { ...replica, proxy };
  }
  type Mortal = Awaited<ReturnType<typeof start>>;
  let next = start();
  let present = await next;

  function succeed(mortal: Mortal): void {
    present = mortal;
    service.ask(mortal.url);
    next = start();
    // Who waits for it hears of it.
    next.catch(() => undefined);
  }
  succeed(present);

  async function bury({ kill, exited, proxy }: Mortal): Promise<void> {
    kill();
    await exited;
    // A backend may still execute what it received last.
    await eventually('its backends are gone', () => proxy.connections === 0);
    await proxy.stop();
  }

  return {
    /** Whether the next one has started. */
    isReady: () => isReady,
    /** The present one dies while `requests` are in flight, or after them if it has no more to do. */
    async die<Answers>(death: Death, requests: () => Promise<Answers>): Promise<Answers> {
      present.proxy.killAt(death, present.kill);
      const answers = await requests();
      await bury(present);
      succeed(await next);
      return answers;
    },
    async stop(): Promise<void> {
      service.ask(undefined);
      await Promise.all([bury(present), next.then(bury)]);
    },
  };
}

export type Mortals = Awaited<ReturnType<typeof startMortals>>;
