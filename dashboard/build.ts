import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { idempotentPaths } from '../shared/client/src/generated/schema.ts';
import { dist, isBuiltFrom, putInPlace, stamp } from './release.ts';

/* `node build.ts` builds the dashboard into `dist`, unless what is there was built from the same sources. */

const folder = import.meta.dirname;
const root = join(folder, '..');

/** With the locked packages and the generated schema's one value all that decides what a build holds. */
const SOURCES = ['dashboard/src/**/*', 'dashboard/{index.html,vite.config.ts,build.ts}', 'shared/client/src/*'];
const BUILDERS = ['vite', '@vitejs/plugin-react'];

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

/** Whether `dist` is what the sources make. Takes some milliseconds. */
export const isBuilt = () => isBuiltFrom(contentHash());

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
  await writeFile(stamp(draft), hash);
  await putInPlace(draft, dist);
}

if (import.meta.main) await build();
