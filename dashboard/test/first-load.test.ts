import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bindings } from '../src/data/bindings.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = join(folder, 'dist');
const LIMIT_BYTES = 350_000;

type Chunk = { file: string; css?: string[]; imports?: string[]; dynamicImports?: string[] };
let manifest: Record<string, Chunk>;
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(folder, 'build.ts')]);
  manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as typeof manifest;
});

/** All files that a browser loads for these modules. */
function filesOf(...modules: string[]): Set<string> {
  const chunks = new Set(modules);
  // Iterating over a set also visits elements added during the iteration.
  for (const name of chunks) for (const other of manifest[name]!.imports ?? []) chunks.add(other);
  return new Set([...chunks].flatMap((name) => [manifest[name]!.file, ...(manifest[name]!.css ?? [])]));
}

const bytesOf = async (files: Iterable<string>) => {
  const sizes = [...files].map(
    async (file) => (await promisify(brotliCompress)(await readFile(join(dist, file)))).length,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

describe('the build', () => {
  test.each([
    ['the sign-in page', [] as string[]],
    ['the overview with its charts', ['src/overview/index.tsx', 'src/overview/charts.tsx']],
  ])('loads at most 350 KB, compressed, for %s', async (_name, modules) => {
    const files = [...filesOf('index.html', ...modules), 'index.html'];
    expect(await bytesOf(files)).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  test('does not load the code of areas with the first page', () => {
    const first = filesOf('index.html', 'src/overview/index.tsx', 'src/overview/charts.tsx');
    for (const name of [...Object.keys(bindings), 'support']) {
      const page = manifest[`src/${name}/index.tsx`]!;
      expect(first).not.toContain(page.file);
      expect(manifest['index.html']!.dynamicImports).toContain(`src/${name}/index.tsx`);
    }
  });

  test('has a hash in the name of every asset', async () => {
    const assets = await readdir(join(dist, 'assets'));
    expect(assets.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual([]);
  });
});
