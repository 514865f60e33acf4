import { createHash } from 'node:crypto';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

const ROOT = new URL('../../', import.meta.url);
/** The SHA-256 of every migration of the last release, by path. */
const RELEASED = new URL('released-migrations.json', import.meta.url);

export async function releasedMigrations(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(RELEASED, 'utf8')) as Record<string, string>;
}

export async function currentMigrations(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const path of glob('{shared,services/*}/migrations/*.sql', { cwd: ROOT }))
    found[path] = createHash('sha256')
      .update(await readFile(new URL(path, ROOT)))
      .digest('hex');
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Records the checksums of all migrations for a release. Throws when a released migration has changed. */
export async function recordMigrations(): Promise<void> {
  const present = await currentMigrations();
  for (const [path, sum] of Object.entries(await releasedMigrations()))
    if (present[path] !== sum)
      throw new Error(`${path} was changed after its release: restore it and add a new migration`);
  const text = JSON.stringify(present);
  await writeFile(RELEASED, await format(text, { ...(await resolveConfig(RELEASED)), parser: 'json' }));
}
