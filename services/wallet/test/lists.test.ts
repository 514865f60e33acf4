import { rows } from '@tutoring/shared/kit/database/sql';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { eventually } from '@tutoring/shared/testing/wait';
import { startWallet, type Wallet } from './wallet.ts';

const [ANNA, BORIS, ELOISE] = [1, 2, 3];

/** A stand-in for identity that knows one user, of whom no event was published. */
const identity: Server = createServer((request, response) => {
  const known = request.url === '/internal/users/77';
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(
      known
        ? user(77, 'student', { name: 'Read Through', email: '', unproven_email: 'r@x.org', phone_number: '' })
        : { code: 'not_found', message: 'User not found.' },
    ),
  );
});

let wallet: Wallet;
beforeAll(async () => {
  await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
  wallet = await startWallet({ IDENTITY_URL: `http://127.0.0.1:${(identity.address() as AddressInfo).port}` });
  await wallet.tellUser(ANNA, { name: 'Anna Müller', email: 'anna@example.org', phone_number: '+221700001' });
  await wallet.tellUser(BORIS, {
    name: 'Boris',
    email: '',
    unproven_email: 'boris@example.org',
    phone_number: '+221700002',
  });
  await wallet.tellUser(ELOISE, {
    name: 'Éloïse',
    email: 'el@example.org',
    phone_number: '+221700003',
    platform: 'teacher',
  });
  for (let index = 0; index < 17; index += 1) await wallet.topUp(ANNA, 100 + index);
  await wallet.topUp(BORIS, 5000);
  await wallet.service.api.student(BORIS).post('/api/deposits', { amount: 900, method: 'Crédit Mutuel' });
  await wallet.charge({ call: 'abc-42', step: 1, student: BORIS, teacher: ELOISE, amount: 3000, percent: 10 });
  await wallet.withdraw(ELOISE, 1500);
});
afterAll(async () => {
  await wallet.stop();
  identity.close();
});

type Row = Record<string, unknown>;
const deposits = (body: Row = {}) => wallet.service.api.admin().post('/api/admin/depositsall', body);

