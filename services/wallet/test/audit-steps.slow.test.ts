import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database, type Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import { createLogger } from '@tutoring/shared/process/logger';
import { createMetrics } from '@tutoring/shared/process/metrics';
import { eventually } from '@tutoring/shared/testing/wait';
import { auditJob } from '../src/audit/audit-job.ts';
import { auditStep } from '../src/audit/audit-service.ts';
import { inSnapshot } from '../src/audit/audit-store.ts';
import { countLedger } from '../src/stats/stats-store.ts';
import { COUNT_NEW, findingsAfter, outcomeOf } from './audit-trial.ts';
import { fillBooks, TAMPERINGS } from './tamperings.ts';
import { startWallet, type Wallet } from './wallet.ts';

/** Some blocks of the books are full, so that there is a past. */
const SIZE = 5;
/** More steps than a round over the books takes, and than one of small steps does. */
const ROUND = 6;
const LONG_ROUND = 20;

let wallet: Wallet;
let owner: Database;

/** Audits until nothing is left in front and every round is through. */
async function auditAll(size = SIZE): Promise<void> {
  const { database } = wallet.service.service;
  const newest = (await wallet.service.rows<{ id: number }>('select max(id) as id from transfer'))[0]!.id;
  await eventually('the ledger is counted', async () => {
    await database.transact((tx) => countLedger(tx));
    return (await wallet.service.rows('select from ledger_day_mark where counted_to >= $1', [newest])).length > 0;
  });
  for (let step = 0; step < LONG_ROUND; step += 1) await inSnapshot(database, (tx) => auditStep(tx, size));
}

const findings = () => wallet.service.rows<{ subject: string }>('select subject from audit_finding order by subject');

beforeAll(async () => {
  wallet = await startWallet();
  // The service's own audit would take the findings of these tests away.
  await holdLease();
  await fillBooks(wallet);
  await auditAll();
  const logger = createLogger('wallet', 'silent');
  owner = await openDatabase({ url: wallet.service.ownerUrl, name: 'tamperer', pool: 2, logger });
});
afterAll(async () => {
  await owner.close();
  await wallet.stop();
});

const holdLease = () =>
  wallet.service.asOwner(
    `insert into lease values ('audit', gen_random_uuid(), 'infinity')
     on conflict (name) do update set holder = excluded.holder, until = excluded.until`,
  );

/** What `look` returns after `statements`, which are rolled back. */
const after = <T>(statements: string[], look: (tx: Tx) => Promise<T>) => outcomeOf(owner, statements, look);
const findingsOf = (steps: number, size = SIZE) => findingsAfter(steps, size);

test('nothing is found in a correct ledger, all of whose transfers are in blocks', async () => {
  expect(await findings()).toEqual([]);
  const [books] = await wallet.service.rows(
    `select count(*) > 2 as past, sum(transfers)::bigint as transfers, (select count(*) from transfer) as expected from audit_block`,
  );
  expect(books).toEqual({
    past: true,
    transfers: (books as { expected: number }).expected,
    expected: expect.any(Number),
  });
  const walks = await wallet.service.rows<{ name: string }>('select name from audit_walk where sound_at is not null');
  expect(walks).toHaveLength(7);
});

describe('a round finds', () => {
  test.each(TAMPERINGS)('%s', async (_name, statements, named) => {
    expect(await after([...statements, ...COUNT_NEW], findingsOf(ROUND, 5_000))).toContain(named);
  });

  test.each([
    [
      'an old transfer that nothing else speaks of',
      `update transfer set created_at = created_at - interval '1 day' where id = 1`,
      'block:1 (transfers 1 to ',
    ],
    ['an old transfer removed', 'delete from transfer where id = 2', 'block:1 (transfers 1 to '],
    ['a block with other sums', 'update audit_block set amount = amount + 1 where block = 1', 'block:1'],
    ['a block with other totals', 'update audit_block set total_amount = total_amount + 1 where block = 1', 'block:1'],
    ['a block sealed anew', `update audit_block set chain = md5('x') where block = 1`, 'block:2'],
    ['a block removed', 'delete from audit_block where block = 2', 'every block is there | block:2'],
    [
      'a forged checkpoint of an account',
      'update audit_account set balance = balance + 7 where user_id = 1',
      'checkpoint of account:1',
    ],
    [
      'a balance raised together with its checkpoint',
      'update account set balance = balance + 7 where user_id = 1; update audit_account set balance = balance + 7 where user_id = 1',
      'a balance is the sum of its transfers | account:1',
    ],
  ])('%s', async (_name, statement, named) => {
    expect(await after([statement], findingsOf(ROUND))).toContain(named);
  });
});

