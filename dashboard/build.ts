import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { idempotentPaths } from '../shared/client/src/generated/schema.ts';

/* `node build.ts` builds the dashboard into `dist`, unless what is there was built from the same sources. */

const folder = import.meta.dirname;
const root = join(folder, '..');
export const dist = join(folder, 'dist');
const stamp = (built: string) => join(built, '.content-hash');

/** With the locked packages and the generated schema's one value all that decides what a build holds. */
const SOURCES = ['dashboard/src/**/*', 'dashboard/{index.html,vite.config.ts,build.ts}', 'shared/client/src/*'];
const BUILDERS = ['vite', '@vitejs/plugin-react'];
/** Under its name, beside it and compressed. */
const FORMS = ['', '.br', '.gz'];
const COMPRESSED = /\.(js|css|html|svg|json)$/;

interface LockedPackage {
  integrity?: string;
  /** Where a link leads. */
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
}

/** What identifies the content of each package that a build needs, by package-lock.json. */
export function lockedPackages(lock: string): string[] {
  const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
  function placeOf(name: string, folder: string): string {
    const place = join(folder, 'node_modules', name);
    const found = packages[place];
    if (found) return found.link ? found.resolved! : place;
    if (folder === '.') throw new Error(`package-lock.json has no ${name}`);
    return placeOf(name, dirname(folder));
  }
  const needed = new Set(['dashboard', ...BUILDERS.map((name) => placeOf(name, 'dashboard'))]);
  // Iterating a set also visits the elements that are added meanwhile.
  for (const place of needed)
    for (const name of Object.keys(packages[place]!.dependencies ?? {})) needed.add(placeOf(name, place));
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
    return readFileSync(stamp(built), 'utf8') === hash;
  } catch {
    return false;
  }
}

/** Whether `dist` is what the sources make. Takes some milliseconds. */
export const isBuilt = () => isBuiltFrom(contentHash());

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}

/** What of a build a page asks for by hashed names; nothing where there is no build. */
async function partsOf(built: string): Promise<string[]> {
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
 * Puts the files of the build before beside those of a new one, but not what that has kept itself: a page that was opened
 * before a release goes on finding its parts.
 */
export async function keepParts(before: string, draft: string): Promise<void> {
  const names = (await partsOf(before)).flatMap((name) => FORMS.map((form) => `${name}${form}`));
  for (const name of names.filter((known) => !existsSync(join(draft, known))))
    await copyFile(join(before, name), join(draft, name)).catch((error: NodeJS.ErrnoException) => {
      // Not every file has every form; and another process may be putting its build there.
      if (error.code !== 'ENOENT') throw error;
    });
}

/**
 * Moves a build to `target`. Another one of the same sources that has come there meanwhile stays: somebody may be
 * reading it.
 */
export async function putInPlace(draft: string, target: string): Promise<void> {
  const hash = readFileSync(stamp(draft), 'utf8');
  const before = `${draft}.before`;
  /** Renames; returns the code of an error that is among `expected`. */
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
      // A folder of an image's lower layer cannot be renamed.
      const refused = await renamed(target, before, ['ENOENT', 'EXDEV']);
      if (refused === 'EXDEV') await rm(target, { recursive: true, force: true });
      if ((await renamed(draft, target, ['ENOTEMPTY', 'EEXIST'])) === undefined) return;
      // Another process has put its own there between the two.
      await rm(before, { recursive: true, force: true });
    }
  } finally {
    for (const left of [draft, before]) await rm(left, { recursive: true, force: true });
  }
}

/** Builds beside `dist` and moves the result there when it is complete. */
export async function build(): Promise<void> {
  const hash = contentHash();
  if (isBuiltFrom(hash)) return;
  // React and Emotion decide by it what they are; only the build of production works under the policy of the gateway.
  process.env['NODE_ENV'] = 'production';
  // Only now: loading Vite takes longer than everything else of a start without changes.
  const vite = await import('vite');
  const draft = `${dist}.${process.pid}`;
  await vite.build({
    configFile: join(folder, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: draft, emptyOutDir: true },
  });
  const files = globSync('**/*', { cwd: draft }).filter((name) => COMPRESSED.test(name));
  await Promise.all(files.map((name) => compress(join(draft, name))));
  await keepParts(dist, draft);
  await writeFile(stamp(draft), hash);
  await putInPlace(draft, dist);
}

if (import.meta.main) await build();
