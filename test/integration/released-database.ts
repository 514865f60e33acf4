import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/database/migrate';
import { openDatabase, type Database } from '@tutoring/shared/database/open';
import { createLogger } from '@tutoring/shared/logger';
import type { ServiceName } from '@tutoring/shared/process-names';
import { infra, sql } from '@tutoring/shared/testing/infra';
import { provision } from '../../deploy/local/provision.ts';
import { copyReleased } from '../deploy/released-migrations.ts';

const ROOT = new URL('../../', import.meta.url);

export interface ReleasedDatabase {
  /** As a replica opens it, with its role and its time-outs. */
  database: Database;
  asOwner: (statement: string, parameters?: unknown[]) => Promise<Record<string, unknown>[]>;
  ownerUrl: string;
  /** Brings it to the present release. */
  upgrade: () => Promise<string[]>;
  drop: () => Promise<void>;
}

/** A database of the service as the last release left it. */
export async function releasedDatabase(service: ServiceName): Promise<ReleasedDatabase> {
  const prefix = `r${randomBytes(4).toString('hex')}_`;
  const password = randomBytes(12).toString('hex');
  const { databaseUrl } = infra();
  const made = await provision(databaseUrl, {
    names: [service],
    passwords: { [`${service}_owner`]: password, [`${service}_service`]: password },
    prefix,
  });
  const { database: name, ownerUrl, serviceUrl } = made[service]!;
  const folder = await mkdtemp(join(tmpdir(), 'released-'));
  await migrate(
    ownerUrl,
    await copyReleased(`services/${service}`, folder),
    await copyReleased('shared', folder),
  ).finally(() => rm(folder, { recursive: true }));
  const database = await openDatabase({
    url: serviceUrl,
    name: 'replica',
    pool: 6,
    logger: createLogger('test', 'silent'),
  });
  return {
    database,
    asOwner: (statement, parameters = []) => sql(ownerUrl, statement, parameters),
    ownerUrl,
    upgrade: () => migrate(ownerUrl, new URL(`services/${service}/migrations/`, ROOT)),
    drop: async () => {
      await database.close();
      await sql(databaseUrl, `drop database if exists ${name} with (force)`);
      await sql(databaseUrl, `drop role if exists ${name}_owner, ${name}_service`);
    },
  };
}

/** Repeats each of these from now on, side by side; `stop` resolves when all have ended, and rejects with the first failure. */
export function keepDoing(works: (() => Promise<unknown>)[]) {
  let stopped = false;
  let rounds = 0;
  const running = Promise.all(
    works.map(async (work) => {
      while (!stopped) {
        await work();
        rounds += 1;
      }
    }),
  );
  running.catch(() => (stopped = true));
  return {
    rounds: () => rounds,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
