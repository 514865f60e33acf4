import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWallet, type Wallet } from './wallet.ts';

const STUDENT = 1;
const TEACHER = 2;
const MICROSECONDS = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

let wallet: Wallet;
beforeAll(async () => {
  wallet = await startWallet();
  await wallet.tellUser(STUDENT);
  await wallet.tellUser(TEACHER, { platform: 'teacher' });
});
afterAll(() => wallet.stop());

test('a top-up, hold, charge and withdrawal give the right responses, balances, payments and events', async () => {
  const { api } = wallet.service;

  const deposit = await api.student(STUDENT).post('/api/deposits', { amount: 1000, method: 'card' });
  expect([deposit.status, deposit.body]).toEqual([
    200,
    {
      id: expect.any(Number),
      user_id: STUDENT,
      amount: 1000,
      currency: 'XOF',
      status: 'pending',
      method: 'card',
      ref: `sandbox-${deposit.body.id}`,
      details: null,
      created_at: MICROSECONDS,
      updated_at: MICROSECONDS,
      user: { id: 1, name: 'Sam 1', email: 'u1@example.com', phone_number: '+22507000001' },
      checkout_url: expect.stringMatching(/^http:\/\/public\.test\/api\/checkout\/\d+\/[\w-]{43}$/),
    },
  ]);
  const webhook = await wallet.provider(deposit.body.id, 'succeeded');
  expect([webhook.status, webhook.body]).toEqual([200, { received: true }]);
  const own = await api.student(STUDENT).get('/api/wallet');
  expect(own.body).toEqual({ balance: 1000, available: 1000, held: 0, currency: 'XOF' });

  const hold = await wallet.hold('c1', STUDENT, 150);
  expect(hold.body).toEqual({
    reference: 'call:c1',
    held: 150,
    available: 850,
    expires_at: MICROSECONDS,
    hold_seconds: 600,
  });
  expect((await wallet.hold('c1', STUDENT, 150)).body).toEqual(hold.body);

  const first = { call: 'c1', step: 1, student: STUDENT, teacher: TEACHER, amount: 150, percent: 10, next: 50 };
  expect((await wallet.charge(first)).body).toEqual({ charged: 150, reserved: 50, available: 800 });
  expect((await wallet.charge(first)).body).toEqual({ charged: 150, reserved: 50, available: 800 });
  const second = { ...first, step: 2, amount: 50 };
  expect((await wallet.charge(second)).body).toEqual({ charged: 50, reserved: 50, available: 750 });
  expect((await wallet.release('c1')).body).toEqual({ released: 50 });
  expect((await wallet.release('c1')).body).toEqual({ released: 0 });
  expect(await wallet.balance(STUDENT)).toEqual({ balance: 800, held: 0, available: 800 });
  expect(await wallet.balance(TEACHER)).toEqual({ balance: 180, held: 0, available: 180 });

  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 100, version: 1 });
  const withdrawal = await wallet.withdraw(TEACHER, 120);
  expect([withdrawal.status, withdrawal.body.status]).toEqual([200, 'initiated']);
  expect(await wallet.balance(TEACHER)).toEqual({ balance: 180, held: 120, available: 60 });
  const path = `/api/admin/withdrawals/${withdrawal.body.id}`;
  expect((await api.admin().put(path, { status: 'pending' })).body.status).toBe('pending');
  const paid = await api.admin().put(path, { status: 'success', ref: 'bank-7', details: 'paid' });
  expect(paid.body).toMatchObject({ status: 'success', ref: 'bank-7', details: 'paid', account: 'SN-1', amount: 120 });
  expect(await wallet.balance(TEACHER)).toEqual({ balance: 60, held: 0, available: 60 });

  const payments = await api.admin().post('/api/paymentsall', {});
  expect(
    payments.body.data.map((row: Record<string, unknown>) => [
      row['user_id'],
      row['type'],
      row['direction'],
      row['amount'],
      row['status'],
    ]),
  ).toEqual([
    [TEACHER, 'withdrawal', 'out', 120, 'success'],
    [TEACHER, 'call', 'in', 180, 'success'],
    [STUDENT, 'call', 'out', 200, 'success'],
    [STUDENT, 'deposit', 'in', 1000, 'success'],
  ]);
  const statement = await api.teacher(TEACHER).get('/api/wallet/transactions');
  expect(statement.body.map((row: Record<string, unknown>) => [row['type'], row['direction'], row['amount']])).toEqual([
    ['withdrawal', 'out', 120],
    ['commission', 'out', 5],
    ['call', 'in', 50],
    ['commission', 'out', 15],
    ['call', 'in', 150],
  ]);

  const balances = await wallet.service.published('balance.changed');
  expect(balances.filter((event) => event.user_id === TEACHER).at(-1)).toMatchObject({ balance: 60, available: 60 });
  const transfers = await wallet.service.rows<{ kind: string }>('select kind from transfer order by id');
  expect(transfers.map(({ kind }) => kind)).toEqual([
    'deposit',
    'call',
    'commission',
    'call',
    'commission',
    'withdrawal',
  ]);
  expect((await wallet.service.live()).at(-1)).toEqual({
    to: 'user.2',
    event: 'wallet.balance',
    data: { balance: 60, available: 60, held: 0 },
  });
  const acted = await wallet.service.published('admin.acted');
  expect(acted.map((event) => [event.action, event.before?.['status'], event.after?.['status']])).toEqual([
    ['withdrawal.updated', 'initiated', 'pending'],
    ['withdrawal.updated', 'pending', 'success'],
  ]);
});
