import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { idempotentPaths } from '../shared/client/src/generated/schema.ts';

/* `node build.ts` builds the dashboard into `dist`, unless `dist` was built from the same sources. */

const folder = import.meta.dirname;
const root = join(folder, '..');
export const dist = join(folder, 'dist');
const hashFile = (built: string) => join(built, '.content-hash');

/** All inputs of a build, besides the locked packages and the generated schema's `idempotentPaths`. */
const SOURCES = ['dashboard/src/**/*', 'dashboard/{index.html,vite.config.ts,build.ts}', 'shared/client/src/*'];
const BUILDERS = ['vite', '@vitejs/plugin-react'];
/** Suffixes of an asset's copies: plain, Brotli and gzip. */
const COPY_SUFFIXES = ['', '.br', '.gz'];
const COMPRESSED = /\.(js|css|html|svg|json)$/;

interface LockedPackage {
  integrity?: string;
  /** The target of a link. */
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
}

/** The integrity hash of each package that a build needs, from the text of a package-lock.json. */
export function lockedPackages(lock: string): string[] {
  const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
  function packagePath(name: string, folder: string): string {
    const path = join(folder, 'node_modules', name);
    const found = packages[path];
    if (found) return found.link ? found.resolved! : path;
    if (folder === '.') throw new Error(`package-lock.json has no ${name}`);
    return packagePath(name, dirname(folder));
  }
  const needed = new Set(['dashboard', ...BUILDERS.map((name) => packagePath(name, 'dashboard'))]);
  // Iterating over a set also visits elements added during the iteration.
  for (const path of needed)
    for (const name of Object.keys(packages[path]!.dependencies ?? {})) needed.add(packagePath(name, path));
  return [...needed].flatMap((place) => packages[place]!.integrity ?? []).sort();
}

function contentHash(): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([lockedPackages(readFileSync(join(root, 'package-lock.json'), 'utf8')), idempotentPaths]));
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files)
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

function isBuiltFrom(hash: string, built = dist): boolean {
  try {
    return readFileSync(hashFile(built), 'utf8') === hash;
  } catch {
    return false;
  }
}

/** Whether `dist` was built from the current sources. Takes a few milliseconds. */
export const isBuilt = () => isBuiltFrom(contentHash());

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}

/** The files with hashed names in a build's manifest; empty if there is no build. */
async function assetsOf(built: string): Promise<string[]> {
  const manifest = await readFile(join(built, '.vite/manifest.json'), 'utf8').catch(() => '{}');
  const chunks = Object.values(JSON.parse(manifest) as Record<string, Chunk>);
  return [...new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]))];
}

interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
}

/**
 * Copies the hashed files of the previous build into a new one, so that a page opened before a release still finds its
 * chunks. Files that the previous build had itself copied from its predecessor are not copied again.
 */
export async function keepAssets(before: string, draft: string): Promise<void> {
  const names = (await assetsOf(before)).flatMap((name) => COPY_SUFFIXES.map((form) => `${name}${form}`));
  for (const name of names.filter((known) => !existsSync(join(draft, known))))
    await copyFile(join(before, name), join(draft, name)).catch((error: NodeJS.ErrnoException) => {
      // Not every file has compressed copies, and another process may be replacing the previous build.
      if (error.code !== 'ENOENT') throw error;
    });
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

/** Builds in a folder next to `dist` and moves the complete result to `dist`. */
export async function build(): Promise<void> {
  const hash = contentHash();
  if (isBuiltFrom(hash)) return;
  // Only the production builds of React and Emotion work under the gateway's Content-Security-Policy.
  process.env['NODE_ENV'] = 'production';
  // Imported here because loading Vite takes longer than the rest of a start that needs no build.
  const vite = await import('vite');
  const draft = `${dist}.${process.pid}`;
  await vite.build({
    configFile: join(folder, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: draft, emptyOutDir: true },
  });
  const files = globSync('**/*', { cwd: draft }).filter((name) => COMPRESSED.test(name));
  await Promise.all(files.map((name) => compress(join(draft, name))));
  await keepAssets(dist, draft);
  await writeFile(hashFile(draft), hash);
  await putInPlace(draft, dist);
}

if (import.meta.main) await build();
