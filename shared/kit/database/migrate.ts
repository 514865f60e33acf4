import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { CONNECT_MS, MIGRATION_LOCK_MS, MIGRATION_STATEMENT_MS } from '../process/deadlines.ts';
import { ConfigError } from '../process/config.ts';
import type { Logger } from '../process/logger.ts';
import { KEEP_ALIVE, watchedClients } from './connection.ts';
import { sqlState } from './refusals.ts';
import { column, type Reader } from './sql.ts';

const LOCK = 7_301_946;
const POLL_MS = 100;
const FILE = /^(\d{13})-([\w-]+)\.sql$/;

/** First line of a migration whose statements run one by one, each in its own transaction. */
const NO_TRANSACTION = '-- no transaction\n';

/** Splits a migration at each `;` at the end of a line. Throws for `$`-quoted text, as in function bodies. */
function statementsOf(file: string, sql: string): string[] {
  if (sql.includes('$'))
    throw new Error(`migration ${file} runs without a transaction, so it must not contain $-quoted text`);
  return sql
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '');
}

/** Runs statements outside a transaction and without a lock timeout: `create index concurrently` blocks nobody. */
async function runEach(runner: QueryRunner, statements: string[]): Promise<void> {
  await runner.query('set lock_timeout = 0');
  for (const statement of statements) await runner.query(statement);
  await runner.query(`set lock_timeout = ${MIGRATION_LOCK_MS}`);
}

/**
 * TypeORM migrations from files named `<13 digits>-<name>.sql`, ordered by the digits. A file runs in one transaction,
 * unless its first line is `-- no transaction`. Such a file is run again from the start after a failure, so its
 * statements must be repeatable: `drop index concurrently if exists x` before `create index concurrently x`, which
 * leaves an invalid index when it fails.
 */
async function migrationClasses(folder: URL): Promise<(new () => MigrationInterface)[]> {
  const path = fileURLToPath(folder);
  const files = (await readdir(path)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const [, time, name] = FILE.exec(file) ?? [];
      if (!time || !name) throw new Error(`migration ${file} is not named <13 digits>-<name>.sql`);
      const sql = await readFile(`${path}/${file}`, 'utf8');
      const each = sql.startsWith(NO_TRANSACTION) ? statementsOf(file, sql) : undefined;
      return class implements MigrationInterface {
        readonly name = `${name}${time}`;
        readonly transaction = each === undefined;
        up = async (runner: QueryRunner) => void (await (each ? runEach(runner, each) : runner.query(sql)));
        down = () => Promise.reject(new Error('migrations only go forward'));
      };
    }),
  );
}

/** Migrations that every service runs before its own. */
const sharedMigrations = new URL('../../migrations/', import.meta.url);

async function connect(url: string, folders: URL[]): Promise<DataSource> {
  const migrations = (await Promise.all(folders.map(migrationClasses))).flat();
  const options = `-c TimeZone=UTC -c lock_timeout=${MIGRATION_LOCK_MS}`;
  const extra = { options, Client: watchedClients(MIGRATION_STATEMENT_MS), ...KEEP_ALIVE };
  return new DataSource({
    type: 'postgres',
    url,
    migrations,
    extra,
    connectTimeoutMS: CONNECT_MS,
    poolSize: 2,
  }).initialize();
}

/**
 * Waits until no other process migrates. It polls, because a statement that waits for a lock would block a concurrent
 * index build of the other process.
 */
async function takeMigrationLock(lock: QueryRunner): Promise<void> {
  const isFree = 'select pg_try_advisory_lock($1) as free';
  while (!((await lock.query(isFree, [LOCK])) as { free: boolean }[])[0]?.free)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Throws ConfigError for the schema of a release before 1.0, which cannot be upgraded. */
async function assertUpgradable(source: DataSource): Promise<void> {
  const tables = await source.query<unknown[]>(`select from pg_tables where tablename = 'migrations'`);
  if (tables.length === 0) return;
  const run = (await source.query<{ name: string }[]>('select name from migrations')).map(({ name }) => name);
  const known = source.migrations.map(({ name }) => name);
  if (run.length > 0 && !run.some((name) => known.includes(name)))
    throw new ConfigError(
      'the database has the schema of a release before 1.0, which cannot be upgraded: start with an empty database (npm start: move the folder DATA_DIR away, by default .data)',
    );
}

/**
 * Runs pending migrations as the schema's owner; concurrent calls wait for each other. Returns the names of the
 * migrations that ran. Throws ConfigError for the schema of a release before 1.0.
 */
export async function migrate(ownerUrl: string, folder: URL, shared = sharedMigrations): Promise<string[]> {
  const source = await connect(ownerUrl, [shared, folder]);
  const lock = source.createQueryRunner();
  try {
    await takeMigrationLock(lock);
    await assertUpgradable(source);
    const run = await source.runMigrations({ transaction: 'each' });
    return run.map((migration) => migration.name);
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/** `needs-1-3-…`: after this migration the service must be 1.3 or newer; `needs-shared-1-3-…`: the shared package. */
const NEEDS = /^needs-(shared-)?(\d+)-(\d+)-/;

const NO_SUCH_TABLE = '42P01';

interface Release {
  /** Names of its migrations. */
  migrations: string[];
  /** Versions of the service's package and of the shared package. */
  versions: { own: string; shared: string };
}

const isBefore = (version: string, needed: string) => version.localeCompare(needed, 'en', { numeric: true }) < 0;

/** Why a release cannot serve a schema with these migrations; undefined when it can. */
export function incompatibilityOf({ migrations, versions }: Release, run: string[]): string | undefined {
  const missing = migrations.filter((name) => !run.includes(name));
  if (missing.length > 0)
    return `the schema is older than this release: it lacks ${missing.join(', ')}; run \`migrate\``;
  for (const name of run) {
    const [needs, shared, major, minor] = NEEDS.exec(name) ?? [];
    const own = shared ? versions.shared : versions.own;
    if (needs && isBefore(own, `${major}.${minor}`))
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
 * Returns a function that checks whether this release can serve the current schema. It logs each reason why not once,
 * and rejects when the database does not answer.
 */
export async function watchSchema(reader: Reader, folder: URL, logger: Logger): Promise<() => Promise<boolean>> {
  const release = await releaseOf(folder);
  let logged: string | undefined;
  return async () => {
    const run = await column<string>(reader, 'select name from migrations').catch((error: unknown) => {
      if (sqlState(error) !== NO_SUCH_TABLE) throw error;
      return [];
    });
    const problem = incompatibilityOf(release, run);
    if (problem && problem !== logged) logger.error(problem);
    if (!problem && logged) logger.info('this release can serve the schema now');
    logged = problem;
    return problem === undefined;
  };
}
