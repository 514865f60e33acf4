import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unique } from './identity.ts';

/** Blocks the threads that hash passwords, by opening a pipe without a writer, until the returned function is called. */
export async function holdHashing() {
  const pipe = join(tmpdir(), `identity-test-${unique()}`);
  execFileSync('mkfifo', [pipe]);
  const readers = Array.from({ length: Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) }, () => open(pipe, 'r'));
  return async function release() {
    const writer = openSync(pipe, 'w');
    for (const reader of await Promise.all(readers)) await reader.close();
    closeSync(writer);
    await rm(pipe);
  };
}
