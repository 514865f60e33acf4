import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { guard, type Exit } from '../../../deploy/local/guard.ts';
import { freePort, startNats, startPostgres, type Server } from '../../../deploy/local/servers.ts';

/** A server that can be taken away and given back at the same address with its data. */
export interface Faulty {
  port: number;
  url(): string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Starts it when it has ended by itself. */
  revive(): Promise<void>;
  /** Its processes stand still; the result lets them go on. */
  halt(): () => void;
  stop(): Promise<void>;
}

const STARTS_MS = 60_000;

/** Again until it works: what a killed server leaves behind needs a moment to go. */
export async function insistently<T>(what: string, work: () => Promise<T>): Promise<T> {
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

/** Sends a signal to a process; nothing when it has gone. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process and what it has started: each backend of PostgreSQL leads a group of its own. */
export function family(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) return [];
  return [pid, ...readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number)];
}

async function faulty(what: string, pidFile: string, run: (port?: number) => Promise<Server>): Promise<Faulty> {
  let server: Server;
  let isGone = false;
  const launch = async (wished?: number) => {
    server = await run(wished);
    isGone = false;
    void server.exited.then(() => (isGone = true));
    return server;
  };
  const { port } = await launch();
  const start = () => insistently(`the start of ${what}`, () => launch(port));
  const pid = () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  let halted: number[] = [];
  const goOn = () => halted.splice(0).forEach((member) => signal(member, 'SIGCONT'));
  return {
    port,
    url: () => server.url,
    kill: async () => {
      goOn();
      family(pid()).forEach((member) => signal(member, 'SIGKILL'));
      await server.exited;
    },
    start: async () => void (await start()),
    revive: async () => {
      if (isGone) await start();
    },
    halt: () => {
      // First itself: it must not start others meanwhile.
      signal(pid(), 'SIGSTOP');
      halted = family(pid());
      halted.forEach((member) => signal(member, 'SIGSTOP'));
      return goOn;
    },
    stop: async () => {
      goOn();
      await server.stop();
    },
  };
}

/** PostgreSQL that writes to the disk before it confirms, unless `durable` is false. */
export const startDatabase = (folder: string, durable: boolean) =>
  faulty('PostgreSQL', join(folder, 'data/postmaster.pid'), (port) =>
    startPostgres({ dataDir: folder, port, durable, log: () => undefined }),
  );

/** NATS with the product's users. */
export const startBroker = (folder: string, passwords: Record<string, string>) =>
  faulty('NATS', join(folder, 'nats.pid'), (port) =>
    startNats({ dataDir: folder, port, passwords, log: () => undefined }),
  );

/** Redis without a disk; undefined when this machine has none. */
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
    revive: async () => undefined,
    halt: () => {
      child.kill('SIGSTOP');
      return () => void child.kill('SIGCONT');
    },
    stop: kill,
  };
}
