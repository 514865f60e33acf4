import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseConfig, type ServiceConfig } from '@tutoring/shared/config';
import { migrate } from '@tutoring/shared/database/migrate';
import { createLogger } from '@tutoring/shared/logger';
import { startService, type RunningService, type ServiceDefinition } from '@tutoring/shared/service';
import { signedClient } from '@tutoring/shared/testing/client';
import { sql, withDatabase } from '@tutoring/shared/testing/infra';
import { signerTowards, testKeys } from '@tutoring/shared/testing/keys';
import { provision, startNats, startPostgres } from '../../deploy/local/servers.ts';

const NOWHERE = 'http://127.0.0.1:1';

/** A service that runs on a database without the migration `lacking`, which can be run at any moment. */
export interface Place {
  service: RunningService;
  api: ReturnType<typeof signedClient>;
  asOwner: (statement: string) => Promise<Record<string, unknown>[]>;
  upgrade: () => Promise<string[]>;
}

/** `seed` runs as the server's administrator before the service starts; foreign keys are not looked at meanwhile. */
export async function withPlace<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  { lacking, seed, env }: { lacking: string; seed: string[]; env: Record<string, string> },
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const { name } = definition;
  const folder = await mkdtemp(join(tmpdir(), 'bench-partitions-'));
  const log = () => undefined;
  const [postgres, nats] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), durable: true, log }),
    startNats({ dataDir: join(folder, 'nats'), durable: false, log }),
  ]);
  try {
    const passwords = { [`${name}_owner`]: 'o'.repeat(24), [`${name}_service`]: 's'.repeat(24) };
    const { database, ownerUrl, serviceUrl } = (await provision(postgres.url, { names: [name], passwords }))[name]!;
    const migrations = join(folder, 'migrations');
    const filter = (path: string) => basename(path) !== lacking;
    await cp(fileURLToPath(definition.migrations), migrations, { recursive: true, filter });
    const before = { ...definition, migrations: pathToFileURL(`${migrations}/`) };
    await migrate(ownerUrl, before.migrations);
    const admin = withDatabase(postgres.url, database);
    for (const statement of seed) await sql(admin, `set session_replication_role = replica; ${statement}`);
    await sql(admin, 'vacuum analyze');
    const config = parseConfig(definition.config, {
      ...{ LOG_LEVEL: 'error', HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: NOWHERE, NATS_URL: nats.url },
      ...{ IDENTITY_URL: NOWHERE, WALLET_URL: NOWHERE, CALLS_URL: NOWHERE, ...testKeys(name) },
      ...{ DATABASE_URL: serviceUrl, FILES_URL: pathToFileURL(join(folder, 'files')).href, ...env },
    });
    const service = await startService(before, config, createLogger('bench', 'silent'));
    try {
      await work({
        service,
        api: signedClient(service.url, signerTowards(name)),
        asOwner: (statement) => sql(ownerUrl, statement),
        upgrade: () => migrate(ownerUrl, definition.migrations),
      });
    } finally {
      await service.stop();
    }
  } finally {
    await Promise.all([postgres.stop(), nats.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}
