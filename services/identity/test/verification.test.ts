import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity({ TWILIO_TEST_NUMBERS: '+2250700000001:123456', SMS_PER_NUMBER_PER_DAY: '2' });
});
afterAll(() => service.end());

const register = (body: object) => service.api.anonymous.post('/api/auth/register', body);
const verify = (body: object) => service.api.anonymous.post('/api/auth/register/verify', body);

const RESTART = {
  code: 'not_found',
  message: 'The user is unknown or the code is invalid. Please restart the process.',
};
const required = (field: string) => `The ${field} field is required.`;

describe('POST api/auth/register/verify', () => {
  test('a right code creates the account, logs it in and publishes the event', async () => {
    const user = await service.user({ platform: 'teacher', domains: [2, 1], bio: 'Ça va' });
    expect((await service.verifyToken(user.token)).body.caller).toEqual(user.caller);
    const events = (await service.published('user.changed')).filter((event) => event.id === user.id);
    expect(events).toEqual([
      expect.objectContaining({
        version: 1,
        deleted: false,
        platform: 'teacher',
        domains: ['Physics', 'Mathematics'],
        photo: 'http://public.test/api/assets/avatar.png',
        verified: false,
      }),
    ]);
  });

  test.each<[string, object, Record<string, string[]>]>([
    [
      'an empty body',
      {},
      { email: [required('email')], phone_number: [required('phone number')], code: [required('code')] },
    ],
    [
      'a short code',
      { email: 'a@b.co', phone_number: '1', code: '12345' },
      { code: ['The code field must be at least 6 characters.'] },
    ],
  ])('a verification with %s is a 422', async (_name, body, errors) => {
    const answer = await verify(body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  });

  test('an unknown address, a wrong code, a wrong phone number and a used code are the same 404', async () => {
    const body = service.submission();
    await register(body);
    const code = await service.codeTo(body.email);
    const wrong = code === '000000' ? '000001' : '000000';
    const { email, phone_number } = body;
    const unknown = await verify({ email: 'nobody@example.com', phone_number, code });
    const wrongCode = await verify({ email, phone_number, code: wrong });
    const wrongPhone = await verify({ email, phone_number: '+2250799999999', code });
    expect((await verify({ email, phone_number: '07 01 02 03 04', code })).status).toBe(200);
    const spent = await verify({ email, phone_number, code });
    for (const answer of [unknown, wrongCode, wrongPhone, spent])
      expect([answer.status, answer.body]).toEqual([404, RESTART]);
  });

  describe('submissions of two people for one address', () => {
    const OWNER = 'password of the owner';
    const STRANGER = 'password of a stranger';
    const PEOPLE = [OWNER, STRANGER];

    test('after different passwords the newest code creates an account without a password', async () => {
      const body = service.submission();
      await register({ ...body, password: OWNER });
      const first = await service.codeTo(body.email, 1);
      await register({ ...body, password: STRANGER });
      const second = await service.codeTo(body.email, 2);
      const texts = (await service.mailsTo(body.email)).map((mail) =>
        mail.text.includes('choose a password by resetting'),
      );
      expect(texts).toEqual([false, true]);
      if (first !== second) expect((await verify({ ...body, code: first })).status).toBe(404);
      const verified = await verify({ ...body, code: second });
      expect(verified.status).toBe(200);
      expect((await service.verifyToken(verified.body.token)).status).toBe(200);
      for (const password of PEOPLE) expect((await service.login(body.email, password)).status).toBe(404);

      const post = (path: string, more: object) =>
        service.api.anonymous.post(`/api/auth/reset-password${path}`, { email: body.email, ...more });
      await post('-send-code', {});
      const { reset_token } = (await post('-verify-code', { code: await service.codeTo(body.email, 3) })).body;
      expect((await post('', { password: 'a chosen password', reset_token })).status).toBe(200);
      expect((await service.login(body.email, 'a chosen password')).status).toBe(200);
    });

    test('no password is set when one is repeated after the other, nor when both are sent concurrently', async () => {
      const repeated = service.submission();
      for (const password of [OWNER, STRANGER, STRANGER]) await register({ ...repeated, password });
      const parallel = service.submission();
      await Promise.all(PEOPLE.map((password) => register({ ...parallel, password })));
      for (const [body, count] of [
        [repeated, 3],
        [parallel, 2],
      ] as const) {
        await service.codeTo(body.email, count);
        const codes = (await service.mailsTo(body.email)).map((mail) => mail.code);
        const answers = await Promise.all(codes.map((code) => verify({ ...body, code })));
        expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
        for (const password of PEOPLE) expect((await service.login(body.email, password)).status).toBe(404);
      }
    });

    test('a repeated password is set, also by concurrent requests; after ten minutes a different one is', async () => {
      const body = service.submission();
      await Promise.all([register(body), register(body)]);
      await service.codeTo(body.email, 2);
      await register(body);
      expect((await verify({ ...body, code: await service.codeTo(body.email, 3) })).status).toBe(200);
      expect((await service.login(body.email)).status).toBe(200);

      const late = service.submission();
      await register({ ...late, password: STRANGER });
      // Sent before it expires.
      await service.codeTo(late.email);
      try {
        await service.shiftClock(601);
        await register(late);
        expect((await verify({ ...late, code: await service.codeTo(late.email, 2) })).status).toBe(200);
        expect((await service.login(late.email)).status).toBe(200);
      } finally {
        await service.shiftClock(0);
      }
    });
  });

  test('wrong codes before a registration lock nobody out', async () => {
    const body = service.submission();
    for (let n = 0; n < 6; n += 1) expect((await verify({ ...body, code: '000000' })).status).toBe(404);
    await register(body);
    expect((await verify({ ...body, code: await service.codeTo(body.email) })).status).toBe(200);
  });

  test('a code expires after ten minutes', async () => {
    const body = service.submission();
    await register(body);
    const code = await service.codeTo(body.email);
    await service.shiftClock(601);
    try {
      expect((await verify({ ...body, code })).status).toBe(404);
    } finally {
      await service.shiftClock(0);
    }
  });

  test('five wrong tries refuse a network this code and the next one, for the rest of ten minutes', async () => {
    const body = service.submission();
    await register(body);
    const code = await service.codeTo(body.email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 5; n += 1) await verify({ ...body, code: wrong });
    expect((await verify({ ...body, code })).status).toBe(404);
    await register(body);
    const next = await service.codeTo(body.email, 2);
    expect((await verify({ ...body, code: next })).status).toBe(404);
    await service.shiftClock(601);
    try {
      await register(body);
      const last = await service.codeTo(body.email, 3);
      expect((await verify({ ...body, code: last })).status).toBe(200);
    } finally {
      await service.shiftClock(0);
    }
  });

  test('50 parallel verifications of one code create one account and one token', async () => {
    const body = service.submission();
    await register(body);
    const code = await service.codeTo(body.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => retryWhile503(() => verify({ ...body, code }))));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(49);
    const rows = await service.rows('select 1 from account a join token t on t.account_id = a.id where a.email = $1', [
      body.email,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('phone accounts', () => {
  test('a phone account gets its code by SMS, is the only one with its number, and logs in by a code', async () => {
    const phone = '+2250705050505';
    const user = await service.user({ gauth_type: 'phone_number', phone_number: '0705050505', password: undefined });
    expect(user.view).toMatchObject({ phone_number: phone, gauth_type: 'phone_number' });
    expect(await service.mailsTo(user.email)).toEqual([]);
    const again = await register(
      service.submission({ gauth_type: 'phone_number', phone_number: '+225 07 05 05 05 05' }),
    );
    expect(again.body.errors).toEqual({ phone_number: ['The phone number has already been taken.'] });

    const sent = await service.api.anonymous.post('/api/auth/login/send-code', { phone_number: '07 05 05 05 05' });
    const unknown = await service.api.anonymous.post('/api/auth/login/send-code', { phone_number: '+2250799999998' });
    expect([sent.status, sent.body]).toEqual([unknown.status, unknown.body]);
    const code = await service.codeTo(phone, 2);
    const byPhone = { gauth_type: 'phone_number', platform: 'student' };
    const wrong = await service.login(phone, code === '000000' ? '000001' : '000000', byPhone);
    expect([wrong.status, wrong.body.message]).toEqual([404, 'Invalid credentials.']);
    expect((await service.login(phone, code, { ...byPhone, platform: 'teacher' })).status).toBe(404);
    expect((await service.login('x', code, { ...byPhone, phone_number: phone })).body.user.id).toBe(user.id);
    expect((await service.login(phone, code, byPhone)).status).toBe(404);
  });

  test('a number gets no SMS beyond its daily limit', async () => {
    const phone = '+2250706060606';
    await service.user({ gauth_type: 'phone_number', phone_number: phone, password: undefined });
    for (const seconds of [61, 122, 183]) {
      await service.shiftClock(seconds);
      await service.api.anonymous.post('/api/auth/login/send-code', { phone_number: phone });
      await eventually('the request is handled and its SMS sent', async () => {
        const [left] = await service.rows<{ left: number }>(
          'select (select count(*) from code_request) + (select count(*) from outgoing) as left',
        );
        return left!.left === 0;
      });
    }
    await service.shiftClock(0);
    expect(await service.mailsTo(phone)).toHaveLength(2);
  });

  test('a test number gets no SMS and always has its fixed code', async () => {
    const phone = '+2250700000001';
    const body = service.submission({ gauth_type: 'phone_number', phone_number: phone, password: undefined });
    await register(body);
    expect((await verify({ ...body, code: '123456' })).status).toBe(200);
    expect(await service.mailsTo(phone)).toEqual([]);
  });
});
