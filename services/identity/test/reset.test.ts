import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { PASSWORD, startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const NEW = 'a better password';
const HERE = { 'x-client-address': '203.0.113.1', 'user-agent': 'app/1' };
const ELSEWHERE = { ...HERE, 'x-client-address': '203.0.113.2' };
const OTHER_APP = { ...HERE, 'user-agent': 'app/2' };

const post = (path: string, body: object, headers = HERE) =>
  service.api.anonymous.post(`/api/auth/reset-password${path}`, body, headers);
const RESET_FAILED = [404, { code: 'not_found', message: 'An error occurred, please restart the process.' }];
const CODE_INVALID = [404, { code: 'not_found', message: 'The code is invalid.' }];

/** A user with a reset code. */
async function withCode() {
  const user = await service.user();
  await post('-send-code', { email: user.email });
  return { ...user, code: await service.codeTo(user.email, 2) };
}
async function withGrant() {
  const user = await withCode();
  const answer = await post('-verify-code', { email: user.email, code: user.code });
  return { ...user, reset_token: answer.body.reset_token as string, answer };
}

describe('send-code', () => {
  test('the answer is the same for known and unknown addresses', async () => {
    const user = await service.user();
    const answers = await Promise.all(
      [{}, { email: user.email }, { email: 'nobody@example.com' }, { email: 'no address' }].map((body) =>
        post('-send-code', body),
      ),
    );
    for (const answer of answers)
      expect([answer.status, answer.body]).toEqual([
        200,
        { message: 'If the address exists, a code has been sent. Please check your mailbox.' },
      ]);
    await service.codeTo(user.email, 2);
    expect(await service.mailsTo('nobody@example.com')).toEqual([]);
  });

  test('no second code is sent within 60 seconds; the first code stays valid', async () => {
    const user = await withCode();
    await post('-send-code', { email: user.email });
    await eventually(
      'the request is handled',
      async () => (await service.rows('select 1 from code_request')).length === 0,
    );
    expect(await service.mailsTo(user.email)).toHaveLength(2);
    expect((await post('-verify-code', { email: user.email, code: user.code })).status).toBe(200);
  });

  test('after 60 seconds a new code replaces the old one', async () => {
    const user = await withCode();
    await service.shiftClock(61);
    try {
      await post('-send-code', { email: user.email });
      const next = await service.codeTo(user.email, 3);
      if (next !== user.code)
        expect((await post('-verify-code', { email: user.email, code: user.code })).status).toBe(404);
      expect((await post('-verify-code', { email: user.email, code: next })).status).toBe(200);
    } finally {
      await service.shiftClock(0);
    }
  });
});

describe('verify-code', () => {
  test('a right code returns a reset token', async () => {
    const { answer } = await withGrant();
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'The code is valid. Please choose a new password.', reset_token: expect.any(String) },
    ]);
  });

  test('an empty request, an unknown address, a missing code and a used code are the same 404', async () => {
    const user = await withGrant();
    for (const body of [
      {},
      { email: user.email },
      { email: 'nobody@example.com', code: '123456' },
      { email: user.email, code: user.code },
    ]) {
      const answer = await post('-verify-code', body);
      expect([answer.status, answer.body]).toEqual(CODE_INVALID);
    }
  });

  test('a code sent to a former address of the account is not accepted', async () => {
    const user = await withCode();
    const change = { email: `new-${unique()}@example.com`, current_password: PASSWORD };
    await user.api.put('/api/me', change);
    const code = await service.codeTo(change.email);
    expect((await user.api.put('/api/me', { ...change, code })).status).toBe(200);
    const answer = await post('-verify-code', { email: user.email, code: user.code });
    expect([answer.status, answer.body]).toEqual(CODE_INVALID);
  });

  test('five wrong tries invalidate the code', async () => {
    const user = await withCode();
    const wrong = user.code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 5; n += 1) await post('-verify-code', { email: user.email, code: wrong });
    expect((await post('-verify-code', { email: user.email, code: user.code })).status).toBe(404);
  });
});

