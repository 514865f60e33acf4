import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

let numbers = 1_000;
const phoneNumber = () => `+225070777${(numbers += 1)}`;
const phoneUser = (fields: object = {}) =>
  service.user({ gauth_type: 'phone_number', password: undefined, phone_number: phoneNumber(), ...fields });
const post = (path: string, body: object) => service.api.anonymous.post(`/api/auth/${path}`, body);
const lastUserEvent = async (id: number) =>
  (await service.published('user.changed')).filter((event) => event.id === id).at(-1);

/** Waits until all requests are handled and all messages sent. */
const settled = () =>
  eventually('all requests are handled and all messages sent', async () => {
    const [left] = await service.rows<{ left: number }>(
      'select (select count(*) from code_request) + (select count(*) from outgoing) as left',
    );
    return left!.left === 0;
  });

describe('the unproven e-mail of a phone account', () => {
  test('an unproven e-mail gets no messages, and is shown only to its owner and administrators', async () => {
    const user = await phoneUser();
    expect(user.view.email).toBe(user.email);
    expect((await user.api.get('/api/me')).body.email).toBe(user.email);
    const su = await service.su();
    expect((await su.api.get(`/api/admin/users/${user.id}`)).body.email).toBe(user.email);
    expect(await lastUserEvent(user.id)).toMatchObject({ email: '', unproven_email: user.email });
    await post('reset-password-send-code', { email: user.email });
    await settled();
    expect(await service.mailsTo(user.email)).toEqual([]);
  });

  test('an unproven e-mail does not keep another user from registering and logging in with it', async () => {
    const email = `shared-${unique()}@example.com`;
    await post('register', service.submission({ email }));
    await phoneUser({ email });
    const code = await service.codeTo(email);
    const verified = await post('register/verify', { ...service.submission({ email }), code });
    expect([verified.status, verified.body.user?.email]).toEqual([200, email]);
    expect((await service.login(email)).status).toBe(200);
    const again = await post('register', service.submission({ email }));
    expect(again.body.errors).toEqual({ email: ['The email has already been taken.'] });
    const event = await lastUserEvent(verified.body.user.id);
    expect(event).toMatchObject({ email });
    expect(event).not.toHaveProperty('unproven_email');
  });

  test('saving the e-mail unchanged, or in another case, needs no code and sends nothing', async () => {
    for (const password of [undefined, 'a phone password']) {
      const user = await phoneUser({ password });
      for (const email of [user.email, user.email.toUpperCase()])
        expect((await user.api.put('/api/me', { name: user.view.name, email, city: 'Lomé' })).status).toBe(200);
      expect(await lastUserEvent(user.id)).toMatchObject({ email: '', unproven_email: user.email });
      await settled();
      expect(await service.mailsTo(user.email)).toEqual([]);
    }
  });

  test('saving the e-mail with current_password, code or old_code starts its proof', async () => {
    const secured = await phoneUser({ password: 'a phone password' });
    const { email } = secured;
    const wrong = await secured.api.put('/api/me', { email, current_password: 'wrong password' });
    expect(Object.keys(wrong.body.errors)).toEqual(['current_password']);
    const missing = await secured.api.put('/api/me', { email, code: '123456' });
    expect(Object.keys(missing.body.errors)).toEqual(['current_password']);
    const asked = await secured.api.put('/api/me', { email, current_password: 'a phone password' });
    expect(Object.keys(asked.body.errors)).toEqual(['code']);
    const proof = { email, current_password: 'a phone password', code: await service.codeTo(email) };
    expect((await secured.api.put('/api/me', proof)).status).toBe(200);
    const open = await phoneUser();
    const begun = await open.api.put('/api/me', { email: open.email, old_code: '123456' });
    expect([begun.status, Object.keys(begun.body.errors)]).toEqual([422, ['code', 'old_code']]);
    expect(await service.codeTo(open.email)).toMatch(/^\d{6}$/);
  });

  test('the code that PUT me sends to the unchanged e-mail proves it; it is taken from then on', async () => {
    const user = await phoneUser();
    const waiting = await post('register', service.submission({ email: user.email }));
    expect(waiting.status).toBe(200);
    await service.codeTo(user.email);
    const asked = await user.api.put('/api/me', { email: user.email, code: '123456' });
    expect([asked.status, Object.keys(asked.body.errors)]).toEqual([422, ['code', 'old_code']]);
    const codes = { code: await service.codeTo(user.email, 2), old_code: await service.codeTo(user.phone_number, 2) };
    expect((await user.api.put('/api/me', { email: user.email, ...codes })).status).toBe(200);
    const event = await lastUserEvent(user.id);
    expect(event).toMatchObject({ email: user.email });
    expect(event).not.toHaveProperty('unproven_email');
    expect((await user.api.put('/api/me', { email: user.email, city: 'Abidjan' })).status).toBe(200);
    await post('reset-password-send-code', { email: user.email });
    const code = await service.codeTo(user.email, 3);
    const granted = await post('reset-password-verify-code', { email: user.email, code });
    const reset = { email: user.email, password: 'another password', reset_token: granted.body.reset_token };
    expect((await post('reset-password', reset)).status).toBe(200);
    const credentials = { email: user.email, password: 'another password' };
    expect((await user.api.post('/api/auth/getToken', credentials)).status).toBe(200);
    const taken = await post('register', service.submission({ email: user.email }));
    expect(taken.body.errors).toEqual({ email: ['The email has already been taken.'] });
  });

  test('failed logins with the id of the account as e-mail do not lock the account', async () => {
    const user = await phoneUser({ password: 'a phone password' });
    for (let n = 0; n < 10; n += 1) await service.login(String(user.id), 'wrong password');
    const body = { email: user.email, password: 'a phone password' };
    expect((await user.api.post('/api/auth/getToken', body)).status).toBe(200);
  });

  test('an unproven e-mail affects neither lock-out nor messages of the account that has proven it', async () => {
    const user = await phoneUser({ password: 'a phone password' });
    const owner = await service.user({ email: user.email });
    const wrong = () => service.login(owner.email, 'wrong password');
    for (let n = 0; n < 3; n += 1) await wrong();
    const failures = () =>
      service.rows('select failures from login_failure where account = $1 order by network', [`user:${owner.email}`]);
    const counted = await failures();
    expect(counted).toEqual([{ failures: 3 }, { failures: 3 }]);
    const body = { email: user.email, password: 'a phone password' };
    expect((await user.api.post('/api/auth/getToken', body)).status).toBe(200);
    expect(await failures()).toEqual(counted);
    await post('reset-password-send-code', { email: owner.email });
    const code = await service.codeTo(owner.email, 2);
    const change = { password: 'another password', current_password: body.password };
    expect((await user.api.put('/api/me', change)).status).toBe(200);
    await settled();
    expect(await service.mailsTo(owner.email)).toHaveLength(2);
    expect((await post('reset-password-verify-code', { email: owner.email, code })).status).toBe(200);
  });
});
