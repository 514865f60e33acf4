import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { iban, payoutsOf, type Payouts } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

const METHODS = [
  { method: 'tmoney', kind: 'phone', name: 'T-Money', country: 'TG' },
  { method: 'bank', kind: 'iban', name: 'Bank transfer', country: null },
  { method: 'cash', kind: 'text', name: 'Cash desk', country: null },
];

/** A stand-in for identity; `asked` has the proofs that it was asked for. */
let asked: { path: string; body: unknown }[] = [];
let proof: { status: number; body: object } = { status: 200, body: {} };
const identity: Server = createServer((request, response) => {
  let text = '';
  request.on('data', (piece) => (text += String(piece)));
  request.on('end', () => {
    const isProof = request.method === 'POST';
    if (isProof) asked.push({ path: request.url ?? '', body: JSON.parse(text) });
    const answer = isProof ? proof : { status: 404, body: { code: 'not_found', message: 'User not found.' } };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
});

let wallet: Wallet;
let payouts: Payouts;
beforeAll(async () => {
  await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
  wallet = await startWallet({
    IDENTITY_URL: `http://127.0.0.1:${(identity.address() as AddressInfo).port}`,
    PAYOUT_METHODS: JSON.stringify(METHODS),
  });
  payouts = payoutsOf(wallet);
});
afterAll(async () => {
  await wallet.stop();
  identity.close();
});
beforeEach(() => {
  asked = [];
  proof = { status: 200, body: {} };
});

const PHONE = { method: 'tmoney', account: '90 11 22 33', holder_name: 'Kossi Mensah', current_password: 'secret' };
const add = (teacher: number, more: object = {}, headers: Record<string, string> = {}) =>
  wallet.service.api.teacher(teacher).post('/api/payout-accounts', { ...PHONE, ...more }, headers);
const list = async (teacher: number) => (await wallet.service.api.teacher(teacher).get('/api/payout-accounts')).body;
const withdraw = (teacher: number, body: object) =>
  wallet.service.api.teacher(teacher).post('/api/withdrawals', { amount: 1_000, ...body });

test('the ways in which teachers are paid are public', async () => {
  expect((await wallet.service.api.anonymous.get('/api/payout-methods')).body).toEqual(METHODS);
});

describe('POST api/payout-accounts', () => {
  test('adds an account in its kept form after identity has proven the owner, and tells the owner', async () => {
    const teacher = wallet.newUser();
    const added = await add(teacher);
    const expected = { method: 'tmoney', kind: 'phone', account: '+22890112233', holder_name: 'Kossi Mensah' };
    expect([added.status, added.body]).toEqual([
      200,
      {
        id: expect.any(Number),
        ...expected,
        usable_at: added.body.created_at,
        last_used_at: null,
        created_at: expect.any(String),
      },
    ]);
    expect(asked).toEqual([
      { path: `/internal/users/${teacher}/proof`, body: { current_password: 'secret', address: expect.any(String) } },
    ]);
    expect(await list(teacher)).toEqual([added.body]);
    const told = (await wallet.service.published('money.announced')).filter((one) => one.user_id === teacher);
    expect(told).toEqual([{ user_id: teacher, what: 'account_added' }]);
  });

  test('the same account again returns the existing one without a proof', async () => {
    const teacher = wallet.newUser();
    const first = await add(teacher);
    proof = { status: 422, body: { code: 'invalid', message: 'no', errors: { current_password: ['no'] } } };
    expect((await add(teacher, { account: '+228 90 11 22 33' })).body).toEqual(first.body);
    expect(asked).toHaveLength(1);
    expect((await add(teacher, { holder_name: 'Another' })).body.errors).toEqual({ current_password: ['no'] });
  });

  test.each([
    [{ method: 'paypal' }, { method: ['The selected method is invalid.'] }],
    [{ account: '22 21 00 00' }, { account: ['The account field format is invalid.'] }],
    [{ account: '+33612345678' }, { account: ['The account field format is invalid.'] }],
    [{ method: 'bank', account: 'GB82WEST12345698765433' }, { account: ['The account field format is invalid.'] }],
    [{ method: 'cash', account: '=HYPERLINK("x")' }, { account: ['The account field format is invalid.'] }],
    [{ holder_name: '@SUM(A1)' }, { holder_name: ['The holder name field format is invalid.'] }],
    [{ holder_name: 'Kossi\ufffe' }, { holder_name: ['The holder name field format is invalid.'] }],
    [{ holder_name: 'Kossi;=HYPERLINK("x")' }, { holder_name: ['The holder name field format is invalid.'] }],
    [{ holder_name: ' ' }, { holder_name: ['The holder name field is required.'] }],
  ])('refuses %j', async (more, errors) => {
    const answer = await add(wallet.newUser(), more);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect(asked).toEqual([]);
  });

  test('at most five, also of many at once; the sixth is a 409', async () => {
    const teacher = wallet.newUser();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        retryWhile503(() => add(teacher, { method: 'bank', account: iban(number) })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(409)]);
    expect(await list(teacher)).toHaveLength(5);
    const [{ id }] = await list(teacher);
    expect((await wallet.service.api.teacher(teacher).delete(`/api/payout-accounts/${id}`)).status).toBe(200);
    expect((await add(teacher)).status).toBe(200);
  });

  test('is a 503 while identity is away, and students have none', async () => {
    proof = { status: 503, body: { code: 'unavailable', message: 'down' } };
    expect((await add(wallet.newUser())).status).toBe(503);
    expect((await wallet.service.api.student(1).post('/api/payout-accounts', PHONE)).status).toBe(403);
  });
});

describe('withdrawals', () => {
  test('to a payout account hold its data, and mark it as used', async () => {
    const teacher = await wallet.teacherWith(1_000);
    const account = (await add(teacher)).body;
    const made = await withdraw(teacher, { payout_account_id: account.id });
    expect(made.body).toMatchObject({ method: 'tmoney', account: '+22890112233', status: 'initiated' });
    expect((await list(teacher))[0].last_used_at).toEqual(expect.any(String));
    const remove = () => wallet.service.api.teacher(teacher).delete(`/api/payout-accounts/${account.id}`);
    expect([(await remove()).status, (await remove()).body.message]).toEqual([
      409,
      'A withdrawal to this payout account is open.',
    ]);
    await wallet.service.api.teacher(teacher).post(`/api/withdrawals/${made.body.id}/cancel`);
    expect((await remove()).body).toEqual({ message: 'The payout account has been deleted.' });
    expect((await remove()).status).toBe(404);
  });

  test('are a 422 for the account of another', async () => {
    const account = (await add(wallet.newUser())).body;
    const answer = await withdraw(await wallet.teacherWith(1_000), { payout_account_id: account.id });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { payout_account_id: ['The selected payout account id is invalid.'] },
    ]);
  });

  test('are a 409 that names the time before the account can be used', async () => {
    await payouts.setting('payout_account_hold_hours', 48);
    const teacher = await wallet.teacherWith(1_000);
    const account = (await add(teacher)).body;
    await payouts.setting('payout_account_hold_hours', 0);
    expect(Date.parse(account.usable_at) - Date.parse(account.created_at)).toBe(48 * 3_600_000);
    const early = await withdraw(teacher, { payout_account_id: account.id });
    expect([early.status, early.body.message]).toEqual([
      409,
      `This payout account can be used from ${account.usable_at} on.`,
    ]);
    expect((await wallet.balance(teacher)).held).toBe(0);
    await wallet.service.shiftClock(48 * 3_600 + 60);
    expect((await withdraw(teacher, { payout_account_id: account.id })).status).toBe(200);
    await wallet.service.shiftClock(0);
  });

  test('in the old form go on until the setting requires a payout account', async () => {
    const teacher = await wallet.teacherWith(3_000);
    const old = { method: 'bank', account: 'SN-1' };
    expect((await withdraw(teacher, old)).status).toBe(200);
    await payouts.setting('require_payout_account', 1);
    const refused = await withdraw(teacher, old);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { payout_account_id: ['The payout account id field is required.'] },
    ]);
    await payouts.setting('require_payout_account', 0);
    expect((await withdraw(teacher, {})).body.errors).toEqual({
      method: ['The method field is required.'],
      account: ['The account field is required.'],
    });
    for (const more of [{}, { amount: 'x' }, { method: 'bank' }]) {
      const { errors } = (await withdraw(teacher, { payout_account_id: 'x', ...more })).body;
      expect([errors.payout_account_id.length, errors.method, errors.account]).toEqual([1, undefined, undefined]);
    }
  });
});

test('the deletion of a teacher erases the payout accounts; items keep the last four characters', async () => {
  const teacher = await wallet.teacherWith(1_000);
  const account = (await add(teacher)).body;
  const { id } = (await withdraw(teacher, { payout_account_id: account.id })).body;
  const batch = await payouts.exported([id]);
  await payouts.report(batch, [[id, 'paid']]);
  await wallet.tellUser(teacher, { platform: 'teacher', deleted: true, name: 'Deleted user', version: 7 });
  expect(await list(teacher)).toEqual([]);
  expect((await payouts.items(batch))[0]).toMatchObject({ account: '2233', holder_name: null });
  const exported = await wallet.service.api.service('identity').get(`/internal/users/${teacher}/payout-accounts`);
  expect(exported.body).toEqual({ items: [], next: null });
});
