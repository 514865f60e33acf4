import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from './processes.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commit-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the hook as git does. Returns its exit code and output. */
async function check(message: string) {
  const file = join(folder, 'COMMIT_EDITMSG');
  await writeFile(file, message);
  const { status, stderr } = spawnSync(join(root, 'deploy/hooks/commit-msg'), [file], { encoding: 'utf8' });
  return { status, says: stderr };
}

test.each([
  'feat(wallet): holds',
  'fix: a redirect without a body\n\nThe gateway waited for one.\n',
  'feat(shared)!: events carry a version',
  'chore(release): publish',
  "Merge branch 'main' into calls",
  'Revert "feat(wallet): holds"',
  `feat: ${'x'.repeat(66)}`,
  'docs: a line\n# Please enter the commit message\n# for your changes.\n',
])('accepts %j', async (message) => {
  expect(await check(message)).toEqual({ status: 0, says: '' });
});

test.each([
  ['', 'must begin with type(scope): subject'],
  ['added holds', 'must begin with type(scope): subject'],
  ['feat(Wallet): holds', 'must begin with type(scope): subject'],
  ['feature: holds', 'unknown type feature'],
  ['feat: holds.', 'ends with a full stop'],
  ['feat: holds\nand more', 'needs an empty line'],
  [`feat: ${'x'.repeat(67)}`, 'more than 72'],
])('refuses %j', async (message, reason) => {
  const { status, says } = await check(message);
  expect(status).toBe(1);
  expect(says).toContain(reason);
});
