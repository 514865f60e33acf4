import { expect, test } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';

const ROOT = new URL('../../', import.meta.url);
const page = await readFile(new URL('docs/security.md', ROOT), 'utf8');

const tests: { path: string; text: string }[] = [];
for await (const path of glob('{services/*,shared,gateway}/test/**/*.test.ts', { cwd: ROOT }))
  tests.push({ path, text: await readFile(new URL(path, ROOT), 'utf8') });
for await (const path of glob('test/*/*.test.ts', { cwd: ROOT }))
  tests.push({ path, text: await readFile(new URL(path, ROOT), 'utf8') });

/** The test files (without `.slow`) and their titles that the page quotes; "…" stands for omitted parts. */
const quoted = [...page.matchAll(/`(?<file>[\w./-]+\.test\.ts)`(?: of \w+)?(?<titles>:(?:[:,;]? "[^"]+")+)/g)].flatMap(
  ({ groups }) =>
    [...groups!['titles']!.matchAll(/"([^"]+)"/g)].map(([, title]) => [groups!['file']!, title!] as const),
);

test('the page quotes tests', () => expect(quoted.length).toBeGreaterThan(30));

test.each(quoted)('docs/security.md quotes %s: "%s"', (file, title) => {
  const parts = title.split('…').map((part) => part.trim());
  const found = tests.filter(
    ({ path, text }) =>
      `/${path.replace('.slow.', '.')}`.endsWith(`/${file}`) && parts.every((part) => text.includes(part)),
  );
  expect(found).not.toEqual([]);
});
