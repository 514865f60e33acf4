import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Services are stopped before the servers that they use. */
type Kind = 'service' | 'server';
export type Exit = { code: number | null; signal: NodeJS.Signals | null };

const WATCHDOG = join(import.meta.dirname, 'watchdog.sh');

const guarded = new Map<number, Kind>();
let watchdog: ChildProcess | undefined;

function notifyWatchdog(line: string): void {
  if (!watchdog) {
    watchdog = spawn('/bin/sh', [WATCHDOG], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    watchdog.on('error', () => undefined);
    watchdog.stdin?.on('error', () => undefined);
    watchdog.unref();
    (watchdog.stdin as unknown as { unref(): void }).unref();
  }
  watchdog.stdin?.write(`${line}\n`);
}

/** Makes sure that the child does not outlive this process, even after a SIGKILL. Resolves when the child exits. */
export function guard(child: ChildProcess, kind: Kind): Promise<Exit> {
  const { pid } = child;
  if (pid !== undefined) {
    guarded.set(pid, kind);
    notifyWatchdog(`add ${kind} ${pid}`);
  }
  return new Promise((resolve) => {
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      if (pid !== undefined && guarded.delete(pid)) notifyWatchdog(`del ${kind} ${pid}`);
      resolve({ code, signal });
    };
    child.once('exit', onExit);
    child.once('error', () => onExit(null, null));
  });
}

/**
 * Kills all guarded processes and resolves when they have exited, after 2 s at the latest. Servers get SIGQUIT, an
 * immediate shutdown: unlike SIGKILL it lets PostgreSQL end its children.
 */
export async function killGuarded(): Promise<void> {
  for (const [pid, kind] of guarded) {
    try {
      process.kill(pid, kind === 'service' ? 'SIGKILL' : 'SIGQUIT');
    } catch {
      // The process has just exited.
    }
  }
  for (let waited = 0; guarded.size > 0 && waited < 2_000; waited += 20) await sleep(20);
}

/** Sends the signals in order until the child has exited, and waits the given milliseconds after each. */
export async function end(
  child: ChildProcess,
  exited: Promise<Exit>,
  steps: [NodeJS.Signals, number][],
): Promise<void> {
  for (const [signal, timeoutMs] of steps) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), timeoutMs);
    const outcome = await Promise.race([exited, late.promise]);
    clearTimeout(timer);
    if (outcome !== 'late') return;
  }
}
