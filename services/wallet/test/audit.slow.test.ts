import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database, type Tx } from '@tutoring/shared/kit/database/open';
import { dynamic, rows } from '@tutoring/shared/kit/database/sql';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { createMetrics } from '@tutoring/shared/kit/process/metrics';
import { COMPILE_CACHE } from '@tutoring/shared/testing/compile-cache';
import { eventually } from '@tutoring/shared/testing/wait';
import { auditJobs, auditNewTransfers } from '../src/audit/audit-job.ts';
import { audit, transactAuditStep, saveFindings } from '../src/audit/audit-store.ts';
import { CHECKS, type Finding } from '../src/audit/check-store.ts';
import { runChecks } from '../src/audit/scope-store.ts';
import { countLedger } from '../src/stats/stats-store.ts';
import { fillBooks, SEALED_TAMPERINGS, TAMPERINGS } from './tamperings.ts';
import { startWallet, type Wallet } from './wallet.ts';

/** Small enough for the test ledger to fill several blocks. */
const SIZE = 5;
/** More steps than any of these tests needs. */
const STEPS = 20;
const NIGHT = 3;

let wallet: Wallet;
let owner: Database;
const logger = createLogger('wallet', 'silent');

/** Runs audit steps until no transfer is left; returns their findings. */
async function auditNew(tx: Tx, size = SIZE): Promise<Finding[]> {
  const found: Finding[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    await rows(tx, `update audit_mark set due_at = '-infinity'`);
    found.push(...(await auditNewTransfers(tx, size)).found);
  }
  return found;
}

const count = () => wallet.service.service.database.transact((tx) => countLedger(tx));
const auditLive = () => transactAuditStep(wallet.service.service.database, (tx) => auditNew(tx));

/**
 * Counts all transfers. An open transaction anywhere on the server, also in another test's database, delays the count.
 */
async function countAll(): Promise<void> {
  const newest = (await wallet.service.rows<{ id: number }>('select max(id) as id from transfer'))[0]!.id;
  await eventually('the ledger is counted', async () => {
    await count();
    return (await wallet.service.rows('select from ledger_day_mark where counted_to >= $1', [newest])).length > 0;
  });
}

/** Counts and seals all transfers. */
async function sealAll(): Promise<void> {
  await countAll();
  await auditLive();
}

const findings = () => wallet.service.rows<{ subject: string }>('select subject from audit_finding order by subject');

beforeAll(async () => {
  wallet = await startWallet({}, { jobless: true });
  await fillBooks(wallet);
  await sealAll();
  owner = await openDatabase({ url: wallet.service.ownerUrl, name: 'tamperer', pool: 2, logger });
});
afterAll(async () => {
  await owner.close();
  await wallet.stop();
});

const undo = new Error('undo');
/** The findings of `check` after `statements`; everything is rolled back. */
async function after(statements: string[], check: (tx: Tx) => Promise<Finding[]>): Promise<string> {
  let found = '';
  const tried = owner.transact(async (tx) => {
    for (const statement of statements) await rows(tx, dynamic(statement));
    found = (await check(tx)).map((finding) => Object.values(finding).join(' | ')).join('\n');
    throw undo;
  });
  await expect(tried).rejects.toBe(undo);
  return found;
}

/** Counts new transfers into the daily sums without waiting for other transactions. */
const COUNT_NEW = `
  insert into ledger_day as known (day, kind, count, amount, first_id, last_id)
  select (created_at at time zone 'UTC')::date, kind, count(*), sum(amount), min(id), max(id)
  from transfer where id > (select counted_to from ledger_day_mark) group by 1, 2
  on conflict (day, kind) do update set count = known.count + excluded.count, amount = known.amount + excluded.amount;
  update ledger_day_mark set counted_to = greatest(counted_to, (select max(id) from transfer))`;

test('the audit finds nothing in a correct ledger and seals all transfers', async () => {
  expect(await audit(wallet.service.service.database)).toEqual({
    accounts: 3,
    transfers: expect.any(Number),
    findings: [],
  });
  const [books] = await wallet.service.rows(
    `select count(*) > 2 as past, max(transfers) = (select count(*) from transfer) as complete from audit_block`,
  );
  expect(books).toEqual({ past: true, complete: true });
});

