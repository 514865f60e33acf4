import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { putInPlace } from '../build.ts';

/* A build takes its place beside others that run at once. */

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A build of the sources with this hash. */
async function built(name: string, hash: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, '.content-hash'), hash);
  await writeFile(join(path, 'index.html'), name);
  return path;
}
const place = () => join(folder, 'dist');
const page = () => readFile(join(place(), 'index.html'), 'utf8');

test('takes the place of an older one, or of none', async () => {
  await putInPlace(await built('first', 'old'), place());
  expect(await page()).toBe('first');
  await putInPlace(await built('second', 'new'), place());
  expect([await page(), await readdir(folder)]).toEqual(['second', ['dist']]);
});

test('leaves what another process has built from the same sources meanwhile', async () => {
  await putInPlace(await built('first', 'same'), place());
  const { ino } = await stat(place());
  await putInPlace(await built('second', 'same'), place());
  expect([await page(), (await stat(place())).ino, await readdir(folder)]).toEqual(['first', ino, ['dist']]);
});

test('of several at once one stays, complete', async () => {
  await built('dist', 'old');
  const drafts = await Promise.all([1, 2, 3, 4, 5].map((n) => built(`draft-${n}`, 'same')));
  await Promise.all(drafts.map((draft) => putInPlace(draft, place())));
  expect([await page(), await readdir(folder)]).toEqual([expect.stringMatching(/^draft-\d$/), ['dist']]);
});
