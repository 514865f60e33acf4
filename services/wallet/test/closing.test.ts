import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { audit } from '../src/audit/audit-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;

beforeAll(async () => {
  wallet = await startWallet();
  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 100, version: 1 });
});
afterAll(async () => {
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  await wallet.stop();
});

const identity = () => wallet.service.api.service('identity');
const ask = (user: number, forfeit: boolean) => identity().post(`/internal/users/${user}/obligations`, { forfeit });
const forfeit = async (user: number) => (await identity().post(`/internal/users/${user}/forfeit`, {})).body;
const balanceOf = async (account: number) => {
  const [sum] = await wallet.service.rows<{ sum: number }>(
    `select coalesce(sum(case when credit_account = $1 then amount else -amount end), 0) as sum
     from transfer where $1 in (credit_account, debit_account)`,
    [account],
  );
  return sum!.sum;
};
const put = (id: number, status: string) => wallet.service.api.admin('su').put(`/api/admin/deposits/${id}`, { status });

describe('while identity deletes an account', () => {
  test('a frozen account cannot start a withdrawal, deposit or call', async () => {
    const teacher = await wallet.teacherWith(500);
    expect((await ask(teacher, true)).body).toMatchObject({ open_withdrawals: 0, balance: 500 });
    const withdrawal = await wallet.withdraw(teacher, 200);
    expect([withdrawal.status, withdrawal.body.message]).toEqual([409, 'The account is closed or being closed.']);
    expect((await wallet.service.api.student(teacher).post('/api/deposits', { amount: 500 })).status).toBe(409);
    expect((await wallet.hold(`late-${teacher}`, teacher, 50)).status).toBe(402);
    expect(await wallet.balance(teacher)).toEqual({ balance: 500, held: 0, available: 500 });
  });

  test('a refused deletion freezes nothing, and a freeze expires when no deletion follows', async () => {
    const teacher = await wallet.teacherWith(500);
    await ask(teacher, false);
    const first = await wallet.withdraw(teacher, 200);
    expect(first.status).toBe(200);
    expect((await ask(teacher, true)).body).toEqual({ open_withdrawals: 1, balance: 500 });
    expect((await wallet.withdraw(teacher, 100)).status).toBe(200);
    const other = await wallet.teacherWith(500);
    await ask(other, true);
    await wallet.service.shiftClock(31);
    expect((await wallet.withdraw(other, 100)).status).toBe(200);
    await wallet.service.shiftClock(0);
  });

  test('a thaw ends only the freeze that it names', async () => {
    const teacher = await wallet.teacherWith(500);
    const thaw = (frozen: object) => identity().post(`/internal/users/${teacher}/thaw`, frozen);
    const [first, second] = [(await ask(teacher, true)).body.frozen, (await ask(teacher, true)).body.frozen];
    expect([first.before, second.before]).toEqual([null, first.until]);
    for (const frozen of [first, second, second]) {
      expect((await thaw(frozen)).status).toBe(200);
      expect((await wallet.withdraw(teacher, 200)).status).toBe(409);
    }
    expect((await thaw(first)).status).toBe(200);
    expect((await wallet.withdraw(teacher, 200)).status).toBe(200);
    expect((await ask(teacher, true)).body).toEqual({ open_withdrawals: 1, balance: 500 });
  });

  test('a thaw does not reopen a closed account', async () => {
    const teacher = await wallet.teacherWith(500);
    const { frozen } = (await ask(teacher, true)).body;
    await forfeit(teacher);
    await identity().post(`/internal/users/${teacher}/thaw`, frozen);
    expect((await ask(teacher, true)).body).toEqual({ open_withdrawals: 0, balance: 0 });
    expect((await wallet.withdraw(teacher, 200)).status).toBe(409);
  });

  test('either the withdrawal or the deletion is refused when both arrive at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const teacher = await wallet.teacherWith(300);
      const [withdrawal, obligations] = await Promise.all([wallet.withdraw(teacher, 300), ask(teacher, true)]);
      expect([
        [200, 1],
        [409, 0],
      ]).toContainEqual([withdrawal.status, obligations.body.open_withdrawals]);
    }
  });

  test('a payment is processed only after the decision on the deletion', async () => {
    const student = wallet.newUser();
    const { id } = (await wallet.service.api.student(student).post('/api/deposits', { amount: 400 })).body;
    await ask(student, false);
    expect((await wallet.provider(id, 'succeeded', `late-${id}`)).status).toBe(503);
    await wallet.tellUser(student, { deleted: true, version: 5 });
    expect((await wallet.provider(id, 'succeeded', `late-${id}`)).status).toBe(200);
    expect((await wallet.balance(student)).balance).toBe(0);
  });
});

describe('after the deletion', () => {
  test('the forfeit of the balance closes the account for ever', async () => {
    const teacher = await wallet.teacherWith(500);
    expect(await forfeit(teacher)).toEqual({ forfeited: 500 });
    await wallet.service.shiftClock(3_600);
    expect((await wallet.withdraw(teacher, 100)).status).toBe(409);
    await wallet.service.shiftClock(0);
  });

  test('a paid deposit is credited to `unclaimed`, is visible to administrators, and can be reversed', async () => {
    const student = wallet.newUser();
    const { id } = (await wallet.service.api.student(student).post('/api/deposits', { amount: 400 })).body;
    await wallet.tellUser(student, { deleted: true, version: 5 });
    const before = await balanceOf(-3);
    await wallet.provider(id, 'succeeded');
    expect([(await wallet.balance(student)).balance, (await balanceOf(-3)) - before]).toEqual([0, 400]);

    const admin = wallet.service.api.admin();
    for (const list of ['/api/admin/depositsall', '/api/paymentsall']) {
      const found = (await admin.post(list, { filter_value: 'clearing:unclaimed', user_id: student })).body;
      expect(found.data).toMatchObject([{ user_id: student, amount: 400, status: 'success' }]);
    }
    expect((await put(id, 'canceled')).status).toBe(200);
    expect((await balanceOf(-3)) - before).toBe(0);
    await put(id, 'success');
    expect((await balanceOf(-3)) - before).toBe(400);
  });

  test('the reversal of an earlier credit debits the account that received it', async () => {
    const student = wallet.newUser();
    const id = await wallet.topUp(student, 400);
    await wallet.tellUser(student, { deleted: true, version: 5 });
    const before = await balanceOf(-3);
    expect((await put(id, 'failed')).status).toBe(200);
    expect([(await wallet.balance(student)).balance, await balanceOf(-3)]).toEqual([0, before]);
  });
});
