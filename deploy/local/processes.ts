import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, guard, type Exit } from './guard.ts';
import { render, type LogOptions } from './log.ts';

export type ProcessSpec = {
  name: string;
  /** Path of the main module. */
  entry: string;
  /** The complete environment. */
  env: Record<string, string>;
  /** Base URL of its HTTP server. */
  url: string;
};

export type RunningProcess = {
  name: string;
  url: string;
  exited: Promise<Exit>;
  lastLines: () => string[];
  /** Sends SIGTERM, and SIGKILL after 30 s. */
  stop: () => Promise<void>;
};

const KEPT_LINES = 25;

function followLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}

function launch(spec: ProcessSpec): ChildProcess {
  return spawn(process.execPath, [spec.entry], {
    env: spec.env,
    // Own process group: Ctrl-C reaches only the launcher, which stops everything in order.
    detached: true,
    // The IPC channel closes when the launcher exits; the process then exits, too.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

export function startProcess(spec: ProcessSpec, log: LogOptions): RunningProcess {
  const child = launch(spec);
  const exited = guard(child, 'service');
  const last: string[] = [];
  const onLine = (raw: string) => {
    const rendered = render(spec.name, raw, { level: 'trace', colour: log.colour });
    if (rendered !== undefined) last.push(rendered);
    if (last.length > KEPT_LINES) last.shift();
    const shown = render(spec.name, raw, log);
    if (shown !== undefined) console.log(shown);
  };
  if (child.stdout) followLines(child.stdout, onLine);
  if (child.stderr) followLines(child.stderr, onLine);
  const stop = () =>
    end(child, exited, [
      ['SIGTERM', 30_000],
      ['SIGKILL', 5_000],
    ]);
  return { name: spec.name, url: spec.url, exited, lastLines: () => last, stop };
}

/** Does not use `fetch`, which would use a proxy of the environment (NODE_USE_ENV_PROXY). */
async function isReady(url: string): Promise<boolean> {
  try {
    const request = get(`${url}/readyz`, { agent: new Agent(), signal: AbortSignal.timeout(2_000) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

/** Resolves when every process is ready. Calls `check` repeatedly, which may throw to abort. */
export async function untilAllReady(
  processes: readonly RunningProcess[],
  say: (text: string) => void,
  check: () => void,
): Promise<void> {
  const waiting = new Set(processes);
  const started = Date.now();
  let nextMessageMs = 5_000;
  while (waiting.size > 0) {
    check();
    await Promise.all([...waiting].map(async (each) => (await isReady(each.url)) && waiting.delete(each)));
    const passed = Date.now() - started;
    if (waiting.size > 0 && passed > nextMessageMs) {
      say(`waiting for ${[...waiting].map(({ name }) => name).join(', ')} (${Math.round(passed / 1000)} s)`);
      nextMessageMs += 5_000;
    }
    if (waiting.size > 0) await sleep(50);
  }
}
