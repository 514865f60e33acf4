import { readFile } from 'node:fs/promises';
import type { Logger } from '../process/logger.ts';
import { migrationClasses, sharedMigrations } from './migrate.ts';
import { sqlState } from './refusals.ts';
import { column, type Reader } from './sql.ts';

/** `needs-1-3-…`: after this migration the service must be 1.3 or newer; `needs-shared-1-3-…`: what all share. */
const NEEDS = /^needs-(shared-)?(\d+)-(\d+)-/;

const NO_SUCH_TABLE = '42P01';

interface Release {
  /** Names of the migrations that it comes with. */
  migrations: string[];
  /** Of the service's package and of the shared one. */
  versions: { own: string; shared: string };
}

const isBefore = (version: string, [major, minor]: [number, number]) => {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
};

/** Why a release cannot serve a schema on which these migrations have run; undefined when it can. */
export function misfitOf({ migrations, versions }: Release, run: string[]): string | undefined {
  const missing = migrations.filter((name) => !run.includes(name));
  if (missing.length > 0)
    return `the schema is older than this release: it lacks ${missing.join(', ')}; run \`migrate\``;
  for (const name of run) {
    const [needs, shared, major, minor] = NEEDS.exec(name) ?? [];
    const own = shared ? versions.shared : versions.own;
    if (needs && isBefore(own, [Number(major), Number(minor)]))
      return `the schema is newer than this release can serve: ${name} needs ${major}.${minor}, this is ${own}`;
  }
  return undefined;
}

async function releaseOf(folder: URL): Promise<Release> {
  const folders = [sharedMigrations, folder];
  const classes = await Promise.all(folders.map(migrationClasses));
  const versionOf = async (at: URL) =>
    (JSON.parse(await readFile(new URL('../package.json', at), 'utf8')) as { version: string }).version;
  const [shared, own] = await Promise.all([versionOf(sharedMigrations), versionOf(folder)]);
  return { migrations: classes.flat().map((Migration) => String(new Migration().name)), versions: { own, shared } };
}

/**
 * Returns how to ask whether this release can serve the database as it is now; each reason why not is logged once.
 * Rejects when the database does not answer.
 */
export async function watchSchema(reader: Reader, folder: URL, logger: Logger): Promise<() => Promise<boolean>> {
  const release = await releaseOf(folder);
  let said: string | undefined;
  return async () => {
    const run = await column<string>(reader, 'select name from migrations').catch((error: unknown) => {
      if (sqlState(error) !== NO_SUCH_TABLE) throw error;
      return [];
    });
    const misfit = misfitOf(release, run);
    if (misfit && misfit !== said) logger.error(misfit);
    if (!misfit && said) logger.info('the schema is one that this release can serve');
    said = misfit;
    return misfit === undefined;
  };
}