describe('the page', () => {
  test('has the format of Laravel, 15 items by default, and the newest first', async () => {
    const { body } = await deposits();
    const url = 'http://public.test/api/admin/depositsall';
    expect({ ...body, data: body.data.length }).toEqual({
      current_page: 1,
      data: 15,
      first_page_url: `${url}?page=1`,
      from: 1,
      last_page: 2,
      last_page_url: `${url}?page=2`,
      links: [
        { url: null, label: '&laquo; Previous', active: false },
        { url: `${url}?page=1`, label: '1', active: true },
        { url: `${url}?page=2`, label: '2', active: false },
        { url: `${url}?page=2`, label: 'Next &raquo;', active: false },
      ],
      next_page_url: `${url}?page=2`,
      path: url,
      per_page: 15,
      prev_page_url: null,
      to: 15,
      total: 19,
    });
    const ids = body.data.map((row: Row) => row['id']);
    expect(ids).toEqual([...ids].sort((a: number, b: number) => b - a));
  });

  test.each([
    ['the second page', { page: 2 }, [4, 16, 19]],
    ['a page past the end', { page: 9 }, [0, null, 19]],
    ['a page far past the end', { page: 2 ** 53 - 1, pageItems: 100 }, [0, null, 19]],
    ['a page that is not a number', { page: 'x' }, [15, 1, 19]],
    ['more items per page than allowed', { pageItems: 1000 }, [19, 1, 19]],
  ])('is right for %s', async (_name, body, [length, from, total]: (number | null)[]) => {
    const page = (await deposits(body)).body;
    expect([page.data.length, page.from, page.total]).toEqual([length, from, total]);
  });

  test.each([
    ['pageItems below 1', { pageItems: 0 }, 'The page items field must be at least 1.'],
    ['a status outside the set', { status: 'paid' }, 'The selected status is invalid.'],
    ['an unknown user', { user_id: 4242 }, 'The selected user id is invalid.'],
    ['a malformed day', { from: '20-11-2026' }, 'The from field must be a valid date.'],
  ])('is a 422 for %s', async (_name, body, message) => {
    const answer = await deposits(body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });
});

describe('filters', () => {
  const total = async (body: Row) => (await deposits(body)).body.total;
  test('select by user, status and day', async () => {
    const [days] = await wallet.service.rows<{ from: string; to: string }>(
      `select min(created_at)::date::text as from, max(created_at)::date::text as to from deposit`,
    );
    expect(await total({ user_id: BORIS })).toBe(2);
    expect(await total({ user_id: 77 })).toBe(0);
    expect(await total({ user_id: BORIS, status: 'pending' })).toBe(1);
    expect(await total({ ...days })).toBe(19);
    expect(await total({ to: '2026-01-01' })).toBe(0);
  });

  test.each([
    ['a name without its accents', 'muller', 17],
    ['a name in another case', 'BORIS', 2],
    ['an e-mail address', 'anna@', 17],
    ['a phone number', '+221700002', 2],
    ['a phone number with blanks and dashes', '+221 70-00 02', 2],
    ['only punctuation', '@@@', 0],
    ['a method without its accent', 'credit mut', 1],
    ['a reference', 'sandbox-1', 11],
    ['a text that nothing contains', 'zzz', 0],
    ['a pattern character as itself', '%', 0],
    ['an underscore as itself', '_', 0],
    ['a backslash', '\\', 0],
    ['a quote', "o'", 0],
  ])('find the right rows by filter_value: %s', async (_name, filter_value, expected) => {
    expect(await total({ filter_value })).toBe(expected);
  });

  test('find a withdrawal by filter_value with its exact id', async () => {
    const withdrawals = await wallet.service.api.admin().post('/api/admin/withdrawalsall', { filter_value: '1' });
    expect(withdrawals.body.data.map((row: Row) => row['id'])).toContain(1);
  });
});

test('at most twelve searches among all people run at once, without delaying others', async () => {
  const { api } = wallet.service;
  const refused: TestResponse[] = [];
  const search = async () => {
    const answer = await api.admin().post('/api/admin/depositsall', { filter_value: 'n' });
    if (answer.body.message === 'Too many searches are under way. Please try again.') refused.push(answer);
    return answer;
  };
  const answers = await wallet.service.service.database.transact(async (tx) => {
    await rows(tx, 'lock table user_copy in access exclusive mode');
    const asked = Array.from({ length: 20 }, search);
    await eventually('eight are refused', () => refused.length === 8);
    expect((await api.student(BORIS).get('/api/wallet')).status).toBe(200);
    return asked;
  });
  const settled = await Promise.all(answers);
  expect(refused).toHaveLength(8);
  for (const { status, headers, body } of refused)
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'unavailable']);
  // On a busy machine the others may have timed out while they waited for the lock.
  for (const { status } of settled) expect([200, 503]).toContain(status);
});

