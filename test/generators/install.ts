import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/generators');
const FILES = ['package.json', 'package-lock.json'];

/**
 * Installs the packages of the lock file in this folder, once per lock file; returns the folder of their commands. They
 * are no packages of the root: they weigh 130 MB and take a minute, which every first `npm test` would pay.
 */
export async function installGenerators(): Promise<string> {
  const lock = await readFile(join(import.meta.dirname, 'package-lock.json'));
  const folder = join(CACHE, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (!existsSync(folder)) {
    await mkdir(CACHE, { recursive: true });
    const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
    try {
      for (const file of FILES) await copyFile(join(import.meta.dirname, file), join(unfinished, file));
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await promisify(execFile)('npm', ['ci', ...flags], { cwd: unfinished });
      await rename(unfinished, folder);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return join(folder, 'node_modules/.bin');
}
