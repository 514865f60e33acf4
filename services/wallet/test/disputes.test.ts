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
  for (const name of ['recover_debts', 'dispute_blocks']) await set(name, 0);
});
afterEach(async () => {
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  await checkPayments();
});
afterAll(() => wallet.stop());

const set = (name: string, value: number) =>
  wallet.service.receive('setting.changed', { name, value, version: (versions += 1) });
const send = (type: string, deposit_id: number, more: Record<string, unknown> = {}) =>
  wallet.webhook({ id: `claim-${(events += 1)}`, type, deposit_id, ...more });
const admin = () => wallet.service.api.admin();
const disputesOf = async (student: number) =>
  (await admin().post('/api/admin/disputesall', { user_id: student })).body.data;
const oneOf = async (student: number) => (await disputesOf(student))[0];
const balanceOf = async (student: number) => (await wallet.balance(student)).balance;
const breaksAbout = async (reference: string) =>
  (await admin().post('/api/admin/breaksall', { filter_value: reference })).body.data;

/** A student known to the wallet with a paid deposit, who has spent a part of it. */
async function paid(amount: number, spent = 0) {
  const student = wallet.newUser();
  await wallet.tellUser(student);
  const id = await wallet.topUp(student, amount);
  if (spent > 0)
    await wallet.charge({ call: wallet.newCall(), step: 1, student, teacher: wallet.newUser(), amount: spent });
  return { student, id };
}

/** Successful payments of a student sum to the balance. */
async function checkPayments(): Promise<void> {
  const wrong = await wallet.service.rows(
    `select a.user_id, a.balance, sum(case direction when 'in' then amount else -amount end) as paid
     from account a join payment p on p.user_id = a.user_id and p.status = 'success'
     where a.closed_until is null group by a.user_id, a.balance
     having a.balance <> sum(case direction when 'in' then amount else -amount end)`,
  );
  expect(wrong).toEqual([]);
}
const refundsOf = async (student: number) =>
  (await admin().post('/api/paymentsall', { user_id: student, type: 'refund', order: 'asc' })).body.data.map(
    ({ direction, amount, status }: { direction: string; amount: number; status: string }) => [
      direction,
      amount,
      status,
    ],
  );

