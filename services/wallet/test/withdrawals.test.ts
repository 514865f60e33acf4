import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { STATUSES } from '../src/records/record.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

const put = (id: number, status: string, level: 'su' | 'default' = 'su') =>
  wallet.service.api.admin(level).put(`/api/admin/withdrawals/${id}`, { status });

/** Balances of a teacher with 1000 whose withdrawal of 1000 has this status. */
const BALANCES = {
  initiated: { balance: 1000, held: 1000, available: 0 },
  pending: { balance: 1000, held: 1000, available: 0 },
  success: { balance: 0, held: 0, available: 0 },
  failed: { balance: 1000, held: 0, available: 1000 },
  canceled: { balance: 1000, held: 0, available: 1000 },
};

describe('POST api/withdrawals', () => {
  test('a withdrawal is a 402 above the available money, a 422 below min_withdrawal, and a 403 for a student', async () => {
    const teacher = await wallet.teacherWith(1500);
    const above = await wallet.withdraw(teacher, 1501);
    expect([above.status, above.body.message]).toEqual([402, 'There is not enough money available.']);
    const below = await wallet.withdraw(teacher, 999);
    expect([below.status, below.body.message]).toEqual([422, 'The amount field must be at least 1000.']);
    const student = wallet.service.api.student(teacher);
    expect((await student.post('/api/withdrawals', { amount: 1000, method: 'bank', account: 'a' })).status).toBe(403);
    expect(await wallet.balance(teacher)).toEqual({ balance: 1500, held: 0, available: 1500 });
  });

  test('a withdrawal needs a method and an account', async () => {
    const answer = await wallet.service.api.teacher(1).post('/api/withdrawals', { amount: 1000 });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { method: ['The method field is required.'], account: ['The account field is required.'] },
    ]);
  });

  test('a second request is a 402 because the money is held, and with the key it returns the same withdrawal', async () => {
    const teacher = await wallet.teacherWith(1000);
    const key = { 'idempotency-key': 'w1' };
    const first = await wallet.withdraw(teacher, 1000, key);
    const again = await wallet.withdraw(teacher, 1000, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await wallet.withdraw(teacher, 1000)).status).toBe(402);
  });

  test('a refusal is not stored under its key', async () => {
    const teacher = await wallet.teacherWith(500);
    const key = { 'idempotency-key': 'later' };
    expect((await wallet.withdraw(teacher, 1000, key)).status).toBe(402);
    await wallet.topUp(teacher, 500);
    expect((await wallet.withdraw(teacher, 1000, key)).status).toBe(200);
  });

  test('50 concurrent requests with one key make one withdrawal', async () => {
    const teacher = await wallet.teacherWith(5000);
    const key = { 'idempotency-key': 'fifty' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => retryWhile503(() => wallet.withdraw(teacher, 1000, key))),
    );
    const ids = new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.body.id));
    expect(ids.size).toBe(1);
    expect(answers.filter((answer) => ![200, 409].includes(answer.status))).toEqual([]);
    expect(await wallet.balance(teacher)).toEqual({ balance: 5000, held: 1000, available: 4000 });
  });

  test('20 concurrent requests without a key never hold more than the balance', async () => {
    const teacher = await wallet.teacherWith(5500);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => retryWhile503(() => wallet.withdraw(teacher, 1000))),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
    expect(answers.filter((answer) => answer.status === 402)).toHaveLength(15);
  });

  test('a banned teacher cannot withdraw', async () => {
    const teacher = await wallet.teacherWith(1000);
    await wallet.tellUser(teacher, { platform: 'teacher', status: 'banned' });
    const answer = await wallet.withdraw(teacher, 1000);
    expect([answer.status, answer.body.message]).toEqual([403, 'Unauthorized access']);
  });
});

