import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { SERVICES } from '@tutoring/shared/contract/names';
import { filesFolder, publishInfra, sql, type TestInfra } from '@tutoring/shared/testing/infra';
import { provision, startNats, startPostgres } from '../../deploy/local/servers.ts';
import { startContainers } from './containers.ts';

type Stop = () => Promise<void>;

/** The servers of a test run: those in the environment, containers if configured, or embedded binaries. */
async function startServers(stops: Stop[]): Promise<Pick<TestInfra, 'databaseUrl' | 'natsUrl'>> {
  const { DATABASE_URL, NATS_URL, TEST_INFRA } = process.env;
  if (TEST_INFRA === 'containers') return startContainers(stops);
  const folder = await mkdtemp(join(tmpdir(), 'tutoring-test-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const log = () => undefined;
  const urlOr = async (url: string | undefined, start: () => Promise<{ url: string; stop: Stop }>) => {
    if (url) return url;
    const server = await start();
    stops.unshift(server.stop);
    return server.url;
  };
  const [databaseUrl, natsUrl] = await Promise.all([
    urlOr(DATABASE_URL, () => startPostgres({ dataDir: join(folder, 'postgres'), durable: false, log })),
    urlOr(NATS_URL, () => startNats({ dataDir: join(folder, 'nats'), log })),
  ]);
  return { databaseUrl, natsUrl };
}

/** Creates a migrated template database for each service, which test files clone in a few milliseconds. */
async function createTemplates({ databaseUrl, run, password }: TestInfra): Promise<void> {
  const passwords = Object.fromEntries(
    SERVICES.flatMap((name) => [`${name}_owner`, `${name}_service`]).map((role) => [role, password]),
  );
  const databases = await provision(databaseUrl, { names: SERVICES, passwords, prefix: `${run}_` });
  for (const name of SERVICES) {
    await migrate(databases[name]!.ownerUrl, new URL(`../../services/${name}/migrations/`, import.meta.url));
  }
}

/** Drops the templates, and clones that crashed tests have left. */
async function dropDatabases({ databaseUrl, run }: TestInfra): Promise<void> {
  const databases = await sql(databaseUrl, 'select datname as name from pg_database where starts_with(datname, $1)', [
    `${run}_`,
  ]);
  for (const { name } of databases) await sql(databaseUrl, `drop database if exists ${String(name)} with (force)`);
  for (const name of SERVICES)
    await sql(databaseUrl, `drop role if exists ${run}_${name}_owner, ${run}_${name}_service`);
}

export async function startTestServers(): Promise<void> {
  const stops: Stop[] = [];
  const servers = await startServers(stops);
  const run: TestInfra = {
    ...servers,
    run: `t${randomBytes(3).toString('hex')}`,
    password: randomBytes(12).toString('hex'),
  };
  if (process.env['REDIS_URL']) run.redisUrl = process.env['REDIS_URL'];
  stops.unshift(() => dropDatabases(run));
  stops.push(() => rm(filesFolder(run.run), { recursive: true, force: true }));
  (globalThis as { stopTestServers?: Stop }).stopTestServers = async () => {
    for (const stop of stops) await stop();
  };
  await createTemplates(run);
  publishInfra(run);
}

export async function stopTestServers(): Promise<void> {
  await (globalThis as { stopTestServers?: Stop }).stopTestServers?.();
}
