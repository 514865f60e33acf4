import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { PASSWORD, startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

type User = Awaited<ReturnType<TestIdentity['user']>>;
const errorsOf = (answer: { status: number; body: { errors: unknown } }) => [answer.status, answer.body.errors];
const refused = (errors: Record<string, string>) => [
  422,
  Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]])),
];
const put = async (user: User, body: object) => errorsOf(await user.api.put('/api/me', body));
const SENT = 'A code has been sent. Send it as code to confirm.';
const OLD_SENT = 'A code has been sent. Send it as old_code to confirm.';
const WRONG = 'The code is invalid.';
const PASSWORD_WRONG = refused({ current_password: 'The password is incorrect.' });
const EMAIL_NEEDS_PASSWORD = refused({
  current_password: 'The current password field is required when email is present.',
});
const other = (code: string) => (code === '000000' ? '000001' : '000000');
const newEmail = () => `new-${unique()}@example.com`;
let numbers = 1_000;
const newPhone = () => `+225070505${(numbers += 1)}`;
const phoneUser = () => service.user({ gauth_type: 'phone_number', phone_number: newPhone(), password: undefined });
const noticeTo = (to: string, text: RegExp) =>
  eventually(`the notice to ${to}`, async () =>
    (await service.mailsTo(to)).some((mail) => mail.code === undefined && text.test(mail.text)),
  );
const codesOf = (user: User) => service.rows(`select 1 from code where subject = $1`, [`user:${user.id}`]);

test('saving an unchanged profile, or the address in another spelling, changes and sends nothing', async () => {
  for (const user of [await service.user(), await phoneUser()]) {
    await user.api.put('/api/me', { city: 'Lomé', bio: 'Mathematics', domains: [2, 1] });
    const { body } = await user.api.get('/api/me');
    const publishedBefore = (await service.published('user.changed')).length;
    const { domains: _names, ...read } = body as Record<string, unknown>;
    const spellings = [{}, { email: user.email.toUpperCase() }, { phone_number: ` ${user.phone_number.slice(4)}` }];
    for (const spelling of spellings) {
      const saved = await user.api.put('/api/me', { ...read, ...spelling, domains: [2, 1] });
      expect([saved.status, saved.body]).toEqual([200, body]);
    }
    expect(await service.published('user.changed')).toHaveLength(publishedBefore);
    expect(await codesOf(user)).toEqual([]);
    expect((await service.rows('select photo from account where id = $1', [user.id]))[0]).toEqual({ photo: '' });
  }
});

describe('changing the address of an account with a password', () => {
  test('a new e-mail needs the password, and then the code sent to it', async () => {
    const user = await service.user();
    const email = newEmail();
    expect(await put(user, { email })).toEqual(EMAIL_NEEDS_PASSWORD);
    expect(await put(user, { email, current_password: 'wrong password' })).toEqual(PASSWORD_WRONG);
    expect(await codesOf(user)).toEqual([]);
    const given = { email, current_password: PASSWORD };
    expect(await put(user, { ...given, city: 'Dakar' })).toEqual(refused({ code: SENT }));
    const code = await service.codeTo(email);
    expect(await put(user, { email, code })).toEqual(EMAIL_NEEDS_PASSWORD);
    expect(await put(user, { email, code, current_password: 'wrong password' })).toEqual(PASSWORD_WRONG);
    expect(await put(user, { ...given, code: other(code) })).toEqual(refused({ code: WRONG }));
    expect(await put(user, { ...given, email: `x${email}`, code })).toEqual(refused({ code: WRONG }));
    expect((await user.api.get('/api/me')).body).toMatchObject({ email: user.email, city: '' });
    expect((await user.api.put('/api/me', { ...given, code })).body.email).toBe(email);
    expect((await service.login(email)).status).toBe(200);
    expect((await service.login(user.email)).status).toBe(404);
    await noticeTo(user.email, /e-mail address of your account was changed/);
  });

  test('a new phone number needs the password, and then the code sent to it; the owner gets an e-mail', async () => {
    const user = await service.user();
    const phone_number = '+2250708080808';
    expect(await put(user, { phone_number: '0708080808' })).toEqual(
      refused({ current_password: 'The current password field is required when phone number is present.' }),
    );
    const given = { phone_number, current_password: PASSWORD };
    expect(await put(user, given)).toEqual(refused({ code: SENT }));
    const code = await service.codeTo(phone_number);
    expect((await user.api.put('/api/me', { ...given, code })).body.phone_number).toBe(phone_number);
    await noticeTo(user.email, /phone number of your account was changed/);
  });

  test('all errors are returned together; an unchanged address needs no code', async () => {
    const user = await service.user();
    const taken = await service.user();
    expect(await put(user, { email: taken.email, experience: 'x' })).toEqual(
      refused({
        email: 'The email has already been taken.',
        current_password: 'The current password field is required when email is present.',
        experience: 'The experience field must be an integer.',
      }),
    );
    const same = { email: user.email, phone_number: user.phone_number, city: 'Dakar' };
    expect((await user.api.put('/api/me', same)).body).toMatchObject(same);
  });

  test('a new e-mail ends every other session and invalidates a granted password reset', async () => {
    const user = await service.user();
    const login = await service.login(user.email);
    const reset = { email: user.email };
    await service.api.anonymous.post('/api/auth/reset-password-send-code', reset);
    const code = await service.codeTo(user.email, 2);
    const given = { email: newEmail(), current_password: PASSWORD };
    await user.api.put('/api/me', given);
    await user.api.put('/api/me', { ...given, code: await service.codeTo(given.email) });
    expect((await service.verifyToken(login.body.token)).status).toBe(401);
    expect((await service.verifyToken(user.token)).status).toBe(200);
    // A reset code sent to the old address does not work for the new address.
    const verified = await service.api.anonymous.post('/api/auth/reset-password-verify-code', { ...reset, code });
    const stolen = { email: given.email, password: 'a stolen account', reset_token: verified.body.reset_token };
    expect((await service.api.anonymous.post('/api/auth/reset-password', stolen)).status).toBe(404);
  });

  test('a concurrent change of the password stops the change of the address and leaves the code valid', async () => {
    const user = await service.user();
    const given = { email: newEmail(), current_password: PASSWORD };
    await user.api.put('/api/me', given);
    const code = await service.codeTo(given.email);
    const { released } = await service.lockUntil(`perform from account where id = ${user.id} for update`, {
      then: `update account set password_hash = replace(password_hash, split_part(password_hash, '$', 5), 'YW5vdGhlciBzYWx0ISEh') where id = ${user.id};`,
    });
    expect(errorsOf(await user.api.put('/api/me', { ...given, code }))).toEqual(PASSWORD_WRONG);
    await released;
    expect((await user.api.get('/api/me')).body.email).toBe(user.email);
    expect(
      await service.rows(`select 1 from code where subject = $1 and hash is not null`, [`user:${user.id}`]),
    ).toHaveLength(1);
  });
});

