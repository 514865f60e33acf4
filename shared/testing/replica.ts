import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { signedClient } from './client.ts';
import { startDatabaseProxy, type CrashPoint } from './database-proxy.ts';
import type { TestService } from './service.ts';
import { eventually } from './wait.ts';

/** Several replicas may start on a few slow cores at once. */
const STARTS_MS = 240_000;

/** Starts another replica of the service on the test's database, in a separate process as in production. */
export async function startReplica(service: TestService, main: URL, databaseUrl = service.config.DATABASE_URL) {
  const child = spawn(process.execPath, [fileURLToPath(main)], {
    // The replica stops when its IPC channel closes because the process of the test has ended.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...service.environment, LOG_LEVEL: 'info', DATABASE_URL: databaseUrl },
  });
  const exited = once(child, 'exit');
  let port: number | undefined;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    // The last line of a killed process may be incomplete.
    if (port !== undefined) return;
    const entry = JSON.parse(line) as { msg: string; port?: number };
    if (entry.msg === 'listening') port = entry.port;
  });
  const isListening = () => {
    if (child.exitCode !== null) throw new Error(`the replica exited with ${child.exitCode}`);
    return port;
  };
  const url = `http://127.0.0.1:${await eventually('the replica listens', isListening, STARTS_MS)}`;
  return {
    ...{ url, exited, api: signedClient(url, service.signer) },
    kill: () => void child.kill('SIGKILL'),
    /** Tells the replica to stop, as a deployment does. */
    terminate: () => void child.kill('SIGTERM'),
  };
}

/**
 * Routes the service's requests to a replica that a test can kill at a chosen message to the database; then a replica
 * that was started in advance takes over. A process can only be observed by its messages, so a kill before or after a
 * message stands for a kill at any line in between. The replica in the test's own process only runs the jobs.
 */
export async function startCrashingReplicas(service: TestService, main: URL) {
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
  let current = await next;

  function takeOver(replica: Mortal): void {
    current = replica;
    service.ask(replica.url);
    next = start();
    // Whoever awaits it gets the error.
    next.catch(() => undefined);
  }
  takeOver(current);

  async function remove({ kill, exited, proxy }: Mortal): Promise<void> {
    kill();
    await exited;
    // A backend may still execute the last message that it received.
    await eventually('its backends are gone', () => proxy.connections === 0);
    await proxy.stop();
  }

  return {
    /** Whether the next replica has started. */
    isReady: () => isReady,
    /** Kills the current replica at the given message, or after `requests` if it does not get there. */
    async die<Answers>(death: CrashPoint, requests: () => Promise<Answers>): Promise<Answers> {
      current.proxy.killAt(death, current.kill);
      const answers = await requests();
      await remove(current);
      takeOver(await next);
      return answers;
    },
    async stop(): Promise<void> {
      service.ask(undefined);
      await Promise.all([remove(current), next.then(remove)]);
    },
  };
}

export type CrashingReplicas = Awaited<ReturnType<typeof startCrashingReplicas>>;
