import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isBuilt, lockedPackages } from '../build.ts';
import { dist, keepAssets, putInPlace, release } from '../release.ts';

/* Builds of the dashboard, including several that run at the same time. */

interface Built {
  file: string;
  name?: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Creates a build folder with the given content hash. */
async function built(name: string, hash: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, '.content-hash'), hash);
  await writeFile(join(path, 'index.html'), name);
  return path;
}
const place = () => join(folder, 'dist');
const page = () => readFile(join(place(), 'index.html'), 'utf8');

test('dashboard/dist is built from the current sources (if not, run `npm run build`)', () => {
  expect(isBuilt()).toBe(true);
});

test('the content hash depends on the locked packages that a build needs, and on no others', () => {
  const locked = (integrity: string, ...needs: string[]) => ({
    integrity,
    dependencies: Object.fromEntries(needs.map((name) => [name, '^1.0.0'])),
  });
  const packages = {
    dashboard: {
      dependencies: { react: '^19.0.0', '@tutoring/client': '^1.0.0' },
      devDependencies: { tests: '^1.0.0' },
    },
    'node_modules/@tutoring/client': { resolved: 'shared/client', link: true },
    'shared/client': { dependencies: { fetch: '^1.0.0' } },
    'node_modules/react': locked('react', 'scheduler'),
    'node_modules/scheduler': locked('of others'),
    'node_modules/react/node_modules/scheduler': locked('scheduler'),
    'node_modules/fetch': locked('fetch'),
    'node_modules/vite': locked('vite'),
    'node_modules/@vitejs/plugin-react': locked('plugin', 'react'),
    'node_modules/tests': locked('tests'),
  };
  expect(lockedPackages(JSON.stringify({ packages }))).toEqual(['fetch', 'plugin', 'react', 'scheduler', 'vite']);
});

test('a build replaces an older one, or is the first', async () => {
  await putInPlace(await built('first', 'old'), place());
  expect(await page()).toBe('first');
  await putInPlace(await built('second', 'new'), place());
  expect([await page(), await readdir(folder)]).toEqual(['second', ['dist']]);
});

test('a build does not replace one of the same sources by another process', async () => {
  await putInPlace(await built('first', 'same'), place());
  const { ino } = await stat(place());
  await putInPlace(await built('second', 'same'), place());
  expect([await page(), (await stat(place())).ino, await readdir(folder)]).toEqual(['first', ino, ['dist']]);
});

test('one of several concurrent builds remains, complete', async () => {
  await built('dist', 'old');
  const drafts = await Promise.all([1, 2, 3, 4, 5].map((n) => built(`draft-${n}`, 'same')));
  await Promise.all(drafts.map((draft) => putInPlace(draft, place())));
  expect([await page(), await readdir(folder)]).toEqual([expect.stringMatching(/^draft-\d$/), ['dist']]);
});

/** Creates a build with a manifest that lists these files, and their compressed copies. */
async function buildOf(name: string, files: string[]): Promise<string> {
  const path = await built(name, name);
  await mkdir(join(path, 'assets'));
  await mkdir(join(path, '.vite'));
  const manifest = Object.fromEntries(
    files.map((file) => [file, { file: `assets/${file}`, css: [`assets/${file}.css`] }]),
  );
  await writeFile(join(path, '.vite/manifest.json'), JSON.stringify(manifest));
  for (const file of files)
    for (const form of ['', '.br', '.gz', '.css']) await writeFile(join(path, 'assets', `${file}${form}`), name);
  return path;
}
const assetsOf = async (path: string) => (await readdir(join(path, 'assets'))).sort();

test('a build keeps the files of the previous build, but not those that the previous build had kept', async () => {
  const first = await buildOf('first', ['people-1', 'same']);
  const second = await buildOf('second', ['people-2', 'same']);
  const third = await buildOf('third', ['people-3']);
  await keepAssets(first, second);
  await keepAssets(second, third);
  const [one, two, three, same] = ['people-1', 'people-2', 'people-3', 'same'].map((file) =>
    ['', '.br', '.css', '.gz'].map((form) => `${file}${form}`),
  );
  expect(await assetsOf(second)).toEqual([...one!, ...two!, ...same!]);
  expect(await readFile(join(second, 'assets/same'), 'utf8')).toBe('second');
  expect(await assetsOf(third)).toEqual([...two!, ...three!, ...same!]);
});

test('the first build keeps nothing', async () => {
  const first = await buildOf('first', ['people-1']);
  await keepAssets(join(folder, 'none'), first);
  expect(await assetsOf(first)).toEqual(['people-1', 'people-1.br', 'people-1.css', 'people-1.gz']);
});

test('a release holds each file of the build as it is and compressed, and the previous release’s files', async () => {
  const target = await buildOf('served', ['people-1']);
  await release(target);
  const plain = await readdir(join(dist, 'assets'));
  const names = plain.flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
  const kept = ['people-1', 'people-1.br', 'people-1.css', 'people-1.gz'];
  expect(await assetsOf(target)).toEqual([...names, ...kept].sort());
  const script = plain.find((name) => name.endsWith('.js'))!;
  const content = await readFile(join(target, 'assets', script));
  expect(brotliDecompressSync(await readFile(join(target, 'assets', `${script}.br`)))).toEqual(content);
  expect(gunzipSync(await readFile(join(target, 'assets', `${script}.gz`)))).toEqual(content);
  const { ino } = await stat(target);
  await release(target);
  expect([(await stat(target)).ino, await readdir(folder)]).toEqual([ino, ['served']]);
});

test('the repository holds the files of the present build alone, without compressed copies', async () => {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Built>;
  const named = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]);
  expect((await assetsOf(dist)).map((name) => `assets/${name}`)).toEqual([...new Set(named)].sort());
});

test('no chunk imports the entry chunk, whose name changes with that of any page', async () => {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Built>;
  const importers = Object.values(manifest).filter(({ imports = [] }) => imports.includes('index.html'));
  expect(importers.map(({ name }) => name)).toEqual([]);
});
