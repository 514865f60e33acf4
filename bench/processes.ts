import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, guard } from '../deploy/local/guard.ts';
import { startNats, startPostgres } from '../deploy/local/servers.ts';

const TRIES = 300;
const PAUSE_MS = 100;
const STOP_MS = 30_000;

/** Resolves with the result of `open`; when `open` fails, closes everything that it has opened. */
export async function openOrDispose<T>(open: (opened: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const opened = new AsyncDisposableStack();
  try {
    return await open(opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Starts PostgreSQL and NATS with a new folder; every commit reaches the disk. */
export async function startServers(opened: AsyncDisposableStack, prefix: string) {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const log = () => undefined;
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true, log });
  opened.defer(postgres.stop);
  const nats = await startNats({ dataDir: join(folder, 'nats'), log });
  opened.defer(nats.stop);
  return { folder, postgres, nats };
}

/**
 * Starts a program of this repository that listens on `env.PORT`; it is stopped when `opened` is disposed. Resolves
 * when the program is ready. It is detached because the kernel schedules all processes of a session as one group.
 */
export async function startProgram(
  opened: AsyncDisposableStack,
  entry: string,
  env: Record<string, string>,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', entry)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...env },
    detached: true,
  });
  const exited = guard(child, 'service');
  opened.defer(() =>
    end(child, exited, [
      ['SIGTERM', STOP_MS],
      ['SIGKILL', STOP_MS],
    ]),
  );
  for (let tries = 0; tries < TRIES && child.exitCode === null; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${env['PORT']}/readyz`).catch(() => undefined);
    if (answer?.ok) return child;
    await sleep(PAUSE_MS);
  }
  throw new Error(`${entry} did not become ready: see its log above`);
}
