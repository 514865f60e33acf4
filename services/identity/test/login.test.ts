import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { holdHashing } from './hold-hashing.ts';
import { PASSWORD, startIdentity, SUPER, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const INVALID = { code: 'not_found', message: 'Invalid credentials.' };
const from = (address: string) => ({ 'x-client-address': address });
const attempt = (body: object, address = '203.0.113.1') =>
  service.api.anonymous.post('/api/auth/login', body, from(address));

describe('POST api/auth/login', () => {
  test('a login returns a token and the user', async () => {
    const { id, email, view } = await service.user();
    const answer = await service.login(email.toUpperCase());
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        token: expect.stringMatching(/^\d+\|[A-Za-z0-9]{40}[0-9a-f]{8}$/),
        token_type: 'Bearer',
        user: { ...view, updated_at: expect.any(String) },
      },
    ]);
    expect(answer.body.user.id).toBe(id);
  });

  test('every refused login is the same 404', async () => {
    const student = await service.user();
    const banned = await service.user();
    const su = await service.su();
    await su.api.put(`/api/admin/users/${banned.id}`, { status: 'banned' });
    const waiting = service.submission();
    await service.api.anonymous.post('/api/auth/register', waiting);
    const bodies: [string, object][] = [
      ['an empty body', {}],
      ['no password', { email: student.email }],
      ['no e-mail', { password: PASSWORD }],
      ['an unknown e-mail', { email: 'nobody@example.com', password: PASSWORD }],
      ['a wrong password', { email: student.email, password: 'wrong password' }],
      ['a password with a trailing space', { email: student.email, password: `${PASSWORD} ` }],
      ['the wrong platform', { email: student.email, password: PASSWORD, platform: 'teacher' }],
      ['an unknown platform', { email: student.email, password: PASSWORD, platform: 'robot' }],
      ['another way to log in', { email: student.email, password: PASSWORD, gauth_type: 'google' }],
      ['an unknown way to log in', { email: student.email, password: PASSWORD, gauth_type: 'myspace' }],
      ['google without a token', { email: student.email, gauth_type: 'google' }],
      ['an unverified account', { email: waiting.email, password: PASSWORD }],
      ['a banned account', { email: banned.email, password: PASSWORD }],
      ['an administrator', SUPER],
    ];
    for (const [name, body] of bodies) {
      const answer = await attempt(body);
      expect([name, answer.status, answer.body]).toEqual([name, 404, INVALID]);
    }
  });

  test('a right code by SMS is a 404 if the number changes during the login', async () => {
    const phone = { gauth_type: 'phone_number', phone_number: '+2250700000078' };
    const user = await service.user({ ...phone, password: undefined });
    await service.api.anonymous.post('/api/auth/login/send-code', phone);
    const password = await service.codeTo(phone.phone_number, 2);
    const { released } = await service.lockUntil(`perform from account where id = ${user.id} for update`, {
      then: `update account set phone_key = '+2250700000079' where id = ${user.id};`,
    });
    const answer = await attempt({ ...phone, password });
    await released;
    expect(answer.status).toBe(404);
  });

  test('only a field that is not a string is a 422', async () => {
    const answer = await attempt({ email: 7 });
    expect([answer.status, answer.body.errors]).toEqual([422, { email: ['The email field must be a string.'] }]);
  });

  test('logins of unknown users are hashed too; those beyond the queue are a 503 with Retry-After', async () => {
    const full = await startIdentity();
    try {
      const release = await holdHashing();
      const attempts = Array.from({ length: 60 }, (_, n) => full.login(`nobody-${n}@example.com`, 'wrong password'));
      const refused = await Promise.any(attempts).finally(release);
      expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
        503,
        { code: 'unavailable', message: 'The service is busy. Please try again.' },
        '1',
      ]);
      for (const { status } of await Promise.all(attempts)) expect([404, 503]).toContain(status);
    } finally {
      await full.end();
    }
  });
});

