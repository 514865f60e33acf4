import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

const LOCK = 7_301_946;
const FILE = /^(\d{13})-([\w-]+)\.sql$/;

/** TypeORM migrations out of `<13 digits>-<name>.sql` files; the digits are the order, a file is one transaction. */
async function migrationClasses(folder: URL): Promise<(new () => MigrationInterface)[]> {
  const path = fileURLToPath(folder);
  const files = (await readdir(path)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const [, time, name] = FILE.exec(file) ?? [];
      if (!time || !name) throw new Error(`migration ${file} is not named <13 digits>-<name>.sql`);
      const sql = await readFile(`${path}/${file}`, 'utf8');
      return class implements MigrationInterface {
        readonly name = `${name}${time}`;
        up = async (runner: QueryRunner) => void (await runner.query(sql));
        down = () => Promise.reject(new Error('migrations only go forward'));
      };
    }),
  );
}

/** The folders of a service: the mechanics that all share come first. */
export const sharedMigrations = new URL('../../migrations/', import.meta.url);

async function connect(url: string, folders: URL[]): Promise<DataSource> {
  const migrations = (await Promise.all(folders.map(migrationClasses))).flat();
  const extra = { options: '-c TimeZone=UTC -c lock_timeout=10000' };
  return new DataSource({ type: 'postgres', url, migrations, extra, poolSize: 2 }).initialize();
}

/** Brings the schema up to date as its owner; processes that start together wait for each other. Answers the names run. */
export async function migrate(ownerUrl: string, folder: URL): Promise<string[]> {
  const source = await connect(ownerUrl, [sharedMigrations, folder]);
  const lock = source.createQueryRunner();
  try {
    await lock.query('set lock_timeout = 0');
    await lock.query('select pg_advisory_lock($1)', [LOCK]);
    const run = await source.runMigrations({ transaction: 'each' });
    return run.map((migration) => migration.name);
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

/** Throws when the database lacks a migration that this code needs; for replicas that do not own the schema. */
export async function verifySchema(source: DataSource, folder: URL): Promise<void> {
  const wanted = (await Promise.all([sharedMigrations, folder].map(migrationClasses)))
    .flat()
    .map((Migration) => new Migration().name);
  const rows = await source.query<{ name: string }[]>('select name from migrations').catch(() => []);
  const missing = wanted.filter((name) => !rows.some((row) => row.name === name));
  if (missing.length > 0)
    throw new Error(`the database lacks migrations: ${missing.join(', ')}; run them with MIGRATION_DATABASE_URL`);
}
