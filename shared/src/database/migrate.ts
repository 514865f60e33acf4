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
const LOOK_AGAIN_MS = 100;
const FILE = /^(\d{13})-([\w-]+)\.sql$/;

/** The first line of a file whose statements run one by one, each in its own transaction. */
const NO_TRANSACTION = '-- no transaction\n';

/** Statements, each ending with `;` at the end of a line. Such a file has no room for function bodies. */
function statementsOf(file: string, sql: string): string[] {
  if (sql.includes('$')) throw new Error(`migration ${file} runs without a transaction: it takes no $-quoted text`);
  return sql
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '');
}

/** Without a transaction and without a lock time-out: `create index concurrently` blocks nobody. */
async function runEach(runner: QueryRunner, statements: string[]): Promise<void> {
  await runner.query('set lock_timeout = 0');
  for (const statement of statements) await runner.query(statement);
  await runner.query(`set lock_timeout = ${MIGRATION_LOCK_MS}`);
}

/**
 * TypeORM migrations out of `<13 digits>-<name>.sql` files; the digits are the order. A file is one transaction, unless
 * its first line is `-- no transaction`: such a file runs again from the start after a failure, so every statement must
 * be repeatable (`drop index concurrently if exists x` before `create index concurrently x`, since a failed one leaves
 * an invalid index).
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

/** The migration folders of a service; the shared one comes first. */
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
 * One process at a time. Waits between statements, because a waiting statement would block another process's concurrent
 * index build.
 */
async function takeTurn(lock: QueryRunner): Promise<void> {
  const isFree = 'select pg_try_advisory_lock($1) as free';
  while (!((await lock.query(isFree, [LOCK])) as { free: boolean }[])[0]?.free)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}

/** Throws ConfigError for a schema whose migrations are those of a release before 1.0, which came without an upgrade. */
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
 * Brings the schema up to date as its owner; processes that start together wait for each other. Returns the names that
 * ran. `shared`: those of every service. Throws ConfigError for a schema of a release before 1.0.
 */
export async function migrate(ownerUrl: string, folder: URL, shared = sharedMigrations): Promise<string[]> {
  const source = await connect(ownerUrl, [shared, folder]);
  const lock = source.createQueryRunner();
  try {
    await takeTurn(lock);
    await assertUpgradable(source);
    const run = await source.runMigrations({ transaction: 'each' });
    return run.map((migration) => migration.name);
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/** `needs-1-3-…`: after this migration the service must be 1.3 or newer; `needs-shared-1-3-…`: what all share. */
const NEEDS = /^needs-(shared-)?(\d+)-(\d+)-/;

const NO_SUCH_TABLE = '42P01';

interface Release {
  /** Names of the migrations that it comes with. */
  migrations: string[];
  /** Of the service's package and of the shared one. */
  versions: { own: string; shared: string };
}

const isBefore = (version: string, needed: string) => version.localeCompare(needed, 'en', { numeric: true }) < 0;

/** Why a release cannot serve a schema on which these migrations have run; undefined when it can. */
export function misfitOf({ migrations, versions }: Release, run: string[]): string | undefined {
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
