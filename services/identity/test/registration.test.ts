import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PASSWORD, startIdentity, unique, type TestIdentity } from './identity.ts';

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

describe('POST api/auth/register', () => {
  test('answers the user as he will be, and sends a code by e-mail in text and HTML', async () => {
    const body = service.submission({ level_study: 'Licence', verified: true, photo: 'https://img.test/a.png' });
    const answer = await register(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      message: 'Your account has been created. Please check your messages for the verification code.',
      user: {
        id: expect.any(Number),
        name: 'Awa Koné',
        email: body.email,
        phone_number: '+2250701020304',
        platform: 'student',
        gauth_type: 'email',
        solde: 0,
        photo: 'https://img.test/a.png',
        address: '',
        city: '',
        country: '',
        about_me: '',
        status: 'active',
        level_study: 'Licence',
        subjects_interest: '',
        plan_id: null,
        domains: 'Mathematics, Physics',
        experience: 0,
        availability: '',
        bio: null,
        verified: '0',
        created_at: expect.stringMatching(/\.\d{6}Z$/),
        updated_at: expect.stringMatching(/\.\d{6}Z$/),
      },
    });
    const code = await service.codeTo(body.email);
    const [mail] = await service.mailsTo(body.email);
    expect(mail).toMatchObject({
      channel: 'email',
      code: expect.stringMatching(/^\d{6}$/),
      text: expect.stringContaining(code),
    });
  });

  test('422 for an empty body, in the order of the fields', async () => {
    const answer = await register({});
    const fields = ['name', 'email', 'phone_number', 'platform', 'gauth_type', 'domains'];
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        code: 'invalid',
        message: 'The name field is required. (and 5 more errors)',
        errors: Object.fromEntries(fields.map((field) => [field, [required(field.replaceAll('_', ' '))]])),
      },
    ]);
    expect(Object.keys(answer.body.errors)).toEqual(fields);
  });

  const one = (field: string, text: string) => ({ message: text, errors: { [field]: [text] } });
  test.each<[string, Record<string, unknown>, object]>([
    [
      'no password with gauth_type email',
      { password: undefined },
      one('password', 'The password field is required when gauth type is email.'),
    ],
    ['a short password', { password: 'seven77' }, one('password', 'The password field must be at least 8 characters.')],
    ['a number as name', { name: 7 }, one('name', 'The name field must be a string.')],
    ['a bad e-mail', { email: 'nobody' }, one('email', 'The email field must be a valid email address.')],
    ['an unknown platform', { platform: 'robot' }, one('platform', 'The selected platform is invalid.')],
    ['an unknown gauth_type', { gauth_type: 'myspace' }, one('gauth_type', 'The selected gauth type is invalid.')],
    [
      'a teacher without plan',
      { platform: 'teacher', plan: undefined },
      one('plan', 'The plan field is required when platform is teacher.'),
    ],
    ['an unknown plan', { platform: 'teacher', plan: 999 }, one('plan', 'The selected plan is invalid.')],
    [
      'a plan that is no integer',
      { platform: 'teacher', plan: 'x' },
      one('plan', 'The plan field must be an integer.'),
    ],
    ['no domains for a student', { domains: undefined }, one('domains', 'The domains field is required.')],
    ['empty domains', { domains: [] }, one('domains', 'The domains field is required.')],
    ['domains that are no list', { domains: 'Maths' }, one('domains', 'The domains field must be an array.')],
    ['an unknown skill', { domains: [1, 999] }, one('domains.1', 'The selected domains.1 is invalid.')],
    ['a skill that is no integer', { domains: ['x'] }, one('domains.0', 'The domains.0 field must be an integer.')],
    ['an experience below zero', { experience: -1 }, one('experience', 'The experience field must be at least 0.')],
    [
      'verified that is no boolean',
      { verified: 'maybe' },
      one('verified', 'The verified field must be true or false.'),
    ],
    ['a control character', { name: 'a\u0000b' }, one('name', 'The name field contains invalid characters.')],
    [
      'a phone login without a real number',
      { gauth_type: 'phone_number', phone_number: '12' },
      one('phone_number', 'The phone number field format is invalid.'),
    ],
    [
      'google without its token',
      { gauth_type: 'google' },
      one('gauth_token', 'The gauth token field is required when gauth type is google.'),
    ],
    [
      'a gauth_token that proves nothing',
      { gauth_type: 'google', gauth_token: 'x.y.z' },
      one('gauth_token', 'The selected gauth token is invalid.'),
    ],
    [
      'several at once, conditional and database rules too, in the order of the fields',
      { platform: 'teacher', plan: undefined, domains: [999], password: undefined },
      {
        message: 'The password field is required when gauth type is email. (and 2 more errors)',
        errors: {
          password: ['The password field is required when gauth type is email.'],
          plan: ['The plan field is required when platform is teacher.'],
          'domains.0': ['The selected domains.0 is invalid.'],
        },
      },
    ],
  ])('422 for %s', async (_name, fields, expected) => {
    const answer = await register(service.submission(fields));
    expect([answer.status, answer.body]).toEqual([422, { code: 'invalid', ...expected }]);
  });

  test('integers and booleans may come as text; unknown fields are ignored', async () => {
    const body = service.submission({
      platform: 'teacher',
      plan: '2',
      domains: ['3'],
      experience: '4',
      status: 'banned',
      level: 'su',
    });
    const answer = await register(body);
    expect(answer.body.user).toMatchObject({ plan_id: 2, domains: 'Chemistry', experience: 4, status: 'active' });
  });

  test('a verified address is taken, whatever its case, on either platform', async () => {
    const { email } = await service.user();
    const answer = await register(service.submission({ email: email.toUpperCase(), platform: 'teacher' }));
    expect([answer.status, answer.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }]);
  });

  test('at most five submissions of an address in ten minutes', async () => {
    const body = service.submission();
    for (let n = 0; n < 5; n += 1) expect((await register(body)).status).toBe(200);
    const sixth = await register(body);
    expect([sixth.status, sixth.body]).toEqual([429, { code: 'rate_limited', message: 'Too Many Attempts.' }]);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(500);
    await service.shiftClock(601);
    try {
      expect((await register(body)).status).toBe(200);
    } finally {
      await service.shiftClock(0);
    }
  });
});