describe('login by password to accounts registered in other ways', () => {
  const NEW = 'a better password';

  /** A user who resets the password by a code to the proven e-mail. */
  async function reset(user: { email: string }, sent: number) {
    await service.api.anonymous.post('/api/auth/reset-password-send-code', { email: user.email });
    const given = { email: user.email, code: await service.codeTo(user.email, sent) };
    const { body } = await service.api.anonymous.post('/api/auth/reset-password-verify-code', given);
    const last = { email: user.email, password: NEW, reset_token: body.reset_token as string };
    expect((await service.api.anonymous.post('/api/auth/reset-password', last)).status).toBe(200);
  }

  test.each(['google', 'facebook', 'apple', 'email'])(
    'an account registered by %s logs in by password after a reset',
    async (method) => {
      const user = await service.user();
      await service.rows('update account set gauth_type = $2, password_hash = null where id = $1', [user.id, method]);
      expect((await attempt({ email: user.email, password: PASSWORD })).status).toBe(404);
      await reset(user, 2);
      for (const more of [{}, { gauth_type: 'email' }, { platform: 'student' }]) {
        const answer = await attempt({ email: user.email, password: NEW, ...more });
        expect([answer.status, answer.body.user?.gauth_type]).toEqual([200, method]);
      }
      const refused = [{ password: 'wrong password' }, { platform: 'teacher' }, { gauth_type: 'phone_number' }];
      for (const more of refused) {
        const answer = await attempt({ email: user.email, password: NEW, ...more });
        expect([answer.status, answer.body]).toEqual([404, INVALID]);
      }
      const token = await user.api.post('/api/auth/getToken', { email: user.email, password: NEW });
      expect([token.status, (await service.verifyToken(token.body.token)).status]).toEqual([200, 200]);
    },
  );

  test('an account registered by phone logs in by password once its e-mail is proven', async () => {
    const phone = { gauth_type: 'phone_number', phone_number: '+2250700000081' };
    const user = await service.user({ ...phone, password: PASSWORD });
    expect((await attempt({ email: user.email, password: PASSWORD })).status).toBe(404);
    const proof = { email: user.email, current_password: PASSWORD };
    await user.api.put('/api/me', proof);
    expect((await user.api.put('/api/me', { ...proof, code: await service.codeTo(user.email) })).status).toBe(200);
    expect((await attempt({ email: user.email, password: PASSWORD })).body.user?.id).toBe(user.id);
    await reset(user, 2);
    expect((await attempt({ email: user.email, password: NEW })).body.user?.id).toBe(user.id);
    await service.api.anonymous.post('/api/auth/login/send-code', phone);
    const password = await service.codeTo(phone.phone_number, 2);
    expect((await attempt({ ...phone, password })).body.user?.id).toBe(user.id);
  });
});

