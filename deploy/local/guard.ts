import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Services are ended before the servers they use. */
type Kind = 'service' | 'server';
export type Exit = { code: number | null; signal: NodeJS.Signals | null };

const WATCHDOG = join(import.meta.dirname, 'watchdog.sh');

const guarded = new Map<number, Kind>();
let watchdog: ChildProcess | undefined;

function inform(line: string): void {
  if (!watchdog) {
    watchdog = spawn('/bin/sh', [WATCHDOG], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    watchdog.on('error', () => undefined);
    watchdog.stdin?.on('error', () => undefined);
    watchdog.unref();
    (watchdog.stdin as unknown as { unref(): void }).unref();
  }
  watchdog.stdin?.write(`${line}\n`);
}

/** Makes sure that the child does not outlive this process, even if this one is killed hard. Resolves on its exit. */
export function guard(child: ChildProcess, kind: Kind): Promise<Exit> {
  const { pid } = child;
  if (pid !== undefined) {
    guarded.set(pid, kind);
    inform(`add ${kind} ${pid}`);
  }
  return new Promise((resolve) => {
    const gone = (code: number | null, signal: NodeJS.Signals | null) => {
      if (pid !== undefined && guarded.delete(pid)) inform(`del ${kind} ${pid}`);
      resolve({ code, signal });
    };
    child.once('exit', gone);
    child.once('error', () => gone(null, null));
  });
}

/**
 * Ends every guarded process at once and resolves when they have exited, after 2 s at the latest. SIGQUIT is the
 * immediate shutdown of PostgreSQL and NATS: unlike SIGKILL it lets PostgreSQL end its children.
 */
export async function killGuarded(): Promise<void> {
  for (const [pid, kind] of guarded) {
    try {
      process.kill(pid, kind === 'service' ? 'SIGKILL' : 'SIGQUIT');
    } catch {
      // It has exited in this moment.
    }
  }
  for (let waited = 0; guarded.size > 0 && waited < 2_000; waited += 20) await sleep(20);
}

/** Sends the signals one after the other, waiting the given ms after each, until the child has exited. */
export async function end(
  child: ChildProcess,
  exited: Promise<Exit>,
  steps: [NodeJS.Signals, number][],
): Promise<void> {
  for (const [signal, patience] of steps) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), patience);
    const outcome = await Promise.race([exited, late.promise]);
    clearTimeout(timer);
    if (outcome !== 'late') return;
  }
}