describe('a dispute', () => {
  test('takes what the student has, and the rest is owed', async () => {
    const { student, id } = await paid(5_000, 3_000);
    expect((await send('dispute.opened', id, { amount: 5_000, dispute_id: 'd-taken' })).status).toBe(200);
    const dispute = await oneOf(student);
    expect(dispute).toEqual({
      id: expect.any(Number),
      deposit_id: id,
      user: { id: student, name: expect.any(String) },
      provider: 'sandbox',
      provider_ref: 'd-taken',
      amount: 5_000,
      currency: 'XOF',
      reason: 'general',
      status: 'needs_response',
      evidence_due_at: null,
      taken: 2_000,
      owed: 3_000,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await wallet.balance(student)).toEqual({ balance: 0, held: 0, available: 0 });
    expect((await wallet.service.api.student(student).get(`/api/deposits/${id}`)).body.status).toBe('success');
    expect(await refundsOf(student)).toEqual([['out', 2_000, 'success']]);
    expect((await wallet.service.api.student(student).get('/api/wallet/debts')).body).toEqual([
      { id: dispute.id, deposit_id: id, amount: 5_000, owed: 3_000, created_at: dispute.created_at },
    ]);
    const { timeline } = (await admin().get(`/api/admin/disputes/${dispute.id}`)).body;
    expect(timeline.map(({ event }: { event: string }) => event)).toEqual(['needs_response', 'taken']);
  });

  test('of a part takes only the part, and leaves money of a call with the call', async () => {
    const { student, id } = await paid(5_000);
    const call = wallet.newCall();
    await wallet.hold(call, student, 4_500);
    await send('dispute.opened', id, { amount: 1_000 });
    expect(await wallet.balance(student)).toEqual({ balance: 4_500, held: 4_500, available: 0 });
    expect(await oneOf(student)).toMatchObject({ amount: 1_000, taken: 500, owed: 500 });
    await wallet.release(call);
    expect((await wallet.balance(student)).available).toBe(4_500);
  });

  test('that has nothing to take adds no payment', async () => {
    const { student, id } = await paid(1_000, 1_000);
    await send('dispute.opened', id, { amount: 1_000 });
    expect([await refundsOf(student), await oneOf(student)]).toMatchObject([[], { taken: 0, owed: 1_000 }]);
  });

  test('that is won gives back first what is owed, the rest to the student', async () => {
    const { student, id } = await paid(5_000, 3_000);
    await send('dispute.opened', id, { amount: 5_000 });
    for (let time = 0; time < 2; time += 1) await send('dispute.won', id, { amount: 5_000 });
    expect(await balanceOf(student)).toBe(2_000);
    expect(await oneOf(student)).toMatchObject({ status: 'won', taken: 2_000, owed: 0 });
    expect(await refundsOf(student)).toEqual([
      ['out', 2_000, 'success'],
      ['in', 2_000, 'success'],
    ]);
    expect((await wallet.service.api.student(student).get('/api/wallet/debts')).body).toEqual([]);
  });

  test('that is lost leaves the debt', async () => {
    const { student, id } = await paid(5_000, 3_000);
    for (const type of ['dispute.opened', 'dispute.lost', 'dispute.opened']) await send(type, id, { amount: 5_000 });
    expect(await oneOf(student)).toMatchObject({ status: 'lost', taken: 2_000, owed: 3_000 });
  });

  test.each([
    ['opened won', ['dispute.opened', 'dispute.won'], 5_000, 'won'],
    ['opened lost', ['dispute.opened', 'dispute.lost'], 0, 'lost'],
  ])(
    'ends the same in every order of: %s, also before the success of its deposit',
    async (_name, types, balance, status) => {
      for (const order of [types, types.toReversed(), [...types, ...types], [...types.toReversed(), ...types]])
        for (const at of [0, 1, order.length]) {
          const student = wallet.newUser();
          await wallet.tellUser(student);
          const { id } = (await wallet.service.api.student(student).post('/api/deposits', { amount: 5_000 })).body;
          for (const [index, type] of order.entries()) {
            if (index === at) await wallet.provider(id, 'succeeded');
            await send(type, id, { amount: 5_000 });
          }
          if (at === order.length) await wallet.provider(id, 'succeeded');
          expect([order, at, await balanceOf(student)]).toEqual([order, at, balance]);
          expect(await oneOf(student)).toMatchObject({
            status,
            taken: at > 0 && order[0] === 'dispute.won' ? 0 : expect.any(Number),
          });
        }
    },
  );

  test('that is reported ten times at once takes once', async () => {
    const { student, id } = await paid(5_000);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        retryWhile503(() => send('dispute.opened', id, { amount: 2_000, dispute_id: `d-${id}` })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect([await balanceOf(student), (await disputesOf(student)).length]).toEqual([3_000, 1]);
  });

  test('does not exclude another one of the same deposit', async () => {
    const { student, id } = await paid(5_000);
    await send('dispute.opened', id, { amount: 2_000, dispute_id: `one-${id}` });
    await send('dispute.opened', id, { amount: 3_000, dispute_id: `two-${id}` });
    await send('dispute.won', id, { amount: 2_000, dispute_id: `one-${id}` });
    await send('dispute.lost', id, { amount: 3_000, dispute_id: `two-${id}` });
    expect(await balanceOf(student)).toBe(2_000);
  });

  test('keeps its deposit in success', async () => {
    const { id } = await paid(5_000);
    await send('dispute.opened', id, { amount: 5_000 });
    await send('dispute.won', id, { amount: 5_000 });
    const refused = await wallet.service.api.admin('su').put(`/api/admin/deposits/${id}`, { status: 'failed' });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Money of this deposit is disputed or refunded. Its status can no longer be changed.',
    ]);
  });

  test('of a deposit that nobody knows, of too much, of another amount and lost after it was won makes a break', async () => {
    const { student, id } = await paid(5_000);
    await send('dispute.opened', 999_999, { amount: 100, dispute_id: 'nobody' });
    expect(await breaksAbout('nobody')).toMatchObject([{ kind: 'only_theirs', amount_theirs: 100 }]);
    await send('dispute.opened', id, { amount: 5_001, dispute_id: 'toomuch' });
    expect(await breaksAbout('toomuch')).toMatchObject([{ kind: 'amount', amount_ours: 5_000, amount_theirs: 5_001 }]);
    expect([await balanceOf(student), await disputesOf(student)]).toEqual([5_000, []]);
    for (const type of ['dispute.opened', 'dispute.won', 'dispute.lost'])
      await send(type, id, { amount: 5_000, dispute_id: 'reversed' });
    expect(await breaksAbout('reversed')).toMatchObject([{ kind: 'status', ours: 'won', theirs: 'lost' }]);
    await send('dispute.of_the_future', id, { amount: 5_000, dispute_id: 'future' });
    expect(await breaksAbout('future')).toMatchObject([{ kind: 'status', ours: null, theirs: 'unknown' }]);
    expect(await balanceOf(student)).toBe(5_000);
  });
});

