import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { payoutsOf, type Payouts } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let payouts: Payouts;
beforeAll(async () => {
  wallet = await startWallet();
  payouts = payoutsOf(wallet);
});
afterAll(() => wallet.stop());

const TODAY = new Date().toISOString().slice(0, 10);
/** Until tomorrow: the day may end during the tests. */
const DAYS = { from: TODAY, to: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) };
const reconcile = (file: string, fields: Record<string, string>) =>
  payouts.upload('/api/admin/reconciliations', file, { ...DAYS, ...fields });
const breaks = async (provider: string) => {
  const { data } = (await payouts.su().post('/api/admin/breaksall', { pageItems: 100 })).body;
  return data
    .filter((one: { provider: string }) => one.provider === provider)
    .map(({ kind, reference, ours, theirs }: Record<string, unknown>) => [kind, reference, ours, theirs])
    .sort();
};
const moneyOf = () => wallet.service.rows('select user_id, balance, held from account order by user_id');

test("a bank's report is compared with the payouts; every difference is a break and no money moves", async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => payouts.withdrawal()));
  const ids = all.map(({ id }) => id);
  const batch = await payouts.exported(ids);
  const [paid, dear, failed, missing, twice, open] = ids as [number, number, number, number, number, number];
  await payouts.report(batch, [
    ...[paid, dear, missing, twice].map((id): [number, string] => [id, 'paid']),
    [failed, 'failed'],
  ]);
  const before = await moneyOf();
  const ref = (id: number) => `W${id}-${batch}`;
  const file = [
    'reference,status,amount,provider_ref',
    `${ref(paid)},paid,1000,B1`,
    `${ref(dear)},paid,1001,B2`,
    `${ref(failed)},paid,1000,B3`,
    `${ref(twice)},paid,1000,B4`,
    `${ref(twice)},paid,1000,B4`,
    `${ref(open)},in progress,,`,
    'W1-999,paid,7,B9',
  ].join('\n');
  const made = await reconcile(file, { provider: 'bank' });
  expect([made.status, made.body]).toEqual([
    200,
    { id: expect.any(Number), rows: 7, matched: 3, breaks: 5, created_at: expect.any(String) },
  ]);
  expect(await breaks('bank')).toEqual(
    [
      ['amount', ref(dear), 'paid', 'paid'],
      ['status', ref(failed), 'failed', 'paid'],
      ['only_theirs', ref(twice), null, 'repeated'],
      ['only_theirs', 'W1-999', null, 'paid'],
      ['only_ours', ref(missing), 'paid', null],
    ].sort(),
  );
  expect(await moneyOf()).toEqual(before);
  expect((await reconcile(file, { provider: 'bank' })).body).toEqual(made.body);
  expect(await breaks('bank')).toHaveLength(5);
  const others = await Promise.all(
    Array.from({ length: 4 }, () => retryWhile503(() => reconcile(file, { provider: 'other bank' }))),
  );
  expect(new Set(others.map(({ body }) => body.id)).size).toBe(1);
});

test("a provider's report is compared with its deposits by provider_ref", async () => {
  const student = wallet.newUser();
  const deposits = [
    await wallet.topUp(student, 500),
    await wallet.topUp(student, 600),
    await wallet.topUp(student, 700),
  ];
  for (const id of deposits)
    await wallet.service.asOwner(`update deposit set provider_ref = 'ref-' || id where id = $1`, [id]);
  const [one, two, three] = deposits as [number, number, number];
  const file = [
    'reference;status;provider_ref;amount',
    `;paid;ref-${one};500`,
    `;failed;ref-${two};600`,
    ';paid;ref-unknown;9',
    `;paid;ref-${one};500`,
  ].join('\r\n');
  const made = await reconcile(file, { provider: 'sandbox' });
  expect(made.body).toMatchObject({ rows: 4, matched: 1 });
  expect((await reconcile(file, { provider: ' Sandbox ' })).body).toEqual(made.body);
  expect(await breaks('sandbox')).toEqual(
    expect.arrayContaining([
      ['status', `deposit:${two}`, 'success', 'failed'],
      ['only_theirs', 'ref-unknown', null, 'paid'],
      ['only_theirs', `deposit:${one}`, null, 'repeated'],
      ['only_ours', `deposit:${three}`, 'success', null],
    ]),
  );
});

test("an operator's report says nothing about payouts of other methods, and an old return is not due again", async () => {
  const [one, other, returned, missing] = await Promise.all(Array.from({ length: 4 }, () => payouts.withdrawal()));
  const ids = [one, other, returned, missing].map((made) => made!.id) as [number, number, number, number];
  for (const id of [ids[0], ids[2], ids[3]])
    await wallet.service.asOwner(`update withdrawal set method = 'tmoney' where id = $1`, [id]);
  const batch = await payouts.exported(ids);
  await payouts.report(
    batch,
    ids.map((id) => [id, 'paid']),
  );
  await payouts.su().put(`/api/admin/withdrawals/${ids[2]}`, { status: 'failed', details: 'came back' });
  const file = `reference,status\nW${ids[0]}-${batch},paid\n`;
  expect((await reconcile(file, { provider: 'tmoney' })).body).toMatchObject({ rows: 1, matched: 1, breaks: 1 });
  expect(await breaks('tmoney')).toEqual([['only_ours', `W${ids[3]}-${batch}`, 'paid', null]]);
  const named = `reference,status\nW${ids[2]}-${batch},uncertain\nW${ids[3]}-${batch},paid\n`;
  expect((await reconcile(named, { provider: 'tmoney again' })).body).toMatchObject({ rows: 2, matched: 1 });
  expect(await breaks('tmoney again')).toEqual([
    ['only_ours', `W${ids[0]}-${batch}`, 'paid', null],
    ['status', `W${ids[2]}-${batch}`, 'returned', 'uncertain'],
  ]);
});

test("a payment provider's report may name a payout by the key that the provider got, but only once", async () => {
  const { id } = await payouts.withdrawal();
  const batch = await payouts.exported([id]);
  await payouts.report(batch, [[id, 'paid']]);
  await wallet.service.asOwner(
    `update payout_item set provider = 'stripe', payout_key = 'aB-c_D9' where withdrawal_id = $1`,
    [id],
  );
  const file = `reference,status,amount\naB-c_D9,paid,1000\nW${id}-${batch},paid,1000\n`;
  expect((await reconcile(file, { provider: 'stripe' })).body).toMatchObject({ rows: 2, matched: 1, breaks: 1 });
  expect(await breaks('stripe')).toEqual([['only_theirs', `W${id}-${batch}`, null, 'repeated']]);
});

test('the form needs a provider and days in order, and a table', async () => {
  expect((await payouts.upload('/api/admin/reconciliations', 'reference,status\n')).body.errors).toEqual({
    provider: ['The provider field is required.'],
    from: ['The from field is required.'],
    to: ['The to field is required.'],
  });
  const wrong = await reconcile('reference,status\n', { provider: 'bank', from: '2026-11-02', to: '2026-11-01' });
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['to']]);
  expect((await reconcile('x', { provider: 'bank' })).status).toBe(422);
  const days = (to: string) => reconcile('reference,status\n', { provider: 'bank', from: '2025-01-01', to });
  expect((await days('2026-01-02')).status).toBe(200);
  expect(Object.keys((await days('2026-01-03')).body.errors)).toEqual(['to']);
});
