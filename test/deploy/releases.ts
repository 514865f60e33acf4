import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './processes.ts';

/** Day of the last release of each runtime dependency; made by `npm run releases`. */
export const RELEASES_FILE = join(root, 'test/deploy/releases.json');

const MANIFESTS = [
  'package.json',
  'gateway/package.json',
  'services/*/package.json',
  'shared/package.json',
  'shared/client/package.json',
  'dashboard/package.json',
];

/** Names of the packages that run in production or at `npm start`, in alphabetical order; not the binaries per platform. */
export async function runtimeDependencies(): Promise<string[]> {
  const files = MANIFESTS.flatMap((pattern) => globSync(pattern, { cwd: root }));
  const manifests = files.map(async (file) => {
    const text = await readFile(join(root, file), 'utf8');
    return Object.keys((JSON.parse(text) as { dependencies?: object }).dependencies ?? {});
  });
  const names = new Set((await Promise.all(manifests)).flat());
  return [...names].filter((name) => !name.startsWith('@tutoring/')).sort();
}
