import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let events = 0;
let versions = 1;

beforeAll(async () => {
  wallet = await startWallet();
});
beforeEach(async () => {
  await set('deposit_refunds', 1);
  await set('deposit_refund_days', 90);
});
afterEach(async () => {
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
});
afterAll(() => wallet.stop());

const set = (name: string, value: number) =>
  wallet.service.receive('setting.changed', { name, value, version: (versions += 1) });
const send = (type: string, deposit_id: number, more: Record<string, unknown> = {}) =>
  wallet.webhook({ id: `refund-${(events += 1)}`, type, deposit_id, ...more });
const ask = (student: number, deposit: number, body: Record<string, unknown> = {}, headers = {}) =>
  wallet.service.api.student(student).post(`/api/deposits/${deposit}/refunds`, body, headers);
const decide = (id: number, body: Record<string, unknown>) =>
  wallet.service.api.admin().put(`/api/admin/deposit-refunds/${id}`, body);
const shown = async (student: number, id: number) =>
  (await wallet.service.api.student(student).get(`/api/deposit-refunds/${id}`)).body;
const announced = async (student: number) =>
  (await wallet.service.published('money.announced'))
    .filter(({ user_id }) => user_id === student)
    .map(({ what }) => what);

/** A student known to the wallet with a paid deposit, who has spent a part of it. */
async function paid(amount: number, spent = 0) {
  const student = wallet.newUser();
  await wallet.tellUser(student);
  const id = await wallet.topUp(student, amount);
  if (spent > 0)
    await wallet.charge({ call: wallet.newCall(), step: 1, student, teacher: wallet.newUser(), amount: spent });
  return { student, id };
}

