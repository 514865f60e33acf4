import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '@tutoring/shared/kit/database/open';
import { rows } from '@tutoring/shared/kit/database/sql';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { cloneDatabase, sql } from '@tutoring/shared/testing/infra';
import { deploy, type Deployment } from './replicas.ts';
import { auditLedger } from './audit.ts';
import { startPgBouncer, type PgBouncer } from './pgbouncer.ts';
import { checkNothingIsLost, waitForProgress, startTraffic } from './traffic.ts';

/* PgBouncer in transaction mode, with fewer connections to PostgreSQL than the services open. */

let pooler: PgBouncer;
beforeAll(async () => void (pooler = await startPgBouncer()));
afterAll(() => pooler.stop());

const open = (url: string) =>
  openDatabase({ url, name: 'wallet', pool: 2, pooler: 'transaction', logger: createLogger('wallet', 'silent') });

test('a session behind PgBouncer has the time-outs of its role', async () => {
  const clone = await cloneDatabase('wallet');
  const database = await open(pooler.through(clone.url));
  try {
    const [settings] = await rows(
      database.manager,
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
         current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone`,
    );
    expect(settings).toEqual({ statement: '5s', lock: '2s', idle: '10s', zone: 'UTC' });
  } finally {
    await database.close();
    await clone.drop();
  }
});

test('a service whose role lacks the time-outs does not start', async () => {
  const clone = await cloneDatabase('wallet');
  const database = new URL(clone.url).pathname.slice(1);
  try {
    const role = new URL(clone.url).username;
    await sql(pooler.adminUrl, `alter role ${role} in database ${database} set statement_timeout = 0`);
    await expect(open(pooler.through(clone.url))).rejects.toThrow('statement_timeout is 0 instead of 5000');
  } finally {
    await clone.drop();
  }
});

test('the audit of the ledger works through PgBouncer', async () => {
  const clone = await cloneDatabase('wallet');
  try {
    expect(await auditLedger({ url: pooler.through(clone.url) }, 'transaction')).toContain('adds up');
  } finally {
    await clone.drop();
  }
});

test('the whole system works through PgBouncer', async () => {
  const deployment: Deployment = await deploy(2, {
    databaseOf: async (name) => {
      const clone = await cloneDatabase(name);
      return { ...clone, url: pooler.through(clone.url) };
    },
    env: { DATABASE_POOLER: 'transaction' },
  });
  try {
    const traffic = await startTraffic(deployment);
    for (let round = 0; round < 10; round += 1) await waitForProgress(traffic);
    await checkNothingIsLost(deployment, traffic);
  } finally {
    await deployment.stop();
  }
});
