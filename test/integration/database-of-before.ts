import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate, sharedMigrations } from '@tutoring/shared/database/migrate';
import { openDatabase, type Database } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import { createLogger } from '@tutoring/shared/logger';
import type { ServiceName } from '@tutoring/shared/process-names';
import { infra, sql } from '@tutoring/shared/testing/infra';
import { provision } from '../../deploy/local/provision.ts';

const ROOT = new URL('../../', import.meta.url);

export interface DatabaseOfBefore {
  /** As a replica opens it, with its role and its time-outs. */
  database: Database;
  asOwner: (statement: string, parameters?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Runs the migrations that it lacks and that `unwanted` does not name. */
  upgrade: (unwanted?: Unwanted) => Promise<void>;
  /** Runs `work` while a transaction of the owner that has made this statement is open. */
  whileOwnerHas: (statement: string, work: () => Promise<unknown>) => Promise<void>;
  drop: () => Promise<void>;
}

/** Whether a database shall lack the migration with this file name. */
export type Unwanted = (file: string) => boolean;

/** The migrations that came after the release that partitions tables and counts what is unread. */
export const afterPartitions: Unwanted = (file) => file >= (file < '1764' ? '1763000001740' : '1764000001740');

/** A database of the service without these migrations, as a roll-out finds it. */
export async function databaseOfBefore(service: ServiceName, lacking: Unwanted): Promise<DatabaseOfBefore> {
  const password = randomBytes(12).toString('hex');
  const { databaseUrl } = infra();
  const made = await provision(databaseUrl, {
    names: [service],
    passwords: { [`${service}_owner`]: password, [`${service}_service`]: password },
    prefix: `b${randomBytes(4).toString('hex')}_`,
  });
  const { database: name, ownerUrl, serviceUrl } = made[service]!;
  const upgrade = async (unwanted: Unwanted = () => false) => {
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    const [own, shared] = [pathToFileURL(`${folder}/own/`), pathToFileURL(`${folder}/shared/`)];
    const filter = (path: string) => !path.endsWith('.sql') || !unwanted(basename(path));
    try {
      await cp(new URL(`services/${service}/migrations/`, ROOT), own, { recursive: true, filter });
      await cp(sharedMigrations, shared, { recursive: true, filter });
      await migrate(ownerUrl, own, shared);
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  await upgrade(lacking);
  const logger = createLogger('test', 'silent');
  const database = await openDatabase({ url: serviceUrl, name: 'replica', pool: 6, logger });
  const whileOwnerHas = async (statement: string, work: () => Promise<unknown>) => {
    const owner = await openDatabase({ url: ownerUrl, name: 'owner', pool: 1, logger });
    const held = owner.transact(async (tx) => {
      await rows(tx, 'set local idle_in_transaction_session_timeout = 0');
      await rows(tx, statement);
      await work();
    });
    await held.finally(() => owner.close());
  };
  return {
    database,
    asOwner: (statement, parameters = []) => sql(ownerUrl, statement, parameters),
    upgrade,
    whileOwnerHas,
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