describe('PUT api/admin/withdrawals/{id}', () => {
  const edges = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));
  test.each(edges)('moves the money correctly from %s to %s', async (from, to) => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    await put(id, from);
    expect(await wallet.balance(teacher)).toEqual(BALANCES[from]);
    const answer = await put(id, to);
    expect([answer.status, answer.body.status]).toEqual([200, to]);
    expect(await wallet.balance(teacher)).toEqual(BALANCES[to]);
  });

  test.each(['initiated', 'pending', 'success'])(
    'a move from failed to %s is a 409 when the money is no longer available',
    async (to) => {
      const teacher = await wallet.teacherWith(1000);
      const { id } = (await wallet.withdraw(teacher, 1000)).body;
      await put(id, 'failed');
      await wallet.withdraw(teacher, 1000);
      const answer = await put(id, to);
      expect([answer.status, answer.body.message]).toEqual([409, 'The money is no longer there.']);
    },
  );

  test('only a super administrator takes a withdrawal out of success', async () => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    expect((await put(id, 'success', 'default')).status).toBe(200);
    expect((await put(id, 'failed', 'default')).status).toBe(403);
    expect((await put(id, 'success', 'default')).status).toBe(200);
    expect((await put(id, 'failed', 'su')).status).toBe(200);
  });

  test('one of 10 administrators who claim a withdrawal at once succeeds, and the others get a 409', async () => {
    const { body } = await wallet.withdraw(await wallet.teacherWith(1000), 1000);
    const claim = () =>
      wallet.service.api
        .admin('default')
        .put(`/api/admin/withdrawals/${body.id}`, { status: 'pending', expected_status: 'initiated' });
    const answers = await Promise.all(Array.from({ length: 10 }, claim));
    const refusals = answers.filter(({ status }) => status === 409).map((answer) => answer.body.message);
    expect(refusals).toEqual(Array.from({ length: 9 }, () => 'The status is pending by now. Nothing was changed.'));
    expect(answers.find(({ status }) => status === 200)?.body.status).toBe('pending');
  });

  test('concurrent decisions leave status and balance consistent', async () => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    await Promise.all(Array.from({ length: 8 }, (_, index) => put(id, index % 2 ? 'success' : 'failed')));
    const { status } = (await wallet.service.api.admin().get(`/api/admin/withdrawals/${id}`)).body;
    expect(await wallet.balance(teacher)).toEqual(BALANCES[status as keyof typeof BALANCES]);
  });
});

describe('POST api/withdrawals/{id}/cancel', () => {
  test('releases the money of a withdrawal that nobody has claimed', async () => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    const cancel = () => wallet.service.api.teacher(teacher).post(`/api/withdrawals/${id}/cancel`);
    const answer = await cancel();
    expect([answer.status, answer.body.status, (await cancel()).status]).toEqual([200, 'canceled', 200]);
    expect(await wallet.balance(teacher)).toEqual(BALANCES.canceled);
  });

  test.each(['pending', 'success', 'failed'])('is a 409 for a withdrawal in %s', async (status) => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    await put(id, status);
    const answer = await wallet.service.api.teacher(teacher).post(`/api/withdrawals/${id}/cancel`);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      `A withdrawal that is ${status} can no longer be canceled.`,
    ]);
  });

  test("is a 404 for another user's withdrawal", async () => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    expect((await wallet.service.api.teacher(9).post(`/api/withdrawals/${id}/cancel`)).status).toBe(404);
    expect((await wallet.service.api.teacher(9).get(`/api/withdrawals/${id}`)).status).toBe(404);
  });
});

test('the deletion of a user erases the payout accounts', async () => {
  const teacher = await wallet.teacherWith(1000);
  const { id } = (await wallet.withdraw(teacher, 1000)).body;
  await put(id, 'success');
  await wallet.tellUser(teacher, { platform: 'teacher', deleted: true, name: 'Deleted user', version: 7 });
  const shown = (await wallet.service.api.admin().get(`/api/admin/withdrawals/${id}`)).body;
  expect([shown.account, shown.user.name]).toEqual([null, 'Deleted user']);
});

