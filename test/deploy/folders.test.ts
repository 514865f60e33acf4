import { beforeAll, expect, test } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/*
 * Neither files nor folders have circular imports, not even of types. Folders form layers; a file directly in `src` is
 * a layer of its own.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The path of an imported file of this project, relative to its root; undefined for packages. */
function pathOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  const [, inShared] = /^@tutoring\/shared\/(.+)/.exec(specifier) ?? [];
  return inShared && `shared/${inShared}.ts`;
}

/** The project's files that each file imports, including `import()` and types. */
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
const PACKAGES = ['dashboard', 'gateway', ...SERVICES];

/** The layers that each layer of a folder imports. */
function layersOf(folder: string, imports: Map<string, Set<string>>): Map<string, Set<string>> {
  const src = `${folder}/`;
  const layerOf = (file: string) => file.slice(src.length).split('/')[0] ?? file;
  const layers = new Map<string, Set<string>>();
  for (const [file, paths] of imports) {
    if (!file.startsWith(src)) continue;
    const used = [...paths].filter((path) => path.startsWith(src)).map(layerOf);
    const from = layerOf(file);
    layers.set(from, new Set([...(layers.get(from) ?? []), ...used.filter((to) => to !== from)]));
  }
  return layers;
}

/** Groups of nodes that import each other, directly or indirectly. */
function cyclesOf(uses: Map<string, Set<string>>): string[][] {
  const reached = new Map(
    [...uses.keys()].map((start) => {
      const seen = new Set<string>(uses.get(start));
      // The iteration also visits elements that are added during it.
      for (const used of seen) for (const next of uses.get(used) ?? []) seen.add(next);
      return [start, seen];
    }),
  );
  const cycleOf = (node: string) =>
    [...uses.keys()].filter((other) => reached.get(node)?.has(other) && reached.get(other)?.has(node));
  const groups = [...uses.keys()].map((node) => cycleOf(node).sort()).filter((group) => group.length > 1);
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

let imports: Map<string, Set<string>>;
beforeAll(async () => {
  imports = await importsOfFiles();
});

test('files have no circular imports', () => {
  expect(imports.get('services/calls/src/app.ts')).toContain('shared/contract/service.ts');
  expect(cyclesOf(imports)).toEqual([]);
});

test.each([
  ...PACKAGES.map((name) => `${name}/src`),
  'shared',
  'shared/kit',
  'shared/kit/http',
  'shared/kit/events',
  'dashboard/src/shared',
  'dashboard/src/i18n',
])('the folders of %s form layers without circular imports', (folder) => {
  const layers = layersOf(folder, imports);
  expect(layers.size).toBeGreaterThan(2);
  expect(cyclesOf(layers)).toEqual([]);
});