describe('changing the address of an account without a password', () => {
  test('a new phone number also needs a code from the old one; no code is consumed until both are right', async () => {
    const user = await phoneUser();
    const [phone, phone_number] = [user.phone_number, newPhone()];
    expect(await put(user, { phone_number, code: '123456' })).toEqual(refused({ code: WRONG, old_code: OLD_SENT }));
    const code = await service.codeTo(phone_number);
    const old_code = await service.codeTo(phone, 2);
    expect(await put(user, { phone_number })).toEqual(refused({ code: SENT, old_code: OLD_SENT }));
    expect(await put(user, { phone_number, code })).toEqual(refused({ old_code: OLD_SENT }));
    expect(await put(user, { phone_number, old_code })).toEqual(refused({ code: SENT }));
    expect(await put(user, { phone_number, code, old_code: other(old_code) })).toEqual(refused({ old_code: WRONG }));
    expect(await put(user, { phone_number, code: other(code), old_code })).toEqual(refused({ code: WRONG }));
    const done = await user.api.put('/api/me', { phone_number, code, old_code });
    expect([done.status, done.body.phone_number]).toEqual([200, phone_number]);
    await noticeTo(phone, /phone number of your account was changed/);
    const back = { phone_number: phone, code, old_code };
    expect(await put(user, back)).toEqual(refused({ code: WRONG, old_code: WRONG }));
  });

  test('a right code is not sent again when the other code is entered later', async () => {
    const user = await phoneUser();
    const email = newEmail();
    await user.api.put('/api/me', { email });
    const code = await service.codeTo(email);
    await service.shiftClock(61);
    try {
      expect(await put(user, { email, code })).toEqual(refused({ old_code: OLD_SENT }));
      const old_code = await service.codeTo(user.phone_number, 3);
      const done = await user.api.put('/api/me', { email, code, old_code });
      expect([done.status, done.body.email]).toEqual([200, email]);
    } finally {
      await service.shiftClock(0);
    }
    expect((await service.mailsTo(email)).filter((mail) => mail.code !== undefined)).toHaveLength(1);
  });

  test('an account by e-mail needs a code from the old e-mail; a code is valid for one new address only', async () => {
    const user = await service.user();
    await service.rows('update account set password_hash = null where id = $1', [user.id]);
    const email = newEmail();
    expect(await put(user, { email })).toEqual(refused({ code: SENT, old_code: OLD_SENT }));
    const codes = { code: await service.codeTo(email), old_code: await service.codeTo(user.email, 2) };
    expect(await put(user, { email: newEmail(), ...codes })).toEqual(refused({ code: WRONG, old_code: WRONG }));
    expect((await user.api.put('/api/me', { email, ...codes })).body.email).toBe(email);
    await noticeTo(user.email, /e-mail address of your account was changed/);
  });

  test('an account with phone login and an unproven e-mail gets the notice by SMS only', async () => {
    const user = await phoneUser();
    const email = newEmail();
    await user.api.put('/api/me', { email });
    const codes = { code: await service.codeTo(email), old_code: await service.codeTo(user.phone_number, 2) };
    expect((await user.api.put('/api/me', { email, ...codes })).status).toBe(200);
    await noticeTo(user.phone_number, /e-mail address of your account was changed/);
    expect(await service.mailsTo(user.email)).toEqual([]);
  });
});
