import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWallet, type Wallet } from './wallet.ts';
import { audit } from '../src/audit/audit-store.ts';
import { startDatabaseProxy, type CutMoment } from '@tutoring/shared/testing/database-proxy';
import { infra } from '@tutoring/shared/testing/infra';

let wallet: Wallet;
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
let next = 0;

beforeAll(async () => {
  proxy = await startDatabaseProxy(infra().databaseUrl);
  // Without jobs, whose commits could be cut instead.
  wallet = await startWallet({}, { databaseThrough: proxy.through, jobless: true });
  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 100, version: 1 });
});
afterAll(async () => {
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  await wallet.stop();
  await proxy.stop();
});

async function pair() {
  const number = (next += 1);
  const [student, teacher] = [2 * number, 2 * number + 1];
  await wallet.topUp(student, 1000);
  return { student, teacher, call: `f${number}` };
}

/** Runs `work` and checks that the connection was cut exactly once meanwhile. */
async function cutting<T>(statement: RegExp, when: CutMoment, work: () => Promise<T>): Promise<T> {
  const before = proxy.cuts;
  proxy.arm(statement, when);
  const answer = await work();
  expect(proxy.cuts - before).toBe(1);
  return answer;
}

const MOMENTS = ['before', 'after'] as const;

describe('a database connection that is cut', () => {
  test.each(MOMENTS)('%s the commit of a charge: the step is charged once, and the response says so', async (when) => {
    const { student, teacher, call } = await pair();
    const charge = () => wallet.charge({ call, step: 1, student, teacher, amount: 100, next: 50 });
    const answer = await cutting(when === 'before' ? /with_now_as_materialized/ : /COMMIT/, when, charge);
    expect([answer.status, answer.body]).toEqual([200, { charged: 100, reserved: 50, available: 850 }]);
    expect((await charge()).body).toEqual(answer.body);
    expect((await wallet.balance(teacher)).balance).toBe(100);
  });

  test.each(MOMENTS)('%s the commit of a hold: a retry leaves one hold', async (when) => {
    const { student, call } = await pair();
    const first = await cutting(when === 'before' ? /with_now_as_materialized/ : /COMMIT/, when, () =>
      wallet.hold(call, student, 70),
    );
    expect([200, 503]).toContain(first.status);
    expect((await wallet.hold(call, student, 70)).body).toMatchObject({ held: 70, available: 930 });
    expect(await wallet.balance(student)).toEqual({ balance: 1000, held: 70, available: 930 });
  });

  test('after COMMIT of a withdrawal: the response reports the stored result', async () => {
    const { student, teacher, call } = await pair();
    await wallet.charge({ call, step: 1, student, teacher, amount: 500 });
    const answer = await cutting(/COMMIT/, 'after', () => wallet.withdraw(teacher, 300));
    expect([answer.status, answer.body.status, answer.headers.get('idempotent-replayed')]).toEqual([
      200,
      'initiated',
      null,
    ]);
    expect(await wallet.balance(teacher)).toEqual({ balance: 500, held: 300, available: 200 });
  });

  test('before COMMIT of a withdrawal: the response is a 503, nothing was done, and a retry with the key does it once', async () => {
    const { student, teacher, call } = await pair();
    await wallet.charge({ call, step: 1, student, teacher, amount: 500 });
    const key = { 'idempotency-key': `cut-${teacher}` };
    const answer = await cutting(/COMMIT/, 'before', () => wallet.withdraw(teacher, 300, key));
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect((await wallet.balance(teacher)).held).toBe(0);
    const done = await wallet.withdraw(teacher, 300, key);
    expect((await wallet.withdraw(teacher, 300, key)).body).toEqual(done.body);
    expect((await wallet.balance(teacher)).held).toBe(300);
  });

  test('after COMMIT of a refund: the call is refunded once, and the response reports it', async () => {
    const { student, teacher, call } = await pair();
    await wallet.charge({ call, step: 1, student, teacher, amount: 500 });
    const refund = () => wallet.service.api.admin('su').post(`/api/admin/calls/${call}/refund`, { amount: 200 });
    const answer = await cutting(/COMMIT/, 'after', refund);
    expect([answer.status, answer.body.amount]).toEqual([200, 200]);
    expect((await wallet.balance(student)).balance).toBe(700);
  });

  test.each(MOMENTS)(
    '%s COMMIT of a webhook: the provider gets a 503 and retries, and the event counts once',
    async (when) => {
      const { student } = await pair();
      const { body } = await wallet.service.api.student(student).post('/api/deposits', { amount: 100 });
      const deliver = () => wallet.provider(body.id, 'succeeded', `cut-${body.id}`);
      expect((await cutting(/COMMIT/, when, deliver)).status).toBe(503);
      expect((await deliver()).status).toBe(200);
      expect((await wallet.balance(student)).balance).toBe(1100);
    },
  );

  test.each(MOMENTS)(
    '%s COMMIT of an administrator’s decision: the response is a 503, and a retry takes effect once',
    async (when) => {
      const { student, teacher, call } = await pair();
      await wallet.charge({ call, step: 1, student, teacher, amount: 500 });
      const { id } = (await wallet.withdraw(teacher, 300)).body;
      const decide = () => wallet.service.api.admin('su').put(`/api/admin/withdrawals/${id}`, { status: 'success' });
      expect((await cutting(/COMMIT/, when, decide)).status).toBe(503);
      expect((await decide()).body.status).toBe('success');
      expect(await wallet.balance(teacher)).toEqual({ balance: 200, held: 0, available: 200 });
    },
  );
});

describe('a connection that is lost between two statements', () => {
  const deposit = (student: number) => wallet.service.api.student(student).post('/api/deposits', { amount: 100 });
  const ways: [string, (student: number) => Promise<() => Promise<{ status: number }>>][] = [
    ['a deposit', (student) => Promise.resolve(() => deposit(student))],
    [
      'a webhook',
      async (student) =>
        (
          ({ body }) =>
          () =>
            wallet.provider(body.id, 'succeeded')
        )(await deposit(student)),
    ],
    ['a withdrawal', (student) => Promise.resolve(() => wallet.withdraw(student, 300))],
    [
      'a decision',
      async (student) => {
        const { id } = (await wallet.withdraw(student, 300)).body;
        return () => wallet.service.api.admin('su').put(`/api/admin/withdrawals/${id}`, { status: 'success' });
      },
    ],
  ];

  test.each(ways)('makes %s a 503, and a retry works', async (_name, prepare) => {
    const { student, teacher, call } = await pair();
    await wallet.charge({ call, step: 1, student, teacher, amount: 500 });
    const work = await prepare(teacher);
    expect((await cutting(/START TRANSACTION/, 'answered', work)).status).toBe(503);
    expect((await work()).status).toBe(200);
  });
});

test('a connection that is cut during many charges affects none of them', async () => {
  const pairs = await Promise.all(Array.from({ length: 30 }, pair));
  proxy.arm(/COMMIT/, 'after');
  const before = proxy.cuts;
  const answers = await Promise.all(
    pairs.map(({ student, teacher, call }) => wallet.charge({ call, step: 1, student, teacher, amount: 100 })),
  );
  expect(proxy.cuts - before).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual(pairs.map(() => 200));
  for (const { teacher } of pairs) expect((await wallet.balance(teacher)).balance).toBe(100);
});
