import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let versions = 1;
beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

const set = (name: string, value: number) =>
  wallet.service.receive('setting.changed', { name, value, version: (versions += 1) });

test('bounds of prepaid money name the largest deposit, and a late success beyond them makes a break', async () => {
  const student = wallet.newUser();
  await wallet.topUp(student, 1_000);
  const deposit = (amount: number) => wallet.service.api.student(student).post('/api/deposits', { amount });
  await set('max_balance', 3_000);
  const first = await deposit(1_500);
  const refused = await deposit(600);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { amount: ['The amount field must not be greater than 500.'] },
  ]);
  await set('max_balance', 0);
  await set('max_deposits_month', 2_600);
  expect((await deposit(200)).status).toBe(422);
  expect((await deposit(100)).status).toBe(200);
  await wallet.provider(first.body.id, 'canceled');
  const second = await deposit(1_500);
  await wallet.provider(second.body.id, 'succeeded');
  await wallet.provider(first.body.id, 'succeeded');
  expect((await wallet.balance(student)).balance).toBe(4_000);
  const breaks = await wallet.service.api.admin().post('/api/admin/breaksall', { kind: 'over_limit' });
  expect(breaks.body.data).toMatchObject([
    { reference: `deposit:${first.body.id}`, ours: 'max_deposits_month', amount_ours: 2_600, amount_theirs: 4_000 },
  ]);
  await set('max_deposits_month', 0);
});
