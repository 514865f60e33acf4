import { beforeAll, expect, test } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/*
 * Neither files nor folders import each other in a circle, not even for a type. Folders form floors; a file at the top
 * of `src` is a floor of its own.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the specifier leads when the file is the project's own, relative to its root. */
function pathOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  const [, inShared] = /^@tutoring\/shared\/(.+)/.exec(specifier) ?? [];
  return inShared && `shared/src/${inShared}.ts`;
}

/** What each file of the project imports of its own, also by `import()` and for types. */
async function importsOfFiles(): Promise<Map<string, Set<string>>> {
  const imports = new Map<string, Set<string>>();
  const exclude = (path: string) => ['node_modules', '.data', 'dist'].includes(basename(path));
  for await (const file of glob('**/*.{ts,tsx}', { cwd: root, exclude })) {
    const { importedFiles } = ts.preProcessFile(await readFile(join(root, file), 'utf8'));
    const paths = importedFiles.map(({ fileName }) => pathOf(fileName, file));
    imports.set(file, new Set(paths.filter((path) => path !== undefined)));
  }
  return imports;
}

const SERVICES = ['services/calls', 'services/identity', 'services/messaging', 'services/wallet'];
const PACKAGES = ['dashboard', 'gateway', ...SERVICES, 'shared'];

/** The floors that each floor of a folder imports. */
function floorsOf(folder: string, imports: Map<string, Set<string>>): Map<string, Set<string>> {
  const src = `${folder}/`;
  const floorOf = (file: string) => file.slice(src.length).split('/')[0] ?? file;
  const floors = new Map<string, Set<string>>();
  for (const [file, paths] of imports) {
    if (!file.startsWith(src)) continue;
    const used = [...paths].filter((path) => path.startsWith(src)).map(floorOf);
    const from = floorOf(file);
    floors.set(from, new Set([...(floors.get(from) ?? []), ...used.filter((to) => to !== from)]));
  }
  return floors;
}

/** Groups that import each other, directly or through others. */
function circlesOf(uses: Map<string, Set<string>>): string[][] {
  const reached = new Map(
    [...uses.keys()].map((start) => {
      const seen = new Set<string>(uses.get(start));
      // Iterating a set also visits the elements that are added meanwhile.
      for (const one of seen) for (const next of uses.get(one) ?? []) seen.add(next);
      return [start, seen];
    }),
  );
  const circle = (one: string) =>
    [...uses.keys()].filter((other) => reached.get(one)?.has(other) && reached.get(other)?.has(one));
  const groups = [...uses.keys()].map((one) => circle(one).sort()).filter((group) => group.length > 1);
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

let imports: Map<string, Set<string>>;
beforeAll(async () => {
  imports = await importsOfFiles();
});

test('no files import each other in a circle', () => {
  expect(imports.get('services/calls/src/app.ts')).toContain('shared/src/service.ts');
  expect(circlesOf(imports)).toEqual([]);
});

test.each([
  ...PACKAGES.map((name) => `${name}/src`),
  'shared/src/http',
  'shared/src/events',
  'dashboard/src/shared',
  'dashboard/src/i18n',
])('the folders of %s form floors', (folder) => {
  const floors = floorsOf(folder, imports);
  expect(floors.size).toBeGreaterThan(2);
  expect(circlesOf(floors)).toEqual([]);
});
