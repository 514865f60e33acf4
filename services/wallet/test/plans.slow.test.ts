import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '@tutoring/shared/kit/database/open';
import { row, rows } from '@tutoring/shared/kit/database/sql';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { FROM_SERIES, partitionsRead, ROWS, scansOfJobs } from '@tutoring/shared/testing/plans';
import { auditNewTransfers } from '../src/audit/audit-job.ts';
import { transactAuditStep } from '../src/audit/audit-store.ts';
import { creditedBy, findChargeState } from '../src/ledger/ledger-store.ts';
import { countLedger } from '../src/stats/stats-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

const logger = createLogger('wallet', 'silent');

let wallet: Wallet;
beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

/** Tables that grow by only a few lines per 8,192 rows. */
const TALLIED = ['deposit', 'withdrawal', 'payment', 'dispute', 'deposit_refund', 'payout_batch', 'break'];
const TALLIES = TALLIED.map((table) => `${table}_tally`);

/** Runs audit steps until all transfers are sealed, and one more. */
async function auditInSteps() {
  const { database } = wallet.service.service;
  const size = 0.02 * ROWS;
  await wallet.service.asOwner(`insert into ledger_day (day, kind, count, amount, first_id, last_id)
    select (created_at at time zone 'UTC')::date, kind, count(*), sum(amount), min(id), max(id) from transfer group by 1, 2`);
  await wallet.service.asOwner(
    `insert into ledger_day_mark (counted_to, next_to, next_xid) select max(id), max(id), '0' from transfer`,
  );
  const step = () => transactAuditStep(database, (tx) => auditNewTransfers(tx, size));
  while ((await step()).isMore);
  await wallet.service.asOwner(`update audit_mark set due_at = '-infinity'`);
  await step();
}

test("no job, no daily figure, and no search in a person's own list scans a whole growing table", async () => {
  const growing = {
    account: `(user_id) select g ${FROM_SERIES}`,
    transfer: `(kind, reference, debit_account, credit_account, amount) select 'call', 'call:' || g || ':step:1', g, g + 1, 1 ${FROM_SERIES}`,
    hold: `(reference, user_id, amount, state, expires_at) select 'h' || g, g, 0, 'released', null ${FROM_SERIES}`,
    deposit: `(user_id, amount, currency, status, provider) select g, 1, 'XOF', 'success', 'sandbox' ${FROM_SERIES}`,
    withdrawal: `(user_id, amount, currency, status) select g, 1, 'XOF', 'success' ${FROM_SERIES}`,
    payment: `(source, user_id, type, direction, amount, currency, status) select 's' || g, g, 'call', 'in', 1, 'XOF', 'success' ${FROM_SERIES}`,
    audit_account: `(user_id, balance) select g, 0 ${FROM_SERIES}`,
    webhook_event: `(provider, event_id, type) select 'sandbox', g, 'x' ${FROM_SERIES}`,
    dispute: `(deposit_id, user_id, provider, provider_ref, amount, currency, reason, status)
      select id, user_id, provider, 'd' || id, 1, 'XOF', 'x', 'lost' from deposit`,
    dispute_step: `(dispute_id, event) select id, 'lost' from dispute`,
    deposit_refund: `(deposit_id, user_id, amount, currency, status, provider, refund_key)
      select id, user_id, 1, 'XOF', 'success', provider, 'k' || id from deposit`,
    break: `(kind, provider, reference, status) select 'amount', 'sandbox', 'b' || g, 'resolved' ${FROM_SERIES}`,
    payout_account: `(user_id, method, kind, account, holder_name, usable_at) select g, 'bank', 'text', 'SN-' || g, 'n', app_now() ${FROM_SERIES}`,
    payout_batch: `(status, format, currency, needs_approval, creator_id, creator_name) select 'closed', 'csv', 'XOF', false, 1, 'n' ${FROM_SERIES}`,
    payout_item: `(batch_id, withdrawal_id, user_id, amount, status) select 1, g, g, 1, 'paid' ${FROM_SERIES}`,
    payout_import: `(batch_id) select 1 ${FROM_SERIES}`,
    payout_result: `(import_id, line, verdict) select 1, g, 'paid' ${FROM_SERIES}`,
    user_copy: `select g, 'student', 'active', false, 'n', 'e', 'p', 1 ${FROM_SERIES}`,
  };
  const small = [
    ...['system_account', 'setting_copy', 'ledger_day_mark', 'ledger_day', 'payout_file', 'reconciliation'],
    ...['audit_mark', 'audit_whole', 'audit_finding', 'audit_block'],
    ...TALLIES,
  ];
  // New transfers are audited below, in smaller steps; the whole ledger is read at night.
  const except = ['audit', 'recheck-ledger'];
  // The job would count all rows in one run; the next test covers counting in steps.
  await wallet.service.asOwner('delete from ledger_day_mark');
  const also = async () => {
    await auditInSteps();
    expect((await wallet.service.api.service('identity').get('/internal/stats')).status).toBe(200);
    const own = await wallet.service.api.student(7).post('/api/paymentsall', { filter_value: 'n' });
    expect(own.body.total).toBe(1);
    const { api } = wallet.service;
    await api.student(7).get('/api/wallet/transactions.csv?from=2020-01-01&to=2020-01-31');
    expect((await api.service('identity').get('/internal/stats/days?from=2020-01-01&to=2020-12-31')).status).toBe(200);
    expect((await api.service('calls').get('/internal/calls/7/ledger')).body.charges).toHaveLength(1);
    expect((await api.admin().post('/api/paymentsall', { type: 'refund', direction: 'in' })).body.total).toBe(0);
  };
  expect(await scansOfJobs(wallet.service, { growing, small, except, also })).toEqual([]);
});

test('a large uncounted ledger is counted in steps, each transfer once', async () => {
  const owner = await openDatabase({ url: wallet.service.ownerUrl, name: 'counter', pool: 1, logger });
  const STEP = 0.3 * ROWS;
  // In one transaction, because the job of the service would count everything in one step.
  const { steps, total } = await owner.transact(async (tx) => {
    const counted = async () =>
      (await row<{ n: number }>(tx, 'select coalesce(sum(count), 0)::bigint as n from ledger_day'))!.n;
    await rows(tx, 'truncate ledger_day');
    const mark = await row<{ total: number }>(
      tx,
      `update ledger_day_mark set counted_to = 0, next_to = (select max(id) from transfer), next_xid = '0'
       returning (select count(*) from transfer) as total`,
    );
    const found: number[] = [];
    let isMore = true;
    while (isMore) {
      isMore = await countLedger(tx, STEP);
      found.push(await counted());
    }
    return { steps: found, total: mark!.total };
  });
  await owner.close();
  expect(steps).toEqual([STEP, 2 * STEP, 3 * STEP, total]);
});

test('a lookup by a whole reference reads one partition', async () => {
  const reference = 'call:7:step:1';
  const works: Parameters<typeof partitionsRead>[2][] = [
    (tx) => creditedBy(tx, 'call', reference),
    // Enough executions for PostgreSQL to choose a generic plan.
    async (tx) => {
      for (let round = 0; round < 8; round += 1)
        expect((await findChargeState(tx, [{ reference, hold: 'h7' }], 60)).prior.get(reference)).toEqual({
          debit: 7,
          amount: 1,
        });
    },
  ];
  for (const work of works)
    expect([work.toString(), await partitionsRead(wallet.service, 'transfer', work)]).toEqual([work.toString(), 1]);
});
