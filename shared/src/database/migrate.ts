import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { CONNECT_MS, MIGRATION_LOCK_MS, MIGRATION_STATEMENT_MS } from '../process/deadlines.ts';
import { KEEP_ALIVE, watchedClients } from './connection.ts';

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
export async function migrationClasses(folder: URL): Promise<(new () => MigrationInterface)[]> {
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
export const sharedMigrations = new URL('../../migrations/', import.meta.url);

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

/**
 * Brings the schema up to date as its owner; processes that start together wait for each other. Returns the names that
 * ran. `shared`: those of every service.
 */
export async function migrate(ownerUrl: string, folder: URL, shared = sharedMigrations): Promise<string[]> {
  const source = await connect(ownerUrl, [shared, folder]);
  const lock = source.createQueryRunner();
  try {
    await takeTurn(lock);
    const run = await source.runMigrations({ transaction: 'each' });
    return run.map((migration) => migration.name);
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}
