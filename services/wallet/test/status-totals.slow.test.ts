import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsRead } from '@tutoring/shared/testing/plans';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { statusTotals } from '../src/stats/stats-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
beforeAll(async () => {
  wallet = await startWallet();
  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 1, version: 1 });
});
afterAll(() => wallet.stop());

/** The expected totals, by a count of the rows. */
async function counted(table: string) {
  const found = await wallet.service.rows<{ status: string; count: number; amount: number }>(
    `select status, count(*) as count, sum(amount) as amount from ${table} group by status`,
  );
  const none = { initiated: 0, pending: 0, success: 0, failed: 0, canceled: 0 };
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    amount: found.find(({ status }) => status === 'success')?.amount ?? 0,
    by_status: { ...none, ...Object.fromEntries(found.map(({ status, count }) => [status, count])) },
  };
}

const stats = async () => (await wallet.service.api.service('identity').get('/internal/stats')).body;
const expectExactTotals = async () => {
  const { deposits, withdrawals } = await stats();
  expect(deposits).toEqual(await counted('deposit'));
  expect(withdrawals).toEqual(await counted('withdrawal'));
};

test('the totals equal a count of the rows after fifty concurrent writers', async () => {
  const su = wallet.service.api.admin('su');
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const student = 100 + (index % 10);
      const deposit = async (amount: number) =>
        (await retryWhile503(() => wallet.service.api.student(student).post('/api/deposits', { amount }))).body
          .id as number;
      const [paid, open] = [await deposit(100 + index), await deposit(500)];
      await retryWhile503(() => wallet.provider(paid, 'succeeded'));
      if (index % 3 === 0) await retryWhile503(() => wallet.provider(open, 'failed'));
      if (index % 5 === 0) await retryWhile503(() => su.put(`/api/admin/deposits/${paid}`, { status: 'canceled' }));
      if (index % 7 === 0) await retryWhile503(() => wallet.withdraw(student, 10));
    }),
  );
  await expectExactTotals();
  expect((await stats()).deposits.count).toBe(100);
  const [deadlocks] = await wallet.service.rows<{ n: number }>(
    'select deadlocks as n from pg_stat_database where datname = current_database()',
  );
  expect(deadlocks!.n).toBe(0);
});

test('the totals are read without reading any of 100,000 deposits', async () => {
  await wallet.service.asOwner(
    `insert into deposit (user_id, amount, currency, status, provider) select g, 1, 'XOF', 'success', 'sandbox' from generate_series(1, 100000) g`,
  );
  expect(await rowsRead(wallet.service, 'deposit', (tx) => statusTotals(tx, 'deposit'))).toBe(0);
  expect((await stats()).deposits).toEqual(await counted('deposit'));
});
