import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const SENT = 'If the address waits for its code, a new one has been sent. Please check your messages.';
const post = (path: string, body: object) => service.api.anonymous.post(`/api/auth/${path}`, body);
const sendCode = async (email: unknown) => {
  const answer = await post('register/send-code', { email });
  return [answer.status, answer.body];
};
const codesTo = async (to: string) => (await service.mailsTo(to)).flatMap((mail) => mail.code ?? []);

/** Waits until all requests are handled and all messages sent. */
const settled = () =>
  eventually('all requests are handled and all messages sent', async () => {
    const [left] = await service.rows<{ left: number }>(
      'select (select count(*) from code_request) + (select count(*) from outgoing) as left',
    );
    return left!.left === 0;
  });

/** Registers and waits for the code. */
async function registered(fields: Record<string, unknown> = {}) {
  const submission = service.submission(fields);
  expect((await post('register', submission)).status).toBe(200);
  await settled();
  return { ...submission, email: submission.email };
}

test('the newest open registration gets a new code; the earlier code is invalid', async () => {
  const waiting = await registered({ name: 'First' });
  await post('register', { ...waiting, name: 'Second' });
  await settled();
  expect(await sendCode(waiting.email.toUpperCase())).toEqual([200, { message: SENT }]);
  await service.codeTo(waiting.email, 3);
  const [, second, third] = await codesTo(waiting.email);
  if (second !== third) expect((await post('register/verify', { ...waiting, code: second })).status).toBe(404);
  const verified = await post('register/verify', { ...waiting, code: third });
  expect([verified.status, verified.body.user.name]).toEqual([200, 'Second']);
});

test('a new code reopens an expired registration for ten minutes, also against another submission', async () => {
  const waiting = await registered();
  try {
    await service.shiftClock(30 * 60);
    await sendCode(waiting.email);
    const code = await service.codeTo(waiting.email, 2);
    await service.shiftClock(39 * 60);
    // Another person's password for the same address: the new code sets neither password.
    await post('register', { ...waiting, password: 'a strange password' });
    await service.codeTo(waiting.email, 3);
    expect((await service.mailsTo(waiting.email)).at(-1)!.text).toContain('different passwords');
    expect((await post('register/verify', { ...waiting, code })).status).toBe(404);
  } finally {
    await service.shiftClock(0);
  }
});

test('a new code is sent by SMS if the first one was', async () => {
  const phone_number = '+2250701777001';
  const waiting = await registered({ gauth_type: 'phone_number', password: undefined, phone_number });
  expect(await sendCode(waiting.email)).toEqual([200, { message: SENT }]);
  const code = await service.codeTo(phone_number, 2);
  expect((await post('register/verify', { ...waiting, code })).status).toBe(200);
  expect(await service.mailsTo(waiting.email)).toEqual([]);
});

test('a new code goes to the e-mail, even if a stranger registers that e-mail with another phone', async () => {
  const waiting = await registered();
  const phone_number = '+2250701777002';
  const stranger = { gauth_type: 'phone_number', password: undefined, phone_number };
  await registered({ ...stranger, email: waiting.email.toUpperCase() });
  await sendCode(waiting.email);
  const code = await service.codeTo(waiting.email, 2);
  expect(await codesTo(phone_number)).toHaveLength(1);
  const verified = await post('register/verify', { ...waiting, code });
  expect([verified.status, verified.body.user.phone_number]).toEqual([200, waiting.phone_number]);
});

test('the answer is the same for an unknown or verified address, and beyond five codes', async () => {
  const stranger = `nobody-${unique()}@example.com`;
  const user = await service.user();
  const waiting = await registered();
  for (const email of [stranger, user.email, ...Array.from({ length: 6 }, () => waiting.email)]) {
    expect(await sendCode(email)).toEqual([200, { message: SENT }]);
    await settled();
  }
  expect(await codesTo(stranger)).toEqual([]);
  expect(await codesTo(user.email)).toHaveLength(1);
  const codes = await codesTo(waiting.email);
  expect(codes).toHaveLength(5);
  expect((await post('register', waiting)).status).toBe(429);
  expect((await post('register/verify', { ...waiting, code: codes[4] })).status).toBe(200);
});

test('a request without a valid e-mail is a 422', async () => {
  expect((await post('register/send-code', {})).body.errors).toEqual({ email: ['The email field is required.'] });
  for (const email of ['nobody', 'a@'])
    expect((await post('register/send-code', { email })).body.errors).toEqual({
      email: ['The email field must be a valid email address.'],
    });
  expect((await post('register/send-code', { email: 5 })).status).toBe(422);
});