test('the audit log stores a decision without the payout account', async () => {
  const { id } = (await wallet.withdraw(await wallet.teacherWith(1000), 1000)).body;
  expect((await put(id, 'pending')).body.account).toBe('SN-1');
  const acted = (await wallet.service.published('admin.acted')).find(({ subject }) => subject === `withdrawal:${id}`)!;
  expect(acted).toMatchObject({ before: { status: 'initiated', method: 'bank' }, after: { status: 'pending' } });
  for (const state of [acted.before, acted.after]) expect(state).not.toHaveProperty('account');
});

test('a withdrawal of a deleted user can still be moved through every status', async () => {
  const teacher = await wallet.teacherWith(1000);
  const { id } = (await wallet.withdraw(teacher, 1000)).body;
  await put(id, 'success');
  await wallet.tellUser(teacher, { platform: 'teacher', deleted: true, version: 7 });
  for (const status of ['failed', 'success', 'pending', 'success', 'canceled', 'initiated'] as const) {
    expect([status, (await put(id, status)).status]).toEqual([status, 200]);
    expect(await wallet.balance(teacher)).toEqual(BALANCES[status]);
  }
});

test('obligations and forfeit cover open withdrawals and the available balance', async () => {
  const teacher = await wallet.teacherWith(2500);
  const { id } = (await wallet.withdraw(teacher, 1000)).body;
  const identity = wallet.service.api.service('identity');
  const obligations = async () => (await identity.get(`/internal/users/${teacher}/obligations`)).body;
  const forfeit = async () => (await identity.post(`/internal/users/${teacher}/forfeit`, {})).body;
  expect(await obligations()).toEqual({ open_withdrawals: 1, balance: 2500 });
  expect(await forfeit()).toEqual({ forfeited: 1500 });
  await put(id, 'canceled');
  expect(await forfeit()).toEqual({ forfeited: 1000 });
  expect(await forfeit()).toEqual({ forfeited: 0 });
  expect(await obligations()).toEqual({ open_withdrawals: 0, balance: 0 });
});

test('an administrator with approve alone confirms what another has claimed; anything else is a 403', async () => {
  const teacher = await wallet.teacherWith(1000);
  const { id } = (await wallet.withdraw(teacher, 1000)).body;
  const as = (rights: string[], adminId: number) =>
    wallet.service.api.as({ kind: 'admin', id: adminId, name: 'A', level: 'default', tokenId: 1, rights });
  const move = (rights: string[], adminId: number, status: string, more: object = {}) =>
    as(rights, adminId).put(`/api/admin/withdrawals/${id}`, { status, ...more });
  const forbidden = { code: 'forbidden', message: 'Unauthorized access' };
  for (const status of STATUSES) expect((await move(['approve'], 1, status)).body).toEqual(forbidden);
  expect((await move(['payout'], 1, 'pending')).body.status).toBe('pending');
  expect((await move(['approve'], 1, 'success')).body).toEqual(forbidden);
  expect((await move(['approve'], 2, 'failed')).body).toEqual(forbidden);
  expect((await move(['approve'], 2, 'success', { expected_status: 'initiated' })).status).toBe(409);
  const paid = await move(['approve'], 2, 'success');
  expect([paid.body.status, paid.body.decided_by]).toEqual(['success', { id: 2, name: 'A' }]);
  expect((await move(['approve'], 2, 'success')).body).toEqual(paid.body);
  expect((await as(['approve'], 2).put('/api/admin/withdrawals/999999', { status: 'success' })).status).toBe(404);
  expect((await as(['approve'], 2).put('/api/admin/withdrawals/1', { status: 'x' })).status).toBe(422);
  expect((await as(['money'], 2).put('/api/admin/withdrawals/1', { status: 'x' })).status).toBe(403);
});