describe('POST api/auth/register/verify', () => {
  test('makes the account, logs it in and tells the other services', async () => {
    const user = await service.user({ platform: 'teacher', domains: [2, 1], bio: 'Ça va' });
    expect((await service.verifyToken(user.token)).body.caller).toEqual(user.caller);
    const told = (await service.published('user.changed')).filter((event) => event.id === user.id);
    expect(told).toEqual([
      expect.objectContaining({
        version: 1,
        deleted: false,
        platform: 'teacher',
        domains: ['Physics', 'Mathematics'],
        photo: 'http://public.test/api/assets/avatar.svg',
        verified: false,
      }),
    ]);
  });

  test.each<[string, object, Record<string, string[]>]>([
    ['nothing', {}, { email: [required('email')], phone_number: [required('phone number')], code: [required('code')] }],
    [
      'a short code',
      { email: 'a@b.co', phone_number: '1', code: '12345' },
      { code: ['The code field must be at least 6 characters.'] },
    ],
  ])('422 for %s', async (_name, body, errors) => {
    const answer = await verify(body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  });

  test('404 for an unknown address, a wrong code, a wrong phone number and a spent code: the same', async () => {
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

  test("a code is good only for the submission it was sent for: nobody's code activates somebody else's password", async () => {
    const body = service.submission();
    await register({ ...body, password: 'password of the owner' });
    const first = await service.codeTo(body.email, 1);
    await register({ ...body, password: 'password of a stranger' });
    const second = await service.codeTo(body.email, 2);
    if (first !== second) expect((await verify({ ...body, code: first })).status).toBe(404);
    expect((await verify({ ...body, code: second })).status).toBe(200);
    expect((await service.login(body.email, 'password of the owner')).status).toBe(404);
    expect((await service.login(body.email, 'password of a stranger')).status).toBe(200);
  });

  test('a code lasts ten minutes', async () => {
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

  test('five wrong tries void the code and the next one, for the rest of the ten minutes', async () => {
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

  test('50 parallel verifies of one code make one account and one token', async () => {
    const body = service.submission();
    await register(body);
    const code = await service.codeTo(body.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify({ ...body, code })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(49);
    const rows = await service.rows('select 1 from account a join token t on t.account_id = a.id where a.email = $1', [
      body.email,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('phone accounts', () => {
  test('get their code by e-mail and SMS, hold their number alone, and log in by a code', async () => {
    const phone = '+2250705050505';
    const user = await service.user({ gauth_type: 'phone_number', phone_number: '0705050505', password: undefined });
    expect(user.view).toMatchObject({ phone_number: phone, gauth_type: 'phone_number' });
    expect(await service.codeTo(phone)).toBe(await service.codeTo(user.email));
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

  test('a number gets its daily allowance of SMS and no more', async () => {
    const phone = '+2250706060606';
    await service.user({ gauth_type: 'phone_number', phone_number: phone, password: undefined });
    for (const seconds of [61, 122, 183]) {
      await service.shiftClock(seconds);
      await service.api.anonymous.post('/api/auth/login/send-code', { phone_number: phone });
      await expectNothingAsked();
    }
    await service.shiftClock(0);
    await service.service.parts.jobs?.find((job) => job.name === 'delivery')?.run();
    expect(await service.mailsTo(phone)).toHaveLength(2);
  });

  test('a test number gets no SMS and always its own code', async () => {
    const phone = '+2250700000001';
    const body = service.submission({ gauth_type: 'phone_number', phone_number: phone, password: undefined });
    await register(body);
    expect((await verify({ ...body, code: '123456' })).status).toBe(200);
    expect(await service.mailsTo(phone)).toEqual([]);
  });

  const expectNothingAsked = async () => {
    await service.service.parts.jobs?.find((job) => job.name === 'codes')?.run();
    expect(await service.rows('select 1 from code_request')).toEqual([]);
  };
});

describe('properties', () => {
  const fieldValues = fc.record(
    {
      name: fc.constantFrom('Awa', '', 7, null, undefined),
      email: fc.constantFrom('x', undefined, 9, `free-${unique()}@example.com`),
      password: fc.constantFrom(PASSWORD, 'short', undefined),
      platform: fc.constantFrom('student', 'teacher', 'robot', undefined),
      gauth_type: fc.constantFrom('email', 'google', 'phone_number', 'x', undefined),
      plan: fc.constantFrom(1, 999, 'x', undefined),
      domains: fc.constantFrom([1], [999, 1, 998], ['x'], [], undefined),
    },
    { requiredKeys: [] },
  );

  test('the summary is the first sentence and the count of all the others, in the order of the fields', async () => {
    const order = [
      'name',
      'email',
      'phone_number',
      'password',
      'platform',
      'gauth_type',
      'gauth_token',
      'plan',
      'domains',
    ];
    await fc.assert(
      fc.asyncProperty(fieldValues, async (fields) => {
        // Without a phone number nothing can be valid, so that nothing is ever registered.
        const answer = await register(fields);
        expect(answer.status).toBe(422);
        const { errors, message } = answer.body as { errors: Record<string, string[]>; message: string };
        const all = Object.values(errors).flat();
        const more = all.length - 1;
        expect(message).toBe(all[0]! + (more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'error' : 'errors'})`));
        const ranks = Object.keys(errors).map((field) => order.indexOf(field.split('.')[0]!));
        expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
        for (const text of all) expect(text).toMatch(/^The (selected )?[a-z_.0-9 ]+ (field )?.*\.$/);
      }),
      { numRuns: 60 },
    );
  });
});
