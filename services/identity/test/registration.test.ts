import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PASSWORD, startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity({ TWILIO_TEST_NUMBERS: '+2250700000001:123456', SMS_PER_NUMBER_PER_DAY: '2' });
});
afterAll(() => service.end());

const register = (body: object) => service.api.anonymous.post('/api/auth/register', body);

const required = (field: string) => `The ${field} field is required.`;

describe('POST api/auth/register', () => {
  test('a registration returns the future user and sends a code by e-mail', async () => {
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

  test('an empty body is a 422 with the errors in the order of the fields', async () => {
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
      'broken conditional rules and fields of a wrong type',
      { name: 7, password: undefined, domains: [999] },
      {
        message: 'The name field must be a string. (and 2 more errors)',
        errors: {
          name: ['The name field must be a string.'],
          password: ['The password field is required when gauth type is email.'],
          'domains.0': ['The selected domains.0 is invalid.'],
        },
      },
    ],
    [
      'several errors, also of conditional and database rules, in the order of the fields',
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
  ])('a registration with %s is a 422', async (_name, fields, expected) => {
    const answer = await register(service.submission(fields));
    expect([answer.status, answer.body]).toEqual([422, { code: 'invalid', ...expected }]);
  });

  test('integers and booleans may be sent as text; unknown fields are ignored', async () => {
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

  test('a verified e-mail cannot be registered again, in any case and on either platform', async () => {
    const { email } = await service.user();
    const answer = await register(service.submission({ email: email.toUpperCase(), platform: 'teacher' }));
    expect([answer.status, answer.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }]);
  });

  test.each([
    ['awa@école-0.fr', 'AWA@xn--cole-0-9ua.FR', 'awa@e\u0301cole-0.fr'],
    ['a/b@x-0.test', 'A/B@x-0.test'],
    ['x!y@localhost', '"x!y"@LOCALHOST'],
    ['Élise@x-1.test', 'e\u0301lise@x-1.test'],
  ])('the e-mail %s is accepted, and the same as %s', async (email, ...same) => {
    const user = await service.user({ email });
    expect(user.view.email).toBe(email);
    for (const other of same) {
      const answer = await register(service.submission({ email: other }));
      expect([answer.status, answer.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }]);
      expect((await service.login(other)).status).toBe(200);
    }
  });

  test('the sixth submission of an address within ten minutes is a 429', async () => {
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

  test('the message has the first error, in the order of the fields, and the number of others', async () => {
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
        // No body has a phone number, so that every registration is refused.
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