describe('the next step finds', () => {
  test.each([
    [
      'the newest transfer changed',
      'update transfer set amount = amount + 1 where id = (select max(id) from transfer)',
      'the transfers of a block',
    ],
    [
      'the newest transfer removed',
      'delete from transfer where id = (select max(id) from transfer)',
      'the transfers of a block',
    ],
    [
      'the newest block edited',
      'update audit_block set digest = md5(digest) where block = (select max(block) from audit_block)',
      'the transfers of a block',
    ],
    [
      'the newest block sealed anew',
      'update audit_block set chain = md5(chain) where block = (select max(block) from audit_block)',
      'the newest block is the one that was written last',
    ],
    [
      'the newest block removed',
      'delete from audit_block where block = (select max(block) from audit_block)',
      'the newest block is the one that was written last',
    ],
    ['all blocks removed', 'delete from audit_block', 'the newest block is the one that was written last'],
    [
      'statistics that count more',
      'update ledger_day set amount = amount + 1',
      'blocks and statistics have counted the same transfers',
    ],
    [
      'a balance that drifts, when its user is next paid',
      `update account set balance = balance + 70 + 1 where user_id = 3;
       insert into transfer (kind, reference, debit_account, credit_account, amount) values ('deposit', 'deposit:2:5', -10, 3, 70);
       update audit_walk set cursor = '{"user_id": 1000, "after_id": 0, "total": 0}' where name = 'accounts'`,
      'a balance is the sum of its transfers | account:3',
    ],
    [
      'a deposit forged',
      `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('deposit', 'deposit:777:1', -10, 3, 70)`,
      'deposit:777',
    ],
  ])('%s', async (_name, statement, named) => {
    const statements = [statement, ...COUNT_NEW];
    expect(await after(statements, findingsOf(1))).toContain(named);
  });
});

describe('while the audit is behind', () => {
  /** So many transfers of user 1, all of them right. */
  const spent = (name: string, count: number) => `
    insert into transfer (kind, reference, debit_account, credit_account, amount)
    select 'forfeit', 'forfeit:1:${name}' || n, 1, -2, 1 from generate_series(1, ${count}) n;
    update account set balance = balance - ${count} where user_id = 1`;
  /** More than a small step takes. */
  const MORE = spent('', 9);
  const PAID = (reference: string) =>
    `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('deposit', '${reference}', -10, 3, 70)`;

  test('a transfer is forged under a reference that is not the first of its kind: it is found', async () => {
    const forged = [PAID('deposit:777:2'), 'update account set balance = balance + 70 where user_id = 3', MORE];
    expect(await after([...forged, ...COUNT_NEW], findingsOf(LONG_ROUND, 2))).toContain('deposit:777');
  });

  test('a balance drifts: it is found when the user is next paid, before any round', async () => {
    const drift = [PAID('deposit:2:5'), 'update account set balance = balance + 70 + 1 where user_id = 3', MORE];
    const found = await after([...drift, ...COUNT_NEW], async (tx) => {
      expect((await auditStep(tx, 2)).isBehind).toBe(true);
      return findingsOf(0)(tx);
    });
    expect(found).toContain('a balance is the sum of its transfers | account:3');
  });

  test('another user has more transfers than a step reads: who comes behind is looked at before it has caught up', async () => {
    const paid = [PAID('deposit:2:5'), 'update account set balance = balance + 71 where user_id = 3'];
    const drift = [spent('a', 1), ...paid, spent('b', 50)];
    const found = await after([...drift, ...COUNT_NEW], async (tx) => {
      const subjects: string[] = [];
      let step = await auditStep(tx, 2);
      for (; step.isBehind; step = await auditStep(tx, 2)) subjects.push(...step.found.map(({ subject }) => subject));
      return subjects;
    });
    expect(found).toContain('account:3');
  });
});