describe('a refund made at the provider', () => {
  test('is a lost dispute with the reason refund, each event once', async () => {
    const { student, id } = await paid(5_000);
    const event = { id: `refund-${id}`, type: 'refund.created', deposit_id: id, amount: 1_500 };
    for (let time = 0; time < 2; time += 1) await wallet.webhook(event);
    await send('refund.created', id, { amount: 500, refund_id: 're_other' });
    expect(await balanceOf(student)).toBe(3_000);
    expect(await disputesOf(student)).toMatchObject([
      { reason: 'refund', status: 'lost', taken: 500, provider_ref: 're_other' },
      { reason: 'refund', status: 'lost', taken: 1_500 },
    ]);
  });
});

describe('a debt', () => {
  test('is paid by later deposits only if the setting says so, with a line for each in the statement', async () => {
    const { student, id } = await paid(5_000, 3_000);
    await send('dispute.opened', id, { amount: 5_000 });
    await wallet.topUp(student, 1_000);
    expect([await balanceOf(student), (await oneOf(student)).owed]).toEqual([1_000, 3_000]);
    await set('recover_debts', 1);
    await wallet.topUp(student, 2_000);
    expect([await balanceOf(student), (await oneOf(student)).owed]).toEqual([1_000, 1_000]);
    const lines = (await wallet.service.api.student(student).get('/api/wallet/transactions?limit=2')).body;
    expect(lines).toMatchObject([
      { direction: 'out', amount: 2_000 },
      { type: 'deposit', direction: 'in', amount: 2_000 },
    ]);
    await wallet.topUp(student, 3_000);
    expect([await balanceOf(student), (await oneOf(student)).owed]).toEqual([3_000, 0]);
    await send('dispute.won', id, { amount: 5_000 });
    expect(await balanceOf(student)).toBe(3_000 + 2_000 + 3_000);
  });

  test('is written off by a super administrator, once, and goes to the platform when the dispute is won', async () => {
    const { student, id } = await paid(5_000, 3_000);
    await send('dispute.opened', id, { amount: 5_000 });
    const dispute = await oneOf(student);
    const path = `/api/admin/disputes/${dispute.id}/write-off`;
    expect((await admin().post(path, { reason: 'x' })).status).toBe(403);
    const su = wallet.service.api.admin('su');
    expect((await su.post(path, {})).status).toBe(422);
    expect((await su.post('/api/admin/disputes/999999/write-off', { reason: 'x' })).status).toBe(404);
    for (let time = 0; time < 2; time += 1)
      expect((await su.post(path, { reason: 'Left the school' })).body).toMatchObject({ id: dispute.id, owed: 0 });
    const audited = (await wallet.service.published('admin.acted')).filter(
      ({ subject }) => subject === `dispute:${dispute.id}`,
    );
    expect(audited).toMatchObject([{ action: 'dispute.written_off', after: { owed: 0, reason: 'Left the school' } }]);
    await send('dispute.won', id, { amount: 5_000 });
    expect(await balanceOf(student)).toBe(2_000);
  });

  test('and an open dispute stop new deposits if the setting says so', async () => {
    await set('dispute_blocks', 1);
    const { student, id } = await paid(5_000);
    await send('dispute.opened', id, { amount: 5_000 });
    const deposit = () => wallet.service.api.student(student).post('/api/deposits', { amount: 500 });
    const refused = await deposit();
    expect([refused.status, refused.body.message]).toEqual([409, 'Please contact support.']);
    await send('dispute.lost', id, { amount: 5_000 });
    expect((await deposit()).status).toBe(200);
  });

  test('is written off with the account; an open dispute stands against the deletion', async () => {
    const { student, id } = await paid(5_000, 3_000);
    await send('dispute.opened', id, { amount: 5_000 });
    const identity = wallet.service.api.service('identity');
    const check = async () => (await identity.post(`/internal/users/${student}/obligations`, { forfeit: true })).body;
    const open = await check();
    expect([open.open_disputes, open.frozen]).toEqual([1, undefined]);
    await send('dispute.lost', id, { amount: 5_000 });
    expect((await check()).frozen).toBeDefined();
    await wallet.service.receive('user.changed', user(student, 'student', { deleted: true, version: 9 }));
    expect((await oneOf(student)).owed).toBe(0);
  });

  test('of a deleted account does not arise: the platform bears the loss', async () => {
    const { student, id } = await paid(5_000, 5_000);
    await wallet.service.receive('user.changed', user(student, 'student', { deleted: true, version: 9 }));
    await send('dispute.opened', id, { amount: 5_000 });
    expect(await oneOf(student)).toMatchObject({ taken: 0, owed: 0, status: 'needs_response' });
    await send('dispute.won', id, { amount: 5_000 });
    expect(await balanceOf(student)).toBe(0);
  });
});
