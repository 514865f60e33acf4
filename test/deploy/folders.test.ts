import { expect, test } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/*
 * Folders form floors: they must not import each other in a circle, not even for a type. ESLint finds circles of files
 * only; this test finds those of folders. A file at the top of `src` is a floor of its own.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

const SERVICES = ['services/calls', 'services/identity', 'services/messaging', 'services/wallet'];
const PACKAGES = ['dashboard', 'gateway', ...SERVICES, 'shared'];

const floorOf = (file: string) => (dirname(file) === '.' ? file : (file.split('/')[0] ?? file));

/** The floors that each floor of a package imports. */
async function floorsOf(name: string): Promise<Map<string, Set<string>>> {
  const src = join(root, name, 'src');
  const uses = new Map<string, Set<string>>();
  for await (const file of glob('**/*.{ts,tsx}', { cwd: src })) {
    const { importedFiles } = ts.preProcessFile(await readFile(join(src, file), 'utf8'));
    const from = floorOf(file);
    const used = uses.get(from) ?? new Set();
    uses.set(from, used);
    for (const { fileName } of importedFiles) {
      const to = floorOf(relative(src, join(src, dirname(file), fileName)));
      if (fileName.startsWith('.') && to !== from) used.add(to);
    }
  }
  return uses;
}

/** Groups of floors that import each other, directly or through others. */
function circlesOf(uses: Map<string, Set<string>>): string[][] {
  const reached = new Map(
    [...uses.keys()].map((start) => {
      const seen = new Set<string>(uses.get(start));
      // Iterating a set also visits the elements that are added meanwhile.
      for (const floor of seen) for (const next of uses.get(floor) ?? []) seen.add(next);
      return [start, seen];
    }),
  );
  const circle = (floor: string) =>
    [...uses.keys()].filter((other) => reached.get(floor)?.has(other) && reached.get(other)?.has(floor));
  const groups = [...uses.keys()].map((floor) => circle(floor).sort()).filter((group) => group.length > 1);
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

test.each(PACKAGES)('the folders of %s form floors', async (name) => {
  expect(circlesOf(await floorsOf(name))).toEqual([]);
});
