import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { PASSWORD, startIdentity, SUPER, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

type Admin = Awaited<ReturnType<TestIdentity['admin']>>;
const NEW = 'another good secret';
const answerOf = (answer: TestResponse) => [answer.status, answer.body];
const login = (email: string, password: string) =>
  service.api.anonymous.post('/api/admin/auth/login', { email, password });
const isValid = async (token: string) => (await service.verifyToken(token)).status === 200;
const subjectsTo = async (to: string) => (await service.mailsTo(to)).map(({ subject }) => subject);
const audited = async (admin: Admin) =>
  (await service.published('admin.acted')).filter(
    ({ subject, action }) => subject === `admin:${admin.id}` && action === 'admin.updated',
  );

describe('PUT api/admin/auth/me', () => {
  const change = (admin: Admin, body: object) => admin.api.put('/api/admin/auth/me', body);

  test('a new name needs no password and ends no session; repeating the request changes nothing', async () => {
    const admin = await service.admin();
    const other = await login(admin.email, PASSWORD);
    const answer = await change(admin, { name: 'Robert' });
    expect(answerOf(answer)).toEqual([200, { ...admin.view, name: 'Robert', updated_at: expect.any(String) }]);
    for (const email of [admin.email, admin.email.toUpperCase(), `\u200b${admin.email}`])
      expect(answerOf(await change(admin, { name: 'Robert', email }))).toEqual(answerOf(answer));
    expect(answerOf(await change(admin, {}))).toEqual(answerOf(answer));
    expect((await admin.api.get('/api/admin/auth/me')).body).toEqual(answer.body);
    expect([await isValid(admin.token), await isValid(other.body.token)]).toEqual([true, true]);
    expect(await audited(admin)).toMatchObject([
      { admin_id: admin.id, before: { name: 'Bob' }, after: { name: 'Robert' } },
    ]);
    expect((await service.published('admin.changed')).at(-1)).toMatchObject({ id: admin.id, name: 'Robert' });
  });

  test('a new e-mail or password needs the current password and ends the other sessions', async () => {
    const admin = await service.admin();
    const email = `new-${admin.email}`;
    for (const body of [{ email }, { password: NEW }]) {
      const other = await login(admin.email, PASSWORD);
      const [field] = Object.keys(body);
      expect((await change(admin, body)).body.errors).toEqual({
        current_password: [`The current password field is required when ${field} is present.`],
      });
      expect((await change(admin, { ...body, current_password: 'wrong' })).body.errors).toEqual({
        current_password: ['The password is incorrect.'],
      });
      expect(await isValid(other.body.token)).toBe(true);
    }
    const other = await login(admin.email, PASSWORD);
    const changed = await change(admin, { email, password: NEW, current_password: PASSWORD });
    expect(answerOf(changed)).toEqual([200, { ...admin.view, email, updated_at: expect.any(String) }]);
    expect([await isValid(admin.token), await isValid(other.body.token)]).toEqual([true, false]);
    expect([(await login(admin.email, PASSWORD)).status, (await login(email, PASSWORD)).status]).toEqual([404, 404]);
    expect((await login(email, NEW)).status).toBe(200);
    await eventually('the old address is notified', async () => (await service.mailsTo(admin.email)).length === 2);
    expect((await subjectsTo(admin.email)).sort()).toEqual([
      'Your e-mail address was changed',
      'Your password was changed',
    ]);
    expect(await audited(admin)).toMatchObject([
      { before: { email: admin.email }, after: { email, password: 'changed' } },
    ]);
    expect(JSON.stringify(await service.published('admin.acted'))).not.toContain(NEW);
  });

  test('a taken or malformed e-mail and a short or common password are a 422', async () => {
    const [admin, other] = [await service.admin(), await service.admin()];
    const errorsOf = async (body: object) => (await change(admin, { current_password: PASSWORD, ...body })).body.errors;
    expect(await errorsOf({ email: other.email.toUpperCase() })).toEqual({
      email: ['The email has already been taken.'],
    });
    expect(await errorsOf({ email: 'nobody' })).toEqual({ email: ['The email field must be a valid email address.'] });
    expect(await errorsOf({ password: 'short' })).toEqual({
      password: ['The password field must be at least 8 characters.'],
    });
    expect(await errorsOf({ password: 'password1' })).toEqual({ password: ['The password is too common.'] });
  });

  test('only one of several concurrent changes to the same e-mail succeeds', async () => {
    const admins = [await service.admin(), await service.admin(), await service.admin()];
    const email = `wanted-${unique()}@example.com`;
    const answers = await Promise.all(admins.map((admin) => change(admin, { email, current_password: PASSWORD })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  test('a concurrent login with the old password leaves no valid token', async () => {
    const admin = await service.admin();
    const body = { password: NEW, current_password: PASSWORD };
    const [, ...logins] = await Promise.all([
      change(admin, body),
      ...Array.from({ length: 8 }, () => login(admin.email, PASSWORD)),
    ]);
    for (const answer of logins) if (answer.status === 200) expect(await isValid(answer.body.token)).toBe(false);
    const tokens = await service.rows('select 1 from token where admin_id = $1', [admin.id]);
    expect(tokens).toHaveLength(1);
  });

  test('wrong current passwords count for the lock-out', async () => {
    const admin = await service.admin();
    for (let tries = 0; tries < 10; tries += 1)
      await change(admin, { password: NEW, current_password: `wrong ${tries}` });
    expect((await login(admin.email, PASSWORD)).status).toBe(404);
    expect((await change(admin, { password: NEW, current_password: PASSWORD })).status).toBe(422);
  });
});

describe('resetting the password by mail', () => {
  const send = (email: unknown) => service.api.anonymous.post('/api/admin/auth/reset-password-send-code', { email });
  const reset = (body: object) => service.api.anonymous.post('/api/admin/auth/reset-password', body);
  const FAILED = [404, { code: 'not_found', message: 'An error occurred, please restart the process.' }];
  const SENT = { message: 'If the address exists, a code has been sent. Please check your mailbox.' };

  test('a code sets a new password once, ends all sessions and sends a notice', async () => {
    const admin = await service.admin();
    expect(answerOf(await send(admin.email.toUpperCase()))).toEqual([200, SENT]);
    const code = await service.codeTo(admin.email);
    // An invalid request leaves the code valid.
    expect((await reset({ email: admin.email, code, password: 'password1' })).status).toBe(422);
    expect((await reset({ email: admin.email, code, password: 'short' })).status).toBe(422);
    const done = await reset({ email: admin.email, code, password: NEW });
    expect(answerOf(done)).toEqual([200, { message: 'Your password has been reset. Please log in.' }]);
    expect(await isValid(admin.token)).toBe(false);
    expect([(await login(admin.email, PASSWORD)).status, (await login(admin.email, NEW)).status]).toEqual([404, 200]);
    await eventually('the notice', async () => (await subjectsTo(admin.email)).includes('Your password was changed'));
    expect(answerOf(await reset({ email: admin.email, code, password: NEW }))).toEqual(FAILED);
    expect(await audited(admin)).toMatchObject([{ admin_id: admin.id, after: { password: 'reset' } }]);
  });

  test('a reset leaves the second factor on', async () => {
    const admin = await service.admin();
    const { TOTP } = await import('otpauth');
    const { secret } = (await admin.api.post('/api/admin/auth/totp', { current_password: PASSWORD })).body as {
      secret: string;
    };
    await admin.api.put('/api/admin/auth/totp', { code: new TOTP({ secret }).generate() });
    await send(admin.email);
    await reset({ email: admin.email, code: await service.codeTo(admin.email), password: NEW });
    expect((await login(admin.email, NEW)).body.message).toBe('A code is required.');
  });

  test('an unknown address, a user and an inactive administrator get the same answer and no code', async () => {
    const su = await service.su();
    const [user, gone] = [await service.user(), await service.admin()];
    await su.api.put(`/api/admin/admins/${gone.id}`, { status: 'inactive' });
    const queued = () => service.rows('select 1 from outgoing');
    await eventually('all earlier mails are sent', async () => (await queued()).length === 0);
    const before = (await service.mails()).length;
    for (const email of [`nobody-${unique()}@example.com`, user.email, gone.email, undefined])
      expect(answerOf(await send(email))).toEqual([200, SENT]);
    await send(SUPER.email);
    await service.codeTo(SUPER.email);
    expect((await service.mails()).length).toBe(before + 1);
  });

  test('a wrong or expired code and a code of another account are the same 404', async () => {
    const [admin, other, user] = [await service.admin(), await service.admin(), await service.user()];
    await send(admin.email);
    const code = await service.codeTo(admin.email);
    const body = { email: admin.email, code, password: NEW };
    const wrong = code === '000000' ? '000001' : '000000';
    for (const given of [
      { ...body, code: wrong },
      { ...body, email: other.email },
      { ...body, email: user.email },
      { ...body, email: 'nobody' },
    ])
      expect(answerOf(await reset(given))).toEqual(FAILED);
    // The code does not work at the endpoint for users either.
    const asUser = { email: admin.email, code };
    expect((await service.api.anonymous.post('/api/auth/reset-password-verify-code', asUser)).status).toBe(404);
    try {
      await service.shiftClock(601);
      expect(answerOf(await reset(body))).toEqual(FAILED);
    } finally {
      await service.shiftClock(0);
    }
    expect((await reset({})).body.errors).toEqual({
      email: ['The email field is required.'],
      code: ['The code field is required.'],
      password: ['The password field is required.'],
    });
  });

  test('after five wrong tries the right code is refused', async () => {
    const admin = await service.admin();
    await send(admin.email);
    const code = await service.codeTo(admin.email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries += 1) await reset({ email: admin.email, code: wrong, password: NEW });
    expect(answerOf(await reset({ email: admin.email, code, password: NEW }))).toEqual(FAILED);
  });
});
