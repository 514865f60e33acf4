import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { columnTypes } from '../kit/database/connection.ts';
import type { ServiceName } from '../contract/names.ts';
import { eventually } from './wait.ts';

/** Servers of this test run; globalSetup passes them to the workers. */
export interface TestInfra {
  databaseUrl: string;
  natsUrl: string;
  redisUrl?: string;
  /** Prefix of this run's roles and databases; `<run>_<service>` is that service's migrated template. */
  run: string;
  /** Password of this run's roles. */
  password: string;
}

/** Folder for the uploaded files of a run. */
export const filesFolder = (run: string) => join(tmpdir(), 'tutoring-test-files', run);

const VARIABLE = 'TUTORING_TEST_INFRA';

export const publishInfra = (infra: TestInfra) => void (process.env[VARIABLE] = JSON.stringify(infra));

/** The servers that globalSetup started. Throws outside a test run. */
export function infra(): TestInfra {
  const text = process.env[VARIABLE];
  if (!text) throw new Error('no test servers: run the tests with npm test or npm run jest');
  return JSON.parse(text) as TestInfra;
}

/** Connection pools by URL: connecting costs ten times as much as a statement. */
const pools = new Map<string, pg.Pool>();

function poolOf(url: string): pg.Pool {
  const pool = pools.get(url) ?? new pg.Pool({ connectionString: url, types: columnTypes, allowExitOnIdle: true });
  // A test may end connections and servers; the next statement uses a new connection.
  if (!pools.has(url)) pool.on('error', () => undefined);
  pools.set(url, pool);
  return pool;
}

export const sql = async (url: string, statement: string, parameters: unknown[] = []) =>
  (await poolOf(url).query<Record<string, unknown>>(statement, parameters)).rows;

export function withDatabase(url: string, database: string, user?: { name: string; password: string }): string {
  const result = new URL(url);
  result.pathname = `/${database}`;
  if (user) {
    result.username = user.name;
    result.password = user.password;
  }
  return result.href;
}

const owner = (run: string, service: string) => `${run}_${service}_owner`;
const member = (run: string, service: string) => `${run}_${service}_service`;
const template = (run: string, service: string) => `${run}_${service}`;

const OBJECT_IN_USE = '55006';

/**
 * Repeats a statement about a whole database while it has sessions of others, be it of autovacuum: PostgreSQL waits only
 * five seconds until they have ended.
 */
const whileInUse = (what: string, statement: string) =>
  eventually(what, () =>
    sql(infra().databaseUrl, statement).catch((error: { code?: string }) => {
      if (error.code !== OBJECT_IN_USE) throw error;
      return undefined;
    }),
  );

export interface TestDatabase {
  /** URL for the service's role. */
  url: string;
  /** URL for the schema's owner: for migrations, and for anything that the service must not do. */
  ownerUrl: string;
  /** URL of the standby. */
  readUrl?: string;
  drop(): Promise<void>;
}

/** Creates a database for the service, cloned from its migrated template. */
export async function cloneDatabase(service: ServiceName): Promise<TestDatabase> {
  const { databaseUrl, run, password } = infra();
  const name = `${run}_${service}_${randomBytes(5).toString('hex')}`;
  // Half as expensive as the default strategy, which writes every page of the template to the WAL.
  const source = `template ${template(run, service)} strategy file_copy`;
  await whileInUse('the database is created', `create database ${name} owner ${owner(run, service)} ${source}`);
  return {
    url: withDatabase(databaseUrl, name, { name: member(run, service), password }),
    ownerUrl: withDatabase(databaseUrl, name, { name: owner(run, service), password }),
    // With `force` PostgreSQL ends all sessions of the database.
    drop: async () =>
      void (await whileInUse('the database is dropped', `drop database if exists ${name} with (force)`)),
  };
}