describe('reset-password', () => {
  test('a reset with its token sets the password, ends every session and notifies the owner', async () => {
    const user = await withGrant();
    const answer = await post('', { email: user.email, password: NEW, reset_token: user.reset_token }, ELSEWHERE);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Your password has been reset. Please log in.' }]);
    expect((await service.verifyToken(user.token)).status).toBe(401);
    expect((await service.login(user.email, PASSWORD)).status).toBe(404);
    expect((await service.login(user.email, NEW)).status).toBe(200);
    expect(await service.published('tokens.revoked')).toContainEqual({ subject: `user:${user.id}`, token_ids: [] });
    const mail = await eventually('the notice', async () =>
      (await service.mailsTo(user.email)).find((found) => found.subject.includes('changed')),
    );
    expect(mail).not.toHaveProperty('code');
  });

  test('a reset without its token works only for the client that entered the code', async () => {
    const user = await withGrant();
    const body = { email: user.email, password: NEW };
    for (const headers of [ELSEWHERE, OTHER_APP]) {
      const answer = await post('', body, headers);
      expect([answer.status, answer.body]).toEqual(RESET_FAILED);
    }
    expect((await post('', body)).status).toBe(200);
    expect((await post('', body)).status).toBe(404);
  });

  test.each([
    ['203.0.113.1', '::ffff:203.0.113.1', 200],
    ['203.0.113.1', '::ffff:cb00:7101', 200],
    ['2001:db8:1:2::5', '2001:0DB8:1:2:a:b:c:d', 200],
    ['2001:db8:1:2::5', '2001:db8:1:3::5', 404],
    ['203.0.113.1', '203.0.113.2', 404],
  ])(
    'a reset without its token, with the code from %s and the password from %s, is a %i',
    async (entered, from, status) => {
      const user = await withCode();
      const at = (address: string) => ({ ...HERE, 'x-client-address': address });
      await post('-verify-code', { email: user.email, code: user.code }, at(entered));
      expect((await post('', { email: user.email, password: NEW }, at(from))).status).toBe(status);
    },
  );

  test('a reset works for two minutes without its token and for ten with it; a setting requires it', async () => {
    const late = await withGrant();
    const now = await withGrant();
    const su = await service.su();
    const { body } = await su.api.post('/api/admin/settingsall', { filter_value: 'reset_needs_token' });
    const set = (value: number) => su.api.put(`/api/admin/settings/${body.data[0].id}`, { value });
    expect(body.data[0].value).toBe(0);
    expect((await set(2)).status).toBe(422);
    try {
      await set(1);
      expect((await post('', { email: now.email, password: NEW })).status).toBe(404);
      await set(0);
      expect((await post('', { email: now.email, password: NEW })).status).toBe(200);
      await service.shiftClock(121);
      expect((await post('', { email: late.email, password: NEW })).status).toBe(404);
      const proof = { email: late.email, password: NEW, reset_token: late.reset_token };
      expect((await post('', proof)).status).toBe(200);
    } finally {
      await service.shiftClock(0);
      await set(0);
    }
  });

  test('a reset with a wrong token fails and does not consume the grant', async () => {
    const user = await withGrant();
    expect((await post('', { email: user.email, password: NEW, reset_token: 'x' })).status).toBe(404);
    const other = await withGrant();
    expect((await post('', { email: user.email, password: NEW, reset_token: other.reset_token })).status).toBe(404);
    expect((await post('', { email: user.email, password: NEW, reset_token: user.reset_token })).status).toBe(200);
  });

  test('a reset without a grant or after ten minutes is a 404', async () => {
    const user = await service.user();
    const bare = await post('', { email: user.email, password: NEW });
    const unknown = await post('', { email: 'nobody@example.com', password: NEW });
    for (const answer of [bare, unknown]) expect([answer.status, answer.body]).toEqual(RESET_FAILED);
    const late = await withGrant();
    await service.shiftClock(601);
    try {
      expect((await post('', { email: late.email, password: NEW, reset_token: late.reset_token })).status).toBe(404);
    } finally {
      await service.shiftClock(0);
    }
  });

  test('a missing e-mail and a short password are a 422', async () => {
    const answer = await post('', { password: 'short' });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { email: ['The email field is required.'], password: ['The password field must be at least 8 characters.'] },
    ]);
  });

  test('only one of 50 concurrent resets with one grant succeeds', async () => {
    const user = await withGrant();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        post('', { email: user.email, password: `${NEW} ${n}`, reset_token: user.reset_token }),
      ),
    );
    const won = answers.flatMap((answer, n) => (answer.status === 200 ? [n] : []));
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(49);
    expect((await service.login(user.email, `${NEW} ${won[0]}`)).status).toBe(200);
  });

  test('with RESET_WITHOUT_TOKEN=false every reset needs its token', async () => {
    const strict = await startIdentity({ RESET_WITHOUT_TOKEN: 'false' });
    try {
      const user = await strict.user();
      const ask = (path: string, body: object) =>
        strict.api.anonymous.post(`/api/auth/reset-password${path}`, body, HERE);
      await ask('-send-code', { email: user.email });
      const { body } = await ask('-verify-code', { email: user.email, code: await strict.codeTo(user.email, 2) });
      expect((await ask('', { email: user.email, password: NEW })).status).toBe(404);
      expect((await ask('', { email: user.email, password: NEW, reset_token: body.reset_token })).status).toBe(200);
    } finally {
      await strict.end();
    }
  });
});
