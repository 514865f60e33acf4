import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { guard, type Exit } from '../../../deploy/local/guard.ts';
import { freePort, startNats, startPostgres, type Server } from '../../../deploy/local/servers.ts';
import { halt, kill } from './processes.ts';

/**
 * A server that can be killed and restarted at the same address with its data. It is restarted if it exits by itself.
 */
export interface Faulty {
  port: number;
  url(): string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Pauses its processes until the returned function is called. */
  halt(): Promise<() => void>;
  stop(): Promise<void>;
}

const STARTS_MS = 60_000;

/** Retries `work` for a minute: remains of a killed server may block it at first. */
export async function retry<T>(what: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + STARTS_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw new Error(`${what} does not succeed`, { cause: error });
      await pause(200);
    }
  }
}

async function startFaulty(what: string, pidFile: string, run: (port?: number) => Promise<Server>): Promise<Faulty> {
  let server: Server;
  let isWanted = true;
  let restarting = Promise.resolve();
  const launch = async (fixedPort?: number) => {
    const { exited } = (server = await run(fixedPort));
    isWanted = true;
    void exited.then(() => {
      // If the restart fails, the clients of the server will report it.
      if (isWanted) restarting = start().catch(() => undefined);
    });
  };
  await launch();
  const { port } = server!;
  const start = () => retry(`the start of ${what}`, () => launch(port));
  const pid = () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  let resume = (): void => undefined;
  const end = async (how: () => Promise<void> | void) => {
    resume();
    await restarting;
    isWanted = false;
    await how();
    await server.exited;
  };
  return {
    port,
    url: () => server.url,
    kill: () => end(() => kill(pid())),
    start,
    halt: async () => {
      // While it restarts by itself, it may have no pid file.
      await restarting;
      return (resume = halt(pid()));
    },
    stop: () => end(() => server.stop()),
  };
}

/** PostgreSQL; it flushes before it confirms a commit, unless `durable` is false. */
export const startDatabase = (folder: string, durable: boolean) =>
  startFaulty('PostgreSQL', join(folder, 'data/postmaster.pid'), (port) =>
    startPostgres({ dataDir: folder, port, durable, log: () => undefined }),
  );

/** NATS with the product's users. */
export const startBroker = (folder: string, passwords: Record<string, string>) =>
  startFaulty('NATS', join(folder, 'nats.pid'), (port) =>
    startNats({ dataDir: folder, port, passwords, log: () => undefined }),
  );

/** Redis without persistence; undefined where redis-server is not installed. */
export async function startRedis(): Promise<Faulty | undefined> {
  const port = await freePort();
  let child: ChildProcess;
  let exited: Promise<Exit>;
  const run = () => {
    child = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
    exited = guard(child, 'server');
    return new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  };
  const kill = async () => {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await exited;
  };
  const isThere = await run().then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  return {
    port,
    url: () => `redis://127.0.0.1:${port}`,
    kill,
    start: run,
    halt: () => {
      child.kill('SIGSTOP');
      return Promise.resolve(() => void child.kill('SIGCONT'));
    },
    stop: kill,
  };
}