describe('POST api/paymentsall', () => {
  const shown = (rows: Row[]) => rows.map((row) => [row['user_id'], row['type'], row['direction'], row['amount']]);

  test('administrators see all payments with their users', async () => {
    const page = (await wallet.service.api.admin().post('/api/paymentsall', { pageItems: 3 })).body;
    expect(shown(page.data)).toEqual([
      [ELOISE, 'withdrawal', 'out', 1500],
      [ELOISE, 'call', 'in', 2700],
      [BORIS, 'call', 'out', 3000],
    ]);
    expect(page.total).toBe(22);
    expect(page.data[1]).toEqual({
      id: expect.any(Number),
      user_id: ELOISE,
      type: 'call',
      direction: 'in',
      amount: 2700,
      currency: 'XOF',
      status: 'success',
      ref: 'abc-42',
      details: 'video call',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      user: { id: ELOISE, name: 'Éloïse', email: 'el@example.org', phone_number: '+221700003' },
    });
    const sourced = { pageItems: 3, filter_value: 'ABC-42', with_source: true };
    const filtered = (await wallet.service.api.admin().post('/api/paymentsall', sourced)).body;
    expect([filtered.total, filtered.data.map((row: Row) => row['source'])]).toEqual([
      2,
      ['call:abc-42', 'call:abc-42'],
    ]);
  });

  test('type and direction filter the payments', async () => {
    const api = wallet.service.api.admin();
    const deposits = (await api.post('/api/paymentsall', { type: 'deposit', pageItems: 100 })).body;
    expect(new Set(deposits.data.map((row: Row) => row['type']))).toEqual(new Set(['deposit']));
    const all = (await api.post('/api/paymentsall', { pageItems: 100 })).body;
    expect(deposits.total).toBe(all.data.filter((row: Row) => row['type'] === 'deposit').length);
    const own = wallet.service.api.student(BORIS);
    expect(shown((await own.post('/api/paymentsall', { direction: 'out' })).body.data)).toEqual([
      [BORIS, 'call', 'out', 3000],
    ]);
    expect((await own.post('/api/paymentsall', { type: 'deposit', direction: 'out' })).body.total).toBe(0);
    const refused = await own.post('/api/paymentsall', { type: 'x', direction: 'y' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['type', 'direction']]);
  });

  test('users see their own payments, whatever user_id says; an unknown user_id is a 422', async () => {
    const api = wallet.service.api.student(BORIS);
    const page = (await api.post('/api/paymentsall', { user_id: ANNA, with_source: true })).body;
    expect(shown(page.data)).toEqual([
      [BORIS, 'call', 'out', 3000],
      [BORIS, 'deposit', 'in', 900],
      [BORIS, 'deposit', 'in', 5000],
    ]);
    expect(page.data.filter((row: Row) => 'source' in row)).toEqual([]);
    const ofNobody = await api.post('/api/paymentsall', { user_id: 4242, status: 'x' });
    expect([ofNobody.status, ofNobody.body.errors]).toEqual([
      422,
      { user_id: ['The selected user id is invalid.'], status: ['The selected status is invalid.'] },
    ]);
    expect((await wallet.service.api.anonymous.post('/api/paymentsall', {})).status).toBe(401);
  });
});

test('administrators see the same balance as the user, and an unknown user is a 404', async () => {
  const { api } = wallet.service;
  const own = (await api.teacher(ELOISE).get('/api/wallet')).body;
  expect(own.held).toBeGreaterThan(0);
  expect((await api.admin().get(`/api/admin/users/${ELOISE}/wallet`)).body).toEqual(own);
  expect((await api.admin().get('/api/admin/users/4242/wallet')).status).toBe(404);
  expect((await api.student(BORIS).get(`/api/admin/users/${BORIS}/wallet`)).status).toBe(403);
});

test('the statement lists the newest transfers first, below a cursor', async () => {
  const api = wallet.service.api.student(ANNA);
  const first = (await api.get('/api/wallet/transactions?limit=5')).body;
  expect(first).toHaveLength(5);
  expect(first[0]).toEqual({
    id: expect.any(Number),
    type: 'deposit',
    direction: 'in',
    amount: 116,
    ref: expect.stringMatching(/^deposit:\d+:1$/),
    created_at: expect.any(String),
  });
  const second = (await api.get(`/api/wallet/transactions?limit=100&before=${first[4].id}`)).body;
  expect(second.map((row: Row) => row['amount'])).toEqual(Array.from({ length: 12 }, (_, index) => 111 - index));
  expect((await wallet.service.api.student(999).get('/api/wallet')).body).toEqual({
    balance: 0,
    available: 0,
    held: 0,
    currency: 'XOF',
  });
});

test('an unknown user is read from identity once', async () => {
  await wallet.topUp(77, 100);
  // A busy identity does not answer in time.
  const shown = await eventually('the user has a name', async () => {
    const { user: found } = (await deposits({ user_id: 77 })).body.data[0];
    return found.name !== '' && found;
  });
  expect(shown).toEqual({ id: 77, name: 'Read Through', email: 'r@x.org', phone_number: '' });
  expect(await wallet.service.rows('select version from user_copy where id = 77')).toEqual([{ version: 1 }]);
});

test('a user whom identity does not know either is shown without a name', async () => {
  await wallet.topUp(88, 100);
  expect((await deposits()).body.data[0].user).toEqual({ id: 88, name: '', email: '', phone_number: '' });
});