test('a finding stays until its subject adds up again', async () => {
  const drift = (by: number) =>
    wallet.service.asOwner(`update account set balance = balance + ${by} where user_id = 3`);
  await drift(1);
  await auditAll();
  expect(await findings()).toEqual([{ subject: 'account:3' }]);
  const step = () => inSnapshot(wallet.service.service.database, (tx) => auditStep(tx, SIZE));
  expect(await step()).toEqual({ isBehind: false, found: [] });
  expect(await findings()).toEqual([{ subject: 'account:3' }]);
  await drift(-1);
  await step();
  expect(await findings()).toEqual([]);
});

test('an account with more transfers than a step reads is counted in pieces', async () => {
  await wallet.service.asOwner('update account set balance = balance + 1 where user_id = 2');
  await auditAll(2);
  expect(await findings()).toEqual([{ subject: 'account:2' }]);
  await wallet.service.asOwner('update account set balance = balance - 1 where user_id = 2');
  await auditAll(2);
  expect(await findings()).toEqual([]);
});

test('a transfer that commits later than the ones behind it gets into its block', async () => {
  const { database } = wallet.service.service;
  const count = () => database.transact((tx) => countLedger(tx));
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const late = owner.transact(async (tx) => {
    await rows(
      tx,
      `insert into transfer (kind, reference, debit_account, credit_account, amount) values ('forfeit', 'forfeit:3:1', 3, -2, 5)`,
    );
    await rows(tx, 'update account set balance = balance - 5 where user_id = 3');
    begin();
    await released;
  });
  await begun;
  await wallet.topUp(1, 100);
  for (let turn = 0; turn < 3; turn += 1) {
    await count();
    await inSnapshot(database, (tx) => auditStep(tx, SIZE));
  }
  release();
  await late;
  await wallet.topUp(1, 100);
  await auditAll();
  expect(await findings()).toEqual([]);
  const [sums] = await wallet.service.rows<{ blocks: number; ledger: number }>(
    'select (select sum(transfers)::bigint from audit_block) as blocks, (select count(*) from transfer) as ledger',
  );
  expect(sums!.blocks).toBe(sums!.ledger);
});

test('steps find nothing while money moves, and checkpoints follow', async () => {
  const { database } = wallet.service.service;
  let busy = true;
  const mover = (async () => {
    for (let step = 1; busy; step += 1)
      await wallet.charge({ call: 'moving', step, student: 1, teacher: 6, amount: 1, percent: 50, next: 3 });
  })();
  for (let turn = 0; turn < 30; turn += 1) {
    await database.transact((tx) => countLedger(tx));
    await inSnapshot(database, (tx) => auditStep(tx, SIZE));
  }
  busy = false;
  await mover;
  await auditAll(50);
  expect(await findings()).toEqual([]);
  const [sums] = await wallet.service.rows<{ wrong: number }>(
    `select count(*) as wrong from audit_account c where balance <> (
       select coalesce(sum(case when credit_account = c.user_id then amount else -amount end), 0) from transfer
       where c.user_id in (credit_account, debit_account) and id <= c.up_to_id)`,
  );
  expect(sums!.wrong).toBe(0);
});

test('only the replica that holds the lease audits; every one tells what was found', async () => {
  const { database } = wallet.service.service;
  const replica = () => {
    const metrics = createMetrics('wallet');
    const job = auditJob({ database, logger: createLogger('wallet', 'silent'), metrics });
    const told = async (name: string) => (await metrics.registry.getSingleMetric(name)!.get()).values[0]!.value;
    return { job, told };
  };
  await wallet.service.asOwner('update account set balance = balance + 1 where user_id = 3');
  const follower = replica();
  await follower.job.run();
  expect(await findings()).toEqual([]);
  expect(await follower.told('ledger_audit_rechecked_seconds')).toBeGreaterThan(0);

  await wallet.service.asOwner(`delete from lease where name = 'audit'`);
  await wallet.service.asOwner(
    `update audit_walk set cursor = '{"user_id": 0, "after_id": 0, "total": 0}' where name = 'accounts'`,
  );
  const leader = replica();
  await leader.job.run();
  expect(await leader.told('ledger_audit_findings')).toBe(1);
  await holdLease();
  const other = replica();
  await other.job.run();
  expect(await other.told('ledger_audit_findings')).toBe(1);
  await wallet.service.asOwner('update account set balance = balance - 1 where user_id = 3');
});
