import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countBacklog } from '@tutoring/shared/database/tally';
import { rowsRead } from '@tutoring/shared/testing/plans';
import { recountInSteps } from '@tutoring/shared/testing/tally';
import { insist } from '@tutoring/shared/testing/wait';
import { backlogs, statusTotals } from '../src/stats/stats-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
beforeAll(async () => {
  wallet = await startWallet();
  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 1, version: 1 });
});
afterAll(() => wallet.stop());

/** The totals as a count of the rows has them. */
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

const told = async () => (await wallet.service.api.service('identity').get('/internal/stats')).body;
const agree = async () => {
  const { deposits, withdrawals } = await told();
  expect(deposits).toEqual(await counted('deposit'));
  expect(withdrawals).toEqual(await counted('withdrawal'));
};

test('fifty writers at once leave counters that equal a count of the rows', async () => {
  const su = wallet.service.api.admin('su');
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const student = 100 + (index % 10);
      const deposit = async (amount: number) =>
        (await insist(() => wallet.service.api.student(student).post('/api/deposits', { amount }))).body.id as number;
      const [paid, open] = [await deposit(100 + index), await deposit(500)];
      await insist(() => wallet.provider(paid, 'succeeded'));
      if (index % 3 === 0) await insist(() => wallet.provider(open, 'failed'));
      if (index % 5 === 0) await insist(() => su.put(`/api/admin/deposits/${paid}`, { status: 'canceled' }));
      if (index % 7 === 0) await insist(() => wallet.withdraw(student, 10));
    }),
  );
  await agree();
  expect((await told()).deposits.count).toBe(100);
  const [deadlocks] = await wallet.service.rows<{ n: number }>(
    'select deadlocks as n from pg_stat_database where datname = current_database()',
  );
  expect(deadlocks!.n).toBe(0);
});

test('deposits from before the counters are counted in steps, exact in between and while they change', async () => {
  await wallet.service.asOwner(
    `insert into deposit (user_id, amount, currency, status, provider) select g, g, 'XOF', 'pending', 'sandbox' from generate_series(1, 500) g`,
  );
  const [backlog] = backlogs;
  let turn = 0;
  await recountInSteps(wallet.service, {
    backlog: backlog!,
    table: 'deposit',
    last: '(select max(id)::text from deposit)',
    step: 100,
    between: async () => {
      // Some that are counted by now, some that are not, and new ones.
      turn += 1;
      await wallet.service.asOwner(
        `update deposit set status = 'canceled' where status = 'pending' and id % 13 = ${turn}`,
      );
      await wallet.topUp(7, 100);
      expect((await told()).deposits).toEqual(await counted('deposit'));
    },
  });
});

test('a deposit that changes while a step would pass it is counted once', async () => {
  const [backlog] = backlogs;
  await recountInSteps(wallet.service, {
    backlog: backlog!,
    table: 'deposit',
    last: '(select max(id)::text from deposit)',
    step: 100_000,
    between: async () => {
      const writers = Array.from({ length: 20 }, (_, nr) =>
        wallet.service.asOwner(
          `update deposit set status = case status when 'pending' then 'failed' else 'pending' end where id % 20 = ${nr} and status in ('pending', 'failed')`,
        ),
      );
      await wallet.service.service.database.transact((tx) => countBacklog(tx, backlog!, 50));
      await Promise.all(writers);
    },
  });
  expect((await told()).deposits).toEqual(await counted('deposit'));
});

test('the totals read none of 100,000 deposits', async () => {
  await wallet.service.asOwner(
    `insert into deposit (user_id, amount, currency, status, provider) select g, 1, 'XOF', 'success', 'sandbox' from generate_series(1, 100000) g`,
  );
  expect(await rowsRead(wallet.service, 'deposit', (tx) => statusTotals(tx, 'deposit'))).toBe(0);
  expect((await told()).deposits).toEqual(await counted('deposit'));
});
