import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { PROCESSES, type ProcessName, type ServiceName } from '@tutoring/shared/contract/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { guard, type Exit } from '../../../deploy/local/guard.ts';
import { freePort } from '../../../deploy/local/servers.ts';
import { startBalancer, type Balancer } from '../../cluster/balancer.ts';
import { entryOf } from '../../cluster/entry.ts';
import { killChildren } from './processes.ts';

/** A line of a process's log. */
export type LogLine = { level?: number | string; msg?: string; err?: { message: string } } & Record<string, unknown>;

export interface ProductOptions {
  /** The checkout whose sources run. */
  root: string;
  replicasOfEach: number;
  environmentOf: (name: ProcessName, replica: string) => Record<string, string>;
  logs: string;
  onLine: (replica: string, line: LogLine) => void;
  /** Called when a replica that was serving has exited without being stopped. */
  onDeath: (replica: string, exit: Exit) => void;
}

export interface Replica {
  id: string;
  name: ProcessName;
  metricsUrl: string;
  isUp(): boolean;
  kill(): Promise<void>;
  start(): void;
  halt(): () => void;
  /** Kills the child processes of the replica. */
  killChildren(): void;
  /** Restarts the replica with SIGTERM, as a deployment does, with the sources of `root`. Returns the exit code. */
  replace(root?: string): Promise<number | null>;
}

const READY_MS = 240_000;
const RESTART_MS = 500;

function parsed(text: string): LogLine | undefined {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return undefined;
  }
}

/** Starts a process that is restarted whenever it exits by itself, as in Kubernetes. */
async function startReplica(
  options: ProductOptions,
  { name, id, balancer }: { name: ProcessName; id: string; balancer: Balancer },
) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const log: WriteStream = createWriteStream(join(options.logs, `${id}.jsonl`));
  let { root } = options;
  let child: ChildProcess | undefined;
  let exited: Promise<Exit> = Promise.resolve({ code: 0, signal: null });
  let wanted = false;
  let served = false;

  function launch(): void {
    served = false;
    const env = { ...options.environmentOf(name, id), PORT: String(port), METRICS_PORT: String(metricsPort) };
    const process_ = spawn(process.execPath, [entryOf(root, name)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = process_;
    for (const output of [process_.stdout, process_.stderr])
      createInterface({ input: output }).on('line', (text) => {
        log.write(`${text}\n`);
        options.onLine(id, parsed(text) ?? { level: 'raw', msg: text });
      });
    exited = guard(process_, 'service');
    balancer.add(port);
    void exited.then(async (exit) => {
      if (!wanted || child !== process_) return;
      // A process may fail to start without its servers, but a serving one must not exit.
      if (served) options.onDeath(id, exit);
      await pause(RESTART_MS);
      if (wanted && child === process_) launch();
    });
  }
  /** Does nothing when the replica runs already: another fault of it may have ended first. */
  function start(): void {
    if (wanted) return;
    wanted = true;
    launch();
  }
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    wanted = false;
    balancer.remove(port);
    child?.kill('SIGCONT');
    child?.kill(signal);
    return (await exited).code;
  }
  start();
  const replica: Replica = {
    id,
    name,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    isUp: () => {
      served ||= balancer.serves(port);
      return balancer.serves(port);
    },
    kill: async () => void (await end('SIGKILL')),
    start,
    halt: () => {
      const halted = child;
      halted?.kill('SIGSTOP');
      return () => void halted?.kill('SIGCONT');
    },
    killChildren: () => killChildren(child?.pid ?? -1),
    replace: async (next = root) => {
      root = next;
      const code = await end('SIGTERM');
      start();
      return code;
    },
  };
  return { replica, end, close: () => void log.end() };
}

/** Starts all replicas of the five processes, behind balancers. */
export async function startProduct(options: ProductOptions, balancers: Map<ProcessName, Balancer>) {
  const started: Awaited<ReturnType<typeof startReplica>>[] = [];
  for (const name of PROCESSES)
    for (let number = 0; number < options.replicasOfEach; number += 1)
      started.push(await startReplica(options, { name, id: `${name}-${number}`, balancer: balancers.get(name)! }));
  const replicas = started.map(({ replica }) => replica);
  const watch = setInterval(() => replicas.forEach((replica) => replica.isUp()), 200);
  return {
    replicas,
    allUp: () => eventually('every replica serves', () => replicas.every((replica) => replica.isUp()), READY_MS),
    stop: async () => {
      clearInterval(watch);
      for (const name of PROCESSES)
        await Promise.all(
          started
            .filter(({ replica }) => replica.name === name)
            .map(async ({ end, close }) => {
              await Promise.race([end('SIGTERM'), pause(30_000, undefined, { ref: false })]);
              await end('SIGKILL');
              close();
            }),
        );
    },
  };
}

export type Product = Awaited<ReturnType<typeof startProduct>>;
export const isService = (name: ProcessName): name is ServiceName => name !== 'gateway';
export const balancersOf = async () =>
  new Map(await Promise.all(PROCESSES.map(async (name) => [name, await startBalancer()] as const)));
