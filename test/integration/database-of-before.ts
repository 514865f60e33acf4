import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { migrate } from '@tutoring/shared/database/migrate';
import { openDatabase, type Database } from '@tutoring/shared/database/open';
import { createLogger } from '@tutoring/shared/logger';
import type { ServiceName } from '@tutoring/shared/process-names';
import { infra, sql } from '@tutoring/shared/testing/infra';
import { provision } from '../../deploy/local/provision.ts';

const ROOT = new URL('../../', import.meta.url);

export interface DatabaseOfBefore {
  /** As a replica opens it, with its role and its time-outs. */
  database: Database;
  asOwner: (statement: string, parameters?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Runs the migrations that it lacks. */
  upgrade: () => Promise<string[]>;
  drop: () => Promise<void>;
}

/** A database of the service without the migration `lacking`, as a roll-out finds it. */
export async function databaseOfBefore(service: ServiceName, lacking: string): Promise<DatabaseOfBefore> {
  const password = randomBytes(12).toString('hex');
  const { databaseUrl } = infra();
  const made = await provision(databaseUrl, {
    names: [service],
    passwords: { [`${service}_owner`]: password, [`${service}_service`]: password },
    prefix: `b${randomBytes(4).toString('hex')}_`,
  });
  const { database: name, ownerUrl, serviceUrl } = made[service]!;
  const migrations = new URL(`services/${service}/migrations/`, ROOT);
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(fileURLToPath(migrations), folder, { recursive: true, filter: (path) => basename(path) !== lacking });
  await migrate(ownerUrl, pathToFileURL(`${folder}/`)).finally(() => rm(folder, { recursive: true }));
  const logger = createLogger('test', 'silent');
  const database = await openDatabase({ url: serviceUrl, name: 'replica', pool: 6, logger });
  return {
    database,
    asOwner: (statement, parameters = []) => sql(ownerUrl, statement, parameters),
    upgrade: () => migrate(ownerUrl, migrations),
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
  let failure: Error | undefined;
  const running = Promise.all(
    works.map(async (work) => {
      while (!stopped) {
        await work();
        rounds += 1;
      }
    }),
  );
  running.catch((error: unknown) => {
    stopped = true;
    failure = error as Error;
  });
  return {
    /** Throws when one has failed. */
    rounds: () => {
      if (failure) throw failure;
      return rounds;
    },
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
