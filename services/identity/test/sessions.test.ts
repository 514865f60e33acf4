import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rows } from '@tutoring/shared/kit/database/sql';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { deviceName } from '../src/tokens/token.ts';
import { PASSWORD, startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

type User = Awaited<ReturnType<TestIdentity['user']>>;
interface Row {
  id: number;
  name: string;
  push: boolean;
  current: boolean;
  last_used_at: string;
  created_at: string;
}

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const NOT_FOUND = [404, { code: 'not_found', message: 'The record could not be found.' }];
const answerOf = (answer: TestResponse) => [answer.status, answer.body];
const idOf = (token: string) => Number(token.split('|')[0]);

/** Another login of the user, with its own client. */
async function login(user: User, more: object = {}, headers: Record<string, string> = {}) {
  const body = { email: user.email, password: PASSWORD, ...more };
  const answer = await service.api.anonymous.post('/api/auth/login', body, headers);
  const token: string = answer.body.token;
  const id = idOf(token);
  return { id, token, api: service.api.as({ ...user.caller, tokenId: id }) };
}

const list = async (who: { api: User['api'] }) => (await who.api.get('/api/auth/sessions')).body as Row[];
const devicesOf = async (id: number) =>
  (await service.published('devices.changed'))
    .filter((event) => event.user_id === id)
    .map((event) => event.device_keys);
const isValid = async (token: string) => (await service.verifyToken(token)).status === 200;

test.each([
  [IPHONE, 'iPhone'],
  ['Tutoring/3.1 (iPhone; iOS 18.1; Scale/3.00)', 'iPhone'],
  ['Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15', 'iPad'],
  ['Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9)', 'Android'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36', 'Android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36', 'Chrome on Windows'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15', 'Safari on macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36', 'Chrome on ChromeOS'],
  ['okhttp/4.12.0', 'Android app'],
  ['TutoringApp/2.0 okhttp/5.0.0-alpha.14', 'Android app'],
  ['TutoringApp/42 CFNetwork/1568.200.51 Darwin/24.1.0', 'iOS app'],
  ['TutoringApp/2.0 (com.example.tutoring; build:42; iOS 18.1.0) Alamofire/5.10.1', 'iOS app'],
  ['Dart/3.5 (dart:io)', 'Unknown device'],
  ['curl/8.5.0', 'Unknown device'],
  ['', 'Unknown device'],
])('the user agent "%s" is named "%s"', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

describe('GET api/auth/sessions', () => {
  test('the list has device and address of each login, the current one first, and no API tokens', async () => {
    const user = await service.user();
    await user.api.post('/api/auth/tokens', { name: 'script' });
    const headers = { 'user-agent': IPHONE, 'x-client-address': '203.0.113.7' };
    const phone = await login(user, { device_key: `phone-${user.id}` }, headers);
    const answer = await phone.api.get('/api/auth/sessions');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const session = {
      id: phone.id,
      name: 'iPhone',
      address: '203.0.113.7',
      user_agent: IPHONE,
      push: true,
      current: true,
      last_used_at: time,
      created_at: time,
    };
    expect(answerOf(answer)).toEqual([200, [session, expect.objectContaining({ id: user.caller.tokenId })]]);
    expect(Object.keys(JSON.parse(answer.text)[0])).toEqual(Object.keys(session));
    expect(answer.body[1]).toMatchObject({ push: false, current: false, last_used_at: answer.body[1].created_at });
    const [otherwise] = await list(user);
    expect(otherwise).toMatchObject({ id: user.caller.tokenId, current: true });
  });

  test.each(['Élève/2.0 (日本; iPhone)', 'Plain/1.0', 'Zo\u00eb'.normalize('NFD')])(
    'the list has the UTF-8 user agent %s unchanged',
    async (userAgent) => {
      const user = await service.user();
      const sent = Buffer.from(userAgent).toString('latin1');
      const phone = await login(user, {}, { 'user-agent': sent });
      expect((await list(phone))[0]).toMatchObject({ user_agent: userAgent });
    },
  );

  test('a login and a verification may name the device, with at most 100 characters', async () => {
    const user = await service.user();
    const named = await login(user, { device_name: ' Awa’s phone ' }, { 'user-agent': IPHONE });
    const unnamed = await login(user, { device_name: '' }, { 'user-agent': 'okhttp/4.12.0' });
    expect((await list(unnamed)).map(({ name }) => name)).toEqual(['Android app', 'Awa’s phone', 'Unknown device']);
    expect((await named.api.put('/api/auth/device', { device_key: '' })).body.name).toBe('Awa’s phone');
    const body = service.submission({ email: `named-${user.id}@example.com` });
    await service.api.anonymous.post('/api/auth/register', body);
    const code = await service.codeTo(body.email);
    const verify = (device_name: string) =>
      service.api.anonymous.post('/api/auth/register/verify', { ...body, code, device_name });
    const long = { device_name: ['The device name field must not be greater than 100 characters.'] };
    expect((await verify('é'.repeat(101))).body.errors).toEqual(long);
    const tooLong = { email: user.email, password: PASSWORD, device_name: 'x'.repeat(101) };
    expect((await service.api.anonymous.post('/api/auth/login', tooLong)).body.errors).toEqual(long);
    const { id } = (await verify('é'.repeat(100))).body.user as { id: number };
    expect(await service.rows('select device_name from token where account_id = $1', [id])).toEqual([
      { device_name: 'é'.repeat(100) },
    ]);
  });

  test('the session used last is listed first, also if it was used twice within five minutes', async () => {
    const user = await service.user();
    const [one, two, three] = [await login(user), await login(user), await login(user)];
    const order = async () => (await list(three)).map(({ id }) => id);
    try {
      expect(await order()).toEqual([three.id, two.id, one.id, user.caller.tokenId]);
      await service.verifyToken(one.token);
      expect(await order()).toEqual([three.id, one.id, two.id, user.caller.tokenId]);
      await service.shiftClock(20);
      await service.verifyToken(two.token);
      expect(await order()).toEqual([three.id, two.id, one.id, user.caller.tokenId]);
      await service.shiftClock(81);
      await service.verifyToken(one.token);
      expect(await order()).toEqual([three.id, one.id, two.id, user.caller.tokenId]);
    } finally {
      await service.shiftClock(0);
    }
  });
});

test('a list of sessions waits for uses that are being written', async () => {
  const user = await service.user();
  const [one, two, three] = [await login(user), await login(user), await login(user)];
  let listed: Promise<TestResponse> | undefined;
  await service.service.database.transact(async (tx) => {
    await rows(tx, 'set local idle_in_transaction_session_timeout = 0');
    await rows(tx, 'select from token where id = $1 for update', [one.id]);
    await service.verifyToken(one.token);
    await eventually('the job waits for the row', async () => {
      const waiting = await service.rows(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like '%update token set last_used_at%'`,
      );
      return waiting.length > 0;
    });
    // On a busy machine it may have waited too long for the row.
    listed = retryWhile503(() => three.api.get('/api/auth/sessions'));
    // Long enough for a list that does not wait.
    await user.api.get('/api/me');
  });
  const ids = ((await listed!).body as Row[]).map(({ id }) => id);
  expect(ids).toEqual([three.id, one.id, two.id, user.caller.tokenId]);
});

describe('ending sessions', () => {
  test("ending a session removes its device key; another user's session and an API token are a 404", async () => {
    const [user, other] = [await service.user(), await service.user()];
    const phone = await login(user, { device_key: `lost-${user.id}` });
    const api = await user.api.post('/api/auth/tokens', { name: 'script' });
    for (const id of [other.caller.tokenId, api.body.id, 999_999_999, 'x'])
      expect(answerOf(await user.api.delete(`/api/auth/sessions/${id}`))).toEqual(NOT_FOUND);
    expect(answerOf(await user.api.delete(`/api/auth/sessions/${phone.id}`))).toEqual([
      200,
      { message: 'The session has been ended.' },
    ]);
    expect([await isValid(phone.token), await isValid(user.token), await isValid(api.body.token)]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await devicesOf(user.id)).at(-1)).toEqual([]);
    expect(await service.published('tokens.revoked')).toContainEqual({
      subject: `user:${user.id}`,
      token_ids: [phone.id],
    });
    expect(answerOf(await user.api.delete(`/api/auth/sessions/${phone.id}`))).toEqual(NOT_FOUND);
  });

  test('ending all other sessions keeps API tokens, and succeeds without other sessions', async () => {
    const user = await service.user();
    const others = [await login(user), await login(user, { device_key: `tablet-${user.id}` })];
    const api = await user.api.post('/api/auth/tokens', { name: 'script' });
    const message = 'All other sessions have been ended.';
    expect(answerOf(await user.api.delete('/api/auth/sessions'))).toEqual([200, { message, ended: 2 }]);
    expect((await list(user)).map(({ id }) => id)).toEqual([user.caller.tokenId]);
    for (const { token } of others) expect(await isValid(token)).toBe(false);
    expect([await isValid(user.token), await isValid(api.body.token)]).toEqual([true, true]);
    expect((await devicesOf(user.id)).at(-1)).toEqual([]);
    expect((await user.api.delete('/api/auth/sessions')).body).toEqual({ message, ended: 0 });
  });
});

describe('at most 20 sessions', () => {
  test('a further login ends the session unused for longest, with its device key', async () => {
    const user = await service.user();
    const phone = await login(user, { device_key: `old-${user.id}` });
    for (let n = 0; n < 18; n += 1) await login(user);
    // The first two are the oldest; the first one has been used since.
    await service.verifyToken(user.token);
    await list(user);
    const last = await login(user);
    expect(await list(last)).toHaveLength(20);
    expect([await isValid(user.token), await isValid(phone.token), await isValid(last.token)]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await devicesOf(user.id)).at(-1)).toEqual([]);
    expect(await service.published('tokens.revoked')).toContainEqual({
      subject: `user:${user.id}`,
      token_ids: [phone.id],
    });
  });

  test('concurrent logins leave 20 sessions', async () => {
    const user = await service.user();
    const logins = await Promise.all(Array.from({ length: 36 }, () => retryWhile503(() => service.login(user.email))));
    expect(logins.map(({ status }) => status)).toEqual(logins.map(() => 200));
    const good = await Promise.all(logins.map(({ body }) => isValid(body.token)));
    expect(good.filter(Boolean)).toHaveLength(20);
  });
});

describe('PUT api/auth/device', () => {
  test('a device key can be set, moved to another session and removed', async () => {
    const [user, other] = [await service.user(), await service.user()];
    const device_key = `moving-${user.id}`;
    const set = await user.api.put('/api/auth/device', { device_key });
    expect(answerOf(set)).toEqual([200, { ...(await list(user))[0], last_used_at: expect.any(String) }]);
    expect(set.body).toMatchObject({ id: user.caller.tokenId, push: true, current: true });
    expect((await other.api.put('/api/auth/device', { device_key })).status).toBe(200);
    expect((await list(user))[0]).toMatchObject({ push: false });
    await other.api.put('/api/auth/device', { device_key });
    expect((await other.api.put('/api/auth/device', { device_key: '' })).body).toMatchObject({ push: false });
    expect(await devicesOf(user.id)).toEqual([[device_key], []]);
    // Repeating the request publishes nothing.
    expect(await devicesOf(other.id)).toEqual([[device_key], []]);
  });

  test('the device key is a required string; an API token is a 404', async () => {
    const user = await service.user();
    const errorsOf = async (body: unknown) => (await user.api.put('/api/auth/device', body)).body.errors;
    expect(await errorsOf({})).toEqual({ device_key: ['The device key field is required.'] });
    expect(await errorsOf({ device_key: 5 })).toEqual({ device_key: ['The device key field must be a string.'] });
    expect(await errorsOf({ device_key: 'x'.repeat(1_025) })).toEqual({
      device_key: ['The device key field must not be greater than 1024 characters.'],
    });
    const api = await user.api.post('/api/auth/tokens', { name: 'script' });
    const script = service.api.as({ ...user.caller, tokenId: api.body.id });
    expect(answerOf(await script.put('/api/auth/device', { device_key: 'x' }))).toEqual(NOT_FOUND);
    expect(await devicesOf(user.id)).toEqual([]);
  });

  test('a key set by concurrent requests has one holder, which the published events name', async () => {
    const users = await Promise.all([service.user(), service.user(), service.user()]);
    const device_key = `raced-${users[0].id}`;
    await Promise.all(Array.from({ length: 12 }, (_, n) => users[n % 3]!.api.put('/api/auth/device', { device_key })));
    const holders = await service.rows<{ account_id: number }>('select account_id from token where device_key = $1', [
      device_key,
    ]);
    expect(holders).toHaveLength(1);
    for (const { id } of users)
      expect((await devicesOf(id)).at(-1) ?? []).toEqual(id === holders[0]!.account_id ? [device_key] : []);
  });
});