describe('lock-out', () => {
  test('ten failures lock the account for a minute, then two; an administrator can end the lock', async () => {
    const { id, email } = await service.user();
    const wrong = () => attempt({ email, password: 'wrong password' }, '198.51.100.1');
    const right = () => attempt({ email, password: PASSWORD }, '198.51.100.2');
    try {
      for (let n = 0; n < 9; n += 1) await wrong();
      expect((await right()).status).toBe(200);
      for (let n = 0; n < 10; n += 1) await wrong();
      const locked = await right();
      expect([locked.status, locked.body]).toEqual([404, INVALID]);
      await service.shiftClock(61);
      for (let n = 0; n < 10; n += 1) await wrong();
      await service.shiftClock(122);
      expect((await right()).status).toBe(404);
      await service.shiftClock(183);
      expect((await right()).status).toBe(200);
      for (let n = 0; n < 10; n += 1) await wrong();
      expect((await right()).status).toBe(404);
      const su = await service.su();
      await su.api.put(`/api/admin/users/${id}`, { status: 'active' });
      expect((await right()).status).toBe(200);
    } finally {
      await service.shiftClock(0);
    }
  });

  test('a hundred failures lock the address, except for accounts that logged in there within 30 days', async () => {
    const [{ email }, neighbour, former] = await Promise.all([service.user(), service.user(), service.user()]);
    const enter = async ({ email: of }: { email: string }) =>
      (await attempt({ email: of, password: PASSWORD }, '2001:db8:1:2::7')).status;
    expect([await enter(neighbour), await enter(former)]).toEqual([200, 200]);
    await service.rows(`update login_network set last_login_at = app_now() - interval '31 days' where person_id = $1`, [
      former.id,
    ]);
    for (let batch = 0; batch < 4; batch += 1)
      await Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          attempt({ email: `n${batch}-${n}@example.com`, password: 'x' }, '2001:db8:1:2::5'),
        ),
      );
    expect((await attempt({ email, password: PASSWORD }, '2001:db8:1:2:ffff::9')).status).toBe(404);
    expect((await attempt({ email, password: PASSWORD }, '2001:db8:1:3::5')).status).toBe(200);
    expect([await enter(former), await enter(neighbour)]).toEqual([404, 200]);
    for (let n = 0; n < 10; n += 1)
      await attempt({ email: neighbour.email, password: 'wrong password' }, '2001:db8:1:2::8');
    expect(await enter(neighbour)).toBe(404);
  });
});

describe('POST api/auth/getToken', () => {
  test('getToken returns another token with the device key; the old token stays valid', async () => {
    const user = await service.user();
    const answer = await user.api.post('/api/auth/getToken', {
      email: user.email,
      password: PASSWORD,
      fcm_token: 'phone-1',
    });
    expect(answer.body).toMatchObject({ token_type: 'Bearer', user: { id: user.id } });
    expect((await service.verifyToken(user.token)).status).toBe(200);
    expect((await service.verifyToken(answer.body.token)).status).toBe(200);
    const events = (await service.published('devices.changed')).filter((event) => event.user_id === user.id);
    expect(events).toEqual([{ user_id: user.id, version: 1, device_keys: ['phone-1'], language: 'en' }]);
  });

  test.each(['email', 'phone_number'])(
    'getToken is a 404 if the password changes meanwhile, for an account registered by %s',
    async (kind) => {
      const user = await service.user();
      await service.rows('update account set gauth_type = $2 where id = $1', [user.id, kind]);
      const { released } = await service.lockUntil(`perform from account where id = ${user.id} for update`, {
        then: `update account set password_hash = replace(password_hash, split_part(password_hash, '$', 5), 'YW5vdGhlciBzYWx0ISEh') where id = ${user.id};`,
      });
      const answer = await user.api.post('/api/auth/getToken', { email: user.email, password: PASSWORD });
      await released;
      expect(answer.status).toBe(404);
    },
  );

  test('wrong credentials and those of another account are a 404', async () => {
    const user = await service.user();
    const other = await service.user();
    const refused = { code: 'not_found', message: 'User not found.' };
    for (const [email, password] of [
      [user.email, 'wrong password'],
      [other.email, PASSWORD],
      ['nobody@example.com', PASSWORD],
    ]) {
      const answer = await user.api.post('/api/auth/getToken', { email, password });
      expect([answer.status, answer.body]).toEqual([404, refused]);
    }
  });

  test('missing fields are a 422, anonymous callers a 401, administrators a 403', async () => {
    const user = await service.user();
    const empty = await user.api.post('/api/auth/getToken', {});
    expect([empty.status, empty.body.errors]).toEqual([
      422,
      { email: ['The email field is required.'], password: ['The password field is required.'] },
    ]);
    expect((await service.api.anonymous.post('/api/auth/getToken', {})).status).toBe(401);
    expect((await service.api.admin().post('/api/auth/getToken', {})).status).toBe(403);
  });
});