describe('a student', () => {
  test('asks for the unspent rest, which is held at once and refunded by an administrator', async () => {
    const { student, id } = await paid(5_000, 2_000);
    const asked = await ask(student, id, { reason: 'I move abroad.' });
    expect([asked.status, asked.body]).toEqual([
      200,
      {
        id: expect.any(Number),
        deposit_id: id,
        user_id: student,
        amount: 3_000,
        currency: 'XOF',
        status: 'requested',
        ref: null,
        details: 'I move abroad.',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect(await wallet.balance(student)).toEqual({ balance: 3_000, held: 3_000, available: 0 });
    const refund = asked.body.id as number;
    expect((await decide(refund, { status: 'sent' })).body).toMatchObject({ status: 'sent' });
    expect((await decide(refund, { status: 'success', ref: 'BANK-9' })).body).toMatchObject({
      status: 'success',
      ref: 'BANK-9',
    });
    expect(await wallet.balance(student)).toEqual({ balance: 0, held: 0, available: 0 });
    expect(await announced(student)).toEqual(['refund_sent', 'refund_success']);
    const payments = (await wallet.service.api.admin().post('/api/paymentsall', { user_id: student, type: 'refund' }))
      .body.data;
    expect(payments).toMatchObject([{ direction: 'out', amount: 3_000, status: 'success', ref: 'BANK-9' }]);
  });

  test('gets the same answer to a repeat under the same key', async () => {
    const { student, id } = await paid(5_000);
    const key = { 'idempotency-key': `refund-of-${id}` };
    const [first, second] = [
      await ask(student, id, { amount: 2_000 }, key),
      await ask(student, id, { amount: 2_000 }, key),
    ];
    expect(second.body).toEqual(first.body);
    expect((await wallet.balance(student)).held).toBe(2_000);
  });

  test('is refused with the right status', async () => {
    const { student, id } = await paid(5_000, 2_000);
    const statusOf = async (body: Record<string, unknown>, deposit = id) => (await ask(student, deposit, body)).status;
    expect(await statusOf({ amount: 5_001 })).toBe(422);
    expect(await statusOf({ amount: 3_001 })).toBe(402);
    expect(await statusOf({ amount: 0 })).toBe(422);
    expect(await statusOf({}, 999_999)).toBe(404);
    const other = await paid(1_000);
    expect(await statusOf({}, other.id)).toBe(404);
    const open = (await wallet.service.api.student(student).post('/api/deposits', { amount: 500 })).body.id;
    expect(await statusOf({}, open)).toBe(409);
    await set('deposit_refunds', 0);
    expect((await ask(student, id)).body.message).toBe('Deposits are not refunded here.');
    await set('deposit_refunds', 1);
    await wallet.service.shiftClock(91 * 86_400);
    expect(await statusOf({})).toBe(409);
    await set('deposit_refund_days', 0);
    expect(await statusOf({ amount: 1_000 })).toBe(200);
    await wallet.service.shiftClock(0);
  });

  test('gets a deposit back in parts, and never more than the deposit', async () => {
    const { student, id } = await paid(5_000);
    await wallet.topUp(student, 9_000);
    expect((await ask(student, id, { amount: 2_000 })).status).toBe(200);
    expect((await ask(student, id, { amount: 3_001 })).status).toBe(422);
    expect((await ask(student, id)).body.amount).toBe(3_000);
    expect((await ask(student, id)).status).toBe(409);
    const twice = await Promise.all(
      Array.from({ length: 10 }, () => retryWhile503(() => ask(student, id, { amount: 1 }))),
    );
    expect(twice.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 409));
  });

  test('asks ten times at once for the whole and gets it once', async () => {
    const { student, id } = await paid(5_000);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => retryWhile503(() => ask(student, id, { amount: 5_000 }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await wallet.balance(student)).toEqual({ balance: 5_000, held: 5_000, available: 0 });
  });

  test('cancels what was not sent, and reads the own refunds only', async () => {
    const { student, id } = await paid(5_000);
    const own = wallet.service.api.student(student);
    const refund = (await ask(student, id)).body.id as number;
    const stranger = wallet.service.api.student(wallet.newUser());
    expect((await stranger.post(`/api/deposit-refunds/${refund}/cancel`)).status).toBe(404);
    expect((await stranger.get(`/api/deposit-refunds/${refund}`)).status).toBe(404);
    for (let time = 0; time < 2; time += 1)
      expect((await own.post(`/api/deposit-refunds/${refund}/cancel`)).body.status).toBe('canceled');
    expect((await wallet.balance(student)).available).toBe(5_000);
    const second = (await ask(student, id)).body.id as number;
    await decide(second, { status: 'sent' });
    expect((await own.post(`/api/deposit-refunds/${second}/cancel`)).status).toBe(409);
    const list = (await own.get('/api/deposit-refunds')).body;
    expect(list.map((one: { id: number }) => one.id)).toEqual([second, refund]);
  });

  test('is refunded without an administrator where the setting says so', async () => {
    await set('deposit_refunds', 2);
    const { student, id } = await paid(5_000);
    expect((await ask(student, id)).body.status).toBe('sent');
    expect(await announced(student)).toEqual(['refund_sent']);
  });
});

describe('an administrator', () => {
  test('rejects with details that the student reads', async () => {
    const { student, id } = await paid(5_000);
    const refund = (await ask(student, id)).body.id as number;
    const without = await decide(refund, { status: 'rejected' });
    expect([without.status, Object.keys(without.body.errors)]).toEqual([422, ['details']]);
    expect((await decide(999_999, { status: 'rejected' })).status).toBe(422);
    expect((await decide(refund, { status: 'rejected', details: 'Used today' })).body.status).toBe('rejected');
    expect(await shown(student, refund)).toMatchObject({ status: 'rejected', details: 'Used today' });
    expect((await wallet.balance(student)).available).toBe(5_000);
    expect(await announced(student)).toEqual(['refund_rejected']);
    const audited = (await wallet.service.published('admin.acted')).filter(
      ({ subject }) => subject === `deposit_refund:${refund}`,
    );
    expect(audited).toMatchObject([{ before: { status: 'requested' }, after: { status: 'rejected' } }]);
  });

  test('moves a refund only along the table', async () => {
    const { student, id } = await paid(5_000);
    const refund = (await ask(student, id)).body.id as number;
    for (const status of ['success', 'failed']) expect((await decide(refund, { status })).status).toBe(409);
    expect((await decide(refund, { status: 'canceled' })).status).toBe(422);
    expect((await decide(refund, { status: 'sent', expected_status: 'sent' })).status).toBe(409);
    const twice = await Promise.all([1, 2].map(() => retryWhile503(() => decide(refund, { status: 'sent' }))));
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    expect((await decide(refund, { status: 'rejected', details: 'x' })).status).toBe(409);
    expect((await decide(refund, { status: 'failed', details: 'Wrong card' })).body.status).toBe('failed');
    expect((await decide(refund, { status: 'success' })).status).toBe(409);
    expect((await wallet.balance(student)).available).toBe(5_000);
    expect(await announced(student)).toEqual(['refund_sent', 'refund_failed']);
    expect((await decide(999_999, { status: 'sent' })).status).toBe(404);
  });

  test('finds refunds by status, user and text', async () => {
    const { student, id } = await paid(5_000);
    const refund = (await ask(student, id, { reason: 'Déménagement' })).body.id as number;
    const listed = async (filter: Record<string, unknown>) =>
      (await wallet.service.api.admin().post('/api/admin/deposit-refundsall', filter)).body.data;
    expect(await listed({ filter_value: 'demenag' })).toEqual([await shown(student, refund)]);
    expect(await listed({ user_id: student, status: 'requested' })).toHaveLength(1);
    expect(await listed({ user_id: student, status: 'sent' })).toEqual([]);
    expect(await listed({ deposit_id: id })).toEqual([await shown(student, refund)]);
    expect(await listed({ deposit_id: id, status: 'sent' })).toEqual([]);
    expect(await listed({ deposit_id: 999_999 })).toEqual([]);
  });

  test('cannot take a deposit out of success while money of it is refunded', async () => {
    const { student, id } = await paid(5_000);
    await wallet.topUp(student, 5_000);
    await ask(student, id);
    const su = wallet.service.api.admin('su');
    expect((await su.put(`/api/admin/deposits/${id}`, { status: 'failed' })).status).toBe(409);
  });
});

describe('the provider', () => {
  test('that echoes a refund of ours settles it and takes nothing', async () => {
    const { student, id } = await paid(5_000);
    const refund = (await ask(student, id, { amount: 2_000 })).body.id as number;
    await decide(refund, { status: 'sent' });
    for (let time = 0; time < 2; time += 1)
      await send('refund.created', id, { amount: 2_000, refund_id: String(refund) });
    expect(await shown(student, refund)).toMatchObject({ status: 'success' });
    expect(await wallet.balance(student)).toEqual({ balance: 3_000, held: 0, available: 3_000 });
    expect((await decide(refund, { status: 'success' })).status).toBe(200);
    const disputes = await wallet.service.api.admin().post('/api/admin/disputesall', { user_id: student });
    expect(disputes.body.data).toEqual([]);
  });

  test('that echoes a refund of ours with another amount makes a break', async () => {
    const { student, id } = await paid(5_000);
    const refund = (await ask(student, id, { amount: 2_000 })).body.id as number;
    await decide(refund, { status: 'sent' });
    await send('refund.created', id, { amount: 1_500, refund_id: String(refund) });
    expect(await shown(student, refund)).toMatchObject({ status: 'sent' });
    const filter = { filter_value: `deposit-refund:${refund}` };
    const breaks = await wallet.service.api.admin().post('/api/admin/breaksall', filter);
    expect(breaks.body.data).toMatchObject([{ kind: 'amount', amount_ours: 2_000, amount_theirs: 1_500 }]);
  });

  test('that makes a refund which we did not send makes a break', async () => {
    const { student, id } = await paid(5_000);
    const refund = (await ask(student, id)).body.id as number;
    await send('refund.created', id, { amount: 5_000, refund_id: refund });
    expect(await shown(student, refund)).toMatchObject({ status: 'requested' });
    const breaks = await wallet.service.api
      .admin()
      .post('/api/admin/breaksall', { filter_value: `deposit-refund:${refund}` });
    expect(breaks.body.data).toMatchObject([{ kind: 'status', ours: 'requested', theirs: 'success' }]);
  });
});

describe('a dispute', () => {
  test('cancels a requested refund first; what is sent is owed', async () => {
    const { student, id } = await paid(5_000);
    const refund = (await ask(student, id, { amount: 2_000 })).body.id as number;
    await send('dispute.opened', id, { amount: 5_000 });
    expect((await shown(student, refund)).status).toBe('canceled');
    expect(await wallet.balance(student)).toEqual({ balance: 0, held: 0, available: 0 });

    const other = await paid(5_000);
    const sent = (await ask(other.student, other.id, { amount: 2_000 })).body.id as number;
    await decide(sent, { status: 'sent' });
    await send('dispute.opened', other.id, { amount: 5_000 });
    expect(await wallet.balance(other.student)).toEqual({ balance: 2_000, held: 2_000, available: 0 });
    const debts = (await wallet.service.api.student(other.student).get('/api/wallet/debts')).body;
    expect(debts).toMatchObject([{ amount: 5_000, owed: 2_000 }]);
  });

  test('leaves the undisputed rest to refund', async () => {
    const { student, id } = await paid(5_000);
    await send('dispute.opened', id, { amount: 4_000 });
    expect((await ask(student, id, { amount: 1_001 })).status).toBe(422);
    expect((await ask(student, id)).body.amount).toBe(1_000);
    await send('dispute.won', id, { amount: 4_000 });
    expect((await ask(student, id)).body.amount).toBe(4_000);
  });
});

describe('the deletion of an account', () => {
  const check = async (student: number) =>
    (await wallet.service.api.service('identity').post(`/internal/users/${student}/obligations`, { forfeit: true }))
      .body;

  test('waits for a refund on its way, and erases the reasons', async () => {
    const { student, id } = await paid(5_000);
    const refund = (await ask(student, id, { reason: 'Private' })).body.id as number;
    expect(await check(student)).toEqual({
      open_withdrawals: 0,
      balance: 5_000,
      open_refunds: 1,
      refunds_offered: true,
    });
    await decide(refund, { status: 'sent' });
    await decide(refund, { status: 'success' });
    expect((await check(student)).frozen).toBeDefined();
    await wallet.service.receive('user.changed', user(student, 'student', { deleted: true, version: 9 }));
    expect((await shown(student, refund)).details).toBeNull();
  });
});
