import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let next = 0;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

/** A call of two steps, 100 and 50, with 15 % commission: 150 charged, 22 to the platform, 128 to the teacher. */
async function finishedCall() {
  next += 1;
  const [call, student, teacher] = [`r${next}`, 2 * next, 2 * next + 1];
  await wallet.topUp(student, 1000);
  await wallet.charge({ call, step: 1, student, teacher, amount: 100, percent: 15, next: 50 });
  await wallet.charge({ call, step: 2, student, teacher, amount: 50, percent: 15 });
  return { call, student, teacher };
}

const refund = (call: string, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  wallet.service.api.admin('su').post(`/api/admin/calls/${call}/refund`, body, headers);
const money = async (user: number) => (await wallet.balance(user)).balance;

describe('POST api/admin/calls/{identifier}/refund', () => {
  test('a full refund moves the money from teacher and platform to the student', async () => {
    const { call, student, teacher } = await finishedCall();
    const answer = await refund(call);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({
        user_id: student,
        type: 'refund',
        direction: 'in',
        amount: 150,
        status: 'success',
        ref: call,
      }),
    ]);
    expect([await money(student), await money(teacher)]).toEqual([1000, 0]);
    const payments = await wallet.service.api.teacher(teacher).post('/api/paymentsall', {});
    expect(
      payments.body.data.map(({ type, direction, amount }: Record<string, unknown>) => [type, direction, amount]),
    ).toEqual([
      ['refund', 'out', 128],
      ['call', 'in', 128],
    ]);
    const [acted] = (await wallet.service.published('admin.acted')).slice(-1);
    expect(acted).toMatchObject({
      action: 'call.refunded',
      subject: `call:${call}`,
      after: { charged: 150, refunded: 150 },
    });
  });

  test('a reason of at most 500 characters is stored only in the audit log', async () => {
    const { call } = await finishedCall();
    const long = await refund(call, { reason: 'x'.repeat(501) });
    expect([long.status, long.body.errors]).toEqual([
      422,
      { reason: ['The reason field must not be greater than 500 characters.'] },
    ]);
    const answer = await refund(call, { amount: 60, reason: ' The teacher was silent. ' });
    expect(answer.body).toMatchObject({ amount: 60, details: null });
    const without = await refund(call, { amount: 40, reason: '' });
    expect(Object.keys(without.body)).toEqual(Object.keys(answer.body));
    const acts = (await wallet.service.published('admin.acted')).filter(({ subject }) => subject === `call:${call}`);
    expect(acts.map(({ after }) => after)).toEqual([
      { charged: 150, refunded: 60, reason: 'The teacher was silent.' },
      { charged: 150, refunded: 100 },
    ]);
  });

  test('partial refunds are pro rata, and their sum equals a full refund', async () => {
    const { call, student, teacher } = await finishedCall();
    for (const amount of [1, 49, 33, 67]) expect((await refund(call, { amount })).body.amount).toBe(amount);
    expect([await money(student), await money(teacher)]).toEqual([1000, 0]);
  });

  test("a refund is published and is part of the call's receipt", async () => {
    const { call } = await finishedCall();
    for (const amount of [40, 5]) await refund(call, { amount });
    const events = (await wallet.service.published('refunds.changed')).filter(({ identifier }) => identifier === call);
    expect(events).toEqual([
      { identifier: call, refunded: 40, version: 1 },
      { identifier: call, refunded: 45, version: 2 },
    ]);
    const ledger = async (identifier: string) =>
      (await wallet.service.api.service('calls').get(`/internal/calls/${identifier}/ledger`)).body;
    const created_at = expect.stringMatching(/[.]\d{6}Z$/);
    const line = (step: number, amount: number, commission: number) => ({
      step,
      amount,
      commission,
      reference: `call:${call}:step:${step}`,
      created_at,
    });
    expect(await ledger(call)).toEqual({
      currency: 'XOF',
      charges: [line(1, 100, 15), line(2, 50, 7)],
      refunds: [
        { reference: `call:${call}:refund:1`, amount: 40, created_at },
        { reference: `call:${call}:refund:2`, amount: 5, created_at },
      ],
    });
    expect(await ledger('unknown')).toEqual({ currency: 'XOF', charges: [], refunds: [] });
  });

  test('a refund is a 422 above the rest, a 409 when nothing is left, and a 404 for an unknown call', async () => {
    const { call } = await finishedCall();
    await refund(call, { amount: 100 });
    const above = await refund(call, { amount: 51 });
    expect([above.status, above.body.message]).toEqual([422, 'The amount field must not be greater than 50.']);
    await refund(call);
    expect((await refund(call)).status).toBe(409);
    expect((await refund('unknown')).status).toBe(404);
  });

  test.each([null, '', '  ', 0, -1, 1.5, '1,500', [], {}, false])(
    'the amount %j is a 422, because only an absent amount means the whole rest',
    async (amount) => {
      const { call, student } = await finishedCall();
      const before = await money(student);
      const refused = await refund(call, { amount });
      expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([422, ['amount']]);
      expect(await money(student)).toBe(before);
      expect((await refund(call, {})).status).toBe(200);
      expect(await money(student)).toBe(before + 150);
    },
  );

  test.each([':step', ':refund', ':step:1', ':'])('an identifier that ends with %s is an unknown call', async (end) => {
    const { call, student } = await finishedCall();
    await refund(call, { amount: 50 });
    for (const name of [`${call}${end}`, encodeURIComponent(`${call}${end}`)]) {
      expect((await refund(name)).status).toBe(404);
      const ledger = await wallet.service.api.service('calls').get(`/internal/calls/${name}/ledger`);
      expect(ledger.body).toEqual({ currency: 'XOF', charges: [], refunds: [] });
    }
    expect(await money(student)).toBe(900);
  });

  test('a refund is a 409 and moves nothing when the teacher lacks the money', async () => {
    const { call, student, teacher } = await finishedCall();
    await wallet.service.api.service('identity').post(`/internal/users/${teacher}/forfeit`, {});
    const answer = await refund(call);
    expect([answer.status, answer.body.message]).toEqual([409, 'The money is no longer there.']);
    expect([await money(student), await money(teacher)]).toEqual([850, 0]);
  });

  test('a refund takes effect once per key and needs a super administrator', async () => {
    const { call, student } = await finishedCall();
    const key = { 'idempotency-key': 'r1' };
    const [first, again] = [await refund(call, { amount: 60 }, key), await refund(call, { amount: 60 }, key)];
    expect(again.body).toEqual(first.body);
    expect(await money(student)).toBe(910);
    expect((await wallet.service.api.admin().post(`/api/admin/calls/${call}/refund`, {})).status).toBe(403);
  });

  test('10 concurrent refunds never exceed the charges', async () => {
    const { call, student } = await finishedCall();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(call, { amount: 50 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(7);
    expect(await money(student)).toBe(1000);
  });
});

test('the statistics count deposits, withdrawals, revenue before refunds and commission after them', async () => {
  const { call, teacher } = await finishedCall();
  await refund(call);
  await wallet.topUp(teacher, 2000);
  await wallet.withdraw(teacher, 1000);
  const stats = async () => (await wallet.service.api.service('identity').get('/internal/stats')).body;
  const before = await stats();
  const [sums] = await wallet.service.rows<{ revenue: number; commission: number; deposits: number; amount: number }>(
    `select (select sum(amount) from transfer where kind = 'call') as revenue,
       (select sum(amount) from transfer where kind = 'commission')
         - (select sum(amount) from transfer where kind = 'commission_refund') as commission,
       (select count(*) from deposit) as deposits, (select sum(amount) from deposit) as amount`,
  );
  const none = { initiated: 0, pending: 0, success: 0, failed: 0, canceled: 0 };
  expect(before).toEqual({
    deposits: { count: sums!.deposits, amount: sums!.amount, by_status: { ...none, success: sums!.deposits } },
    withdrawals: { count: 1, amount: 0, by_status: { ...none, initiated: 1 } },
    revenue: sums!.revenue,
    commission: sums!.commission,
  });
  // Transfers are counted when all older transactions of the server have ended, in other databases, too.
  await eventually('the transfers are counted', async () => {
    await wallet.service.runJob('count-ledger');
    return (await wallet.service.rows('select 1 from ledger_day')).length > 0;
  });
  expect(await stats()).toEqual(before);
  await finishedCall();
  expect((await stats()).revenue).toBe(before.revenue + 150);
});
