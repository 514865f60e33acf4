import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { idempotentPaths } from '../shared/client/src/generated/schema.ts';
import { dist, isBuiltFrom, hashFile, putInPlace } from './release.ts';

/* `node build.ts` builds the dashboard into `dist`, unless `dist` was built from the same sources. */

const folder = import.meta.dirname;
const root = join(folder, '..');

/** All inputs of a build, besides the locked packages and the generated schema's `idempotentPaths`. */
const SOURCES = ['dashboard/src/**/*', 'dashboard/{index.html,vite.config.ts,build.ts}', 'shared/client/src/*'];
const BUILDERS = ['vite', '@vitejs/plugin-react'];

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
  return [...needed].flatMap((path) => packages[path]!.integrity ?? []).sort();
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

/** Whether `dist` was built from the current sources. Takes a few milliseconds. */
export const isBuilt = () => isBuiltFrom(contentHash());

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
  await writeFile(hashFile(draft), hash);
  await putInPlace(draft, dist);
}

if (import.meta.main) await build();