test.each([...TAMPERINGS, ...SEALED_TAMPERINGS])('the full audit finds %s', async (_name, statements, named) => {
  const whole = { tables: {}, checks: CHECKS };
  expect(await after(statements, async (tx) => saveFindings(tx, await runChecks(tx, whole)))).toContain(named);
});

const NEWEST = '(select max(id) from transfer)';
const NEWEST_BLOCK = '(select max(block) from audit_block)';
const PAID = (reference: string) =>
  `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('deposit', '${reference}', -10, 3, 70)`;

test.each([
  ...TAMPERINGS.filter(([, statements]) => statements.some((statement) => statement.includes('insert into transfer'))),
  ['a change of the newest transfer', [`update transfer set amount = amount + 1 where id = ${NEWEST}`], 'of a block'],
  ['the removal of the newest transfer', [`delete from transfer where id = ${NEWEST}`], 'of a block'],
  ['an edited newest block', [`update audit_block set amount = 1 where block = ${NEWEST_BLOCK}`], 'of a block'],
  ['the newest block resealed', [`update audit_block set chain = 'x' where block = ${NEWEST_BLOCK}`], 'the newest'],
  ['the removal of the newest block', [`delete from audit_block where block = ${NEWEST_BLOCK}`], 'the newest block'],
  ['the removal of all blocks', ['delete from audit_block'], 'the newest block is the one that was written last'],
  [
    'statistics with a higher sum than the transfers',
    ['update ledger_day set amount = amount + 1'],
    'blocks and statistics have counted the same transfers',
  ],
  [
    'a wrong balance when its user is next credited',
    ['update account set balance = balance + 70 + 1 where user_id = 3', PAID('deposit:2:5')],
    'a balance is the sum of its transfers | account:3',
  ],
])('the next audit step finds %s', async (_name, statements, named) => {
  expect(await after([...statements, COUNT_NEW], (tx) => auditNew(tx, 5_000))).toContain(named);
});

describe('when new transfers need several audit steps', () => {
  /** Correct transfers of user 1. */
  const spent = (name: string, many: number) => `
    insert into transfer (kind, reference, debit_account, credit_account, amount)
    select 'forfeit', 'forfeit:1:${name}' || n, 1, -2, 1 from generate_series(1, ${many}) n;
    update account set balance = balance - ${many} where user_id = 1`;

  test.each([
    ['a forged transfer whose reference has a number above 1', 'deposit:777:2', 70, 'deposit:777'],
    ['a wrong balance', 'deposit:2:5', 71, 'a balance is the sum of its transfers | account:3'],
  ])('the audit finds %s', async (_name, reference, credit, named) => {
    const credited = `update account set balance = balance + ${credit} where user_id = 3`;
    const statements = [spent('1', 9), PAID(reference), credited, spent('2', 9), COUNT_NEW];
    expect(await after(statements, (tx) => auditNew(tx, 2))).toContain(named);
  });
});

test('no block is added after a resealed block, and the finding stays', async () => {
  const forged = [`update audit_block set chain = 'x' where block = ${NEWEST_BLOCK}`, PAID('deposit:2:5'), COUNT_NEW];
  await after(forged, async (tx) => {
    const blocks = () => rows(tx, 'select block from audit_block');
    const before = await blocks();
    await auditNew(tx);
    expect(await blocks()).toEqual(before);
    expect(await rows(tx, 'select from audit_finding where subject = $1', ['the newest block'])).toHaveLength(1);
    return [];
  });
});

