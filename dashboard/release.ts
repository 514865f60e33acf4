import { existsSync, globSync, readFileSync } from 'node:fs';
import { copyFile, cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/* `node release.ts FOLDER` puts the build into the folder that the gateway serves. */

/** Suffixes of an asset's copies: plain, Brotli and gzip. */
const COPY_SUFFIXES = ['', '.br', '.gz'];
const COMPRESSED = /\.(js|css|html|svg)$/;

export const dist = join(import.meta.dirname, 'dist');
export const hashFile = (built: string) => join(built, '.content-hash');

/** Whether a folder holds the build of the sources with this hash. */
export function isBuiltFrom(hash: string, built = dist): boolean {
  try {
    return readFileSync(hashFile(built), 'utf8') === hash;
  } catch {
    return false;
  }
}

/**
 * Moves a build to `target`. If another process has meanwhile put a build of the same sources there, that build stays,
 * because it may already be in use.
 */
export async function putInPlace(draft: string, target: string): Promise<void> {
  const hash = readFileSync(hashFile(draft), 'utf8');
  const old = `${draft}.before`;
  /** Renames a folder. Returns the error code if it is one of `expected`, and throws any other error. */
  const renamed = (from: string, to: string, expected: string[]) =>
    rename(from, to).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => {
        if (!expected.includes(error.code ?? '')) throw error;
        return error.code;
      },
    );
  try {
    while (!isBuiltFrom(hash, target)) {
      // A folder in a lower layer of a container image cannot be renamed (EXDEV).
      const refused = await renamed(target, old, ['ENOENT', 'EXDEV']);
      if (refused === 'EXDEV') await rm(target, { recursive: true, force: true });
      if ((await renamed(draft, target, ['ENOTEMPTY', 'EEXIST'])) === undefined) return;
      // Another process moved its build to `target` between the two renames.
      await rm(old, { recursive: true, force: true });
    }
  } finally {
    for (const left of [draft, old]) await rm(left, { recursive: true, force: true });
  }
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}

/** Files of a build that have hashed names; none where there is no build. */
async function assetsOf(served: string): Promise<string[]> {
  const manifest = await readFile(join(served, '.vite/manifest.json'), 'utf8').catch(() => '{}');
  const chunks = Object.values(JSON.parse(manifest) as Record<string, Chunk>);
  return [...new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]))];
}

interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
}

/**
 * Copies the previous release's files into a new one, so that a page opened before the release still finds its chunks.
 * Files that the previous release had itself copied from its predecessor are left out.
 */
export async function keepAssets(before: string, draft: string): Promise<void> {
  const names = (await assetsOf(before)).flatMap((name) => COPY_SUFFIXES.map((form) => `${name}${form}`));
  for (const name of names.filter((known) => !existsSync(join(draft, known))))
    await copyFile(join(before, name), join(draft, name)).catch((error: NodeJS.ErrnoException) => {
      // Not every file has compressed copies, and another process may be replacing the previous build.
      if (error.code !== 'ENOENT') throw error;
    });
}

/** Compresses the build beside `target`, with the previous release's files, and moves it there when it is complete. */
export async function release(target: string, built = dist): Promise<void> {
  if (isBuiltFrom(readFileSync(hashFile(built), 'utf8'), target)) return;
  const draft = `${target}.${process.pid}`;
  await cp(built, draft, { recursive: true });
  const files = globSync('**/*', { cwd: draft }).filter((name) => COMPRESSED.test(name));
  await Promise.all(files.map((name) => compress(join(draft, name))));
  await keepAssets(target, draft);
  await putInPlace(draft, target);
}

if (import.meta.main) {
  const [target] = process.argv.slice(2);
  if (target === undefined) throw new Error('usage: node release.ts FOLDER');
  await release(resolve(target));
}