test('a transfer that commits after transfers with higher ids is still sealed', async () => {
  const [released, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = owner.transact(async (tx) => {
    await rows(tx, 'set local idle_in_transaction_session_timeout = 0');
    await rows(
      tx,
      `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('forfeit', 'forfeit:3:1', 3, -2, 5)`,
    );
    await rows(tx, 'update account set balance = balance - 5 where user_id = 3');
    begun.resolve();
    await released.promise;
  });
  await begun.promise;
  await wallet.topUp(1, 100);
  for (let round = 0; round < 3; round += 1) {
    await count();
    await auditLive();
  }
  released.resolve();
  await late;
  await wallet.topUp(1, 100);
  await sealAll();
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  const sealed = 'select from audit_block having max(transfers) = (select count(*) from transfer)';
  expect(await wallet.service.rows(sealed)).toHaveLength(1);
});

test('the audit finds nothing while money moves', async () => {
  let busy = true;
  const mover = (async () => {
    for (let step = 1; busy; step += 1)
      await wallet.charge({ call: 'moving', step, student: 1, teacher: 6, amount: 1, percent: 50, next: 3 });
  })();
  for (let round = 0; round < 10; round += 1) {
    await count();
    expect(await auditLive()).toEqual([]);
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  }
  busy = false;
  await mover;
  await sealAll();
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
});

describe('the audit jobs', () => {
  const replica = () => {
    const metrics = createMetrics('wallet');
    const { database } = wallet.service.service;
    const [audits, rechecks] = auditJobs({ database, logger, metrics, hour: NIGHT });
    const shown = async (name: string) => (await metrics.registry.getSingleMetric(name)!.get()).values[0]!.value;
    const runAll = async () => {
      await audits!.run();
      await rechecks!.run();
    };
    return { runAll, shown };
  };
  const drift = (by: number) =>
    wallet.service.asOwner(`update account set balance = balance + ${by} where user_id = 3`);
  const lastWhole = (moment: string) => wallet.service.asOwner(`update audit_whole set checked_at = ${moment}`);

  test('check the whole ledger once a night, and repeatedly while there are findings', async () => {
    const { runAll, shown } = replica();
    await runAll();
    await drift(1);
    await runAll();
    expect(await findings()).toEqual([]);
    const checked = await shown('ledger_audit_rechecked_seconds');

    await lastWhole(`clock_timestamp() - interval '1 day 1 minute'`);
    await runAll();
    expect(await findings()).toEqual([{ subject: 'account:3' }]);
    expect(await shown('ledger_audit_findings')).toBe(1);
    expect(await shown('ledger_audit_rechecked_seconds')).toBeGreaterThan(checked);

    await drift(-1);
    await runAll();
    expect(await findings()).toHaveLength(1);
    await lastWhole(`clock_timestamp() - interval '11 minutes'`);
    const other = replica();
    await other.runAll();
    expect(await other.shown('ledger_audit_findings')).toBe(0);
  });

  test('do not audit new transfers while another replica has just done so', async () => {
    await wallet.topUp(1, 100);
    await wallet.service.asOwner(`update audit_mark set due_at = 'infinity'`);
    const { runAll } = replica();
    await countAll();
    const blocks = () => wallet.service.rows('select block from audit_block');
    const before = await blocks();
    await runAll();
    expect(await blocks()).toEqual(before);
    await wallet.service.asOwner(`update audit_mark set due_at = '-infinity'`);
    await runAll();
    expect(await blocks()).toHaveLength(before.length + 1);
  });
});

test('the audit command prints the findings and exits 1, and exits 0 without findings', async () => {
  const run = () =>
    promisify(execFile)(process.execPath, [fileURLToPath(new URL('../src/audit/main.ts', import.meta.url))], {
      env: { ...process.env, ...COMPILE_CACHE, DATABASE_URL: wallet.service.config.DATABASE_URL },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    );
  expect(await run()).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^The ledger of 4 accounts and \d+ transfers adds up\.\n$/),
  });
  await wallet.service.asOwner('update account set balance = balance + 1 where user_id = 3');
  const wrong = await run();
  await wallet.service.asOwner('update account set balance = balance - 1 where user_id = 3');
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain('a balance is the sum of its transfers: account:3 should be 495, is 496');
});

const HISTORY = ['transfer', 'audit_block', 'audit_account', 'webhook_event'];
const RECORDS = ['deposit', 'withdrawal', 'payment', 'account', 'hold'];

test.each([
  ['update transfer set amount = 1'],
  ['truncate transfer'],
  ['update audit_block set amount = 1'],
  ['update webhook_event set event_id = null'],
  ...[...HISTORY, ...RECORDS].map((table) => [`delete from ${table}`]),
  [`insert into system_account values (-99, 'mine')`],
  ['alter table transfer disable trigger all'],
])('the role of the service has no right to: %s', async (statement) => {
  await expect(wallet.service.rows(statement)).rejects.toThrow(/permission denied|must be owner/);
});
