import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startIdentity, unique, PASSWORD, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const refusal = ({ status, body }: { status: number; body: { errors?: unknown } }) => [status, body.errors];
const TOO_COMMON = [422, { password: ['The password is too common.'] }];
const DONE = [200, undefined];
const register = (body: object) => service.api.anonymous.post('/api/auth/register', service.submission({ ...body }));

test.each<[string, object, unknown]>([
  ['that is common', { password: 'password1' }, TOO_COMMON],
  ['that is common in lower case', { password: 'PassWord1' }, TOO_COMMON],
  ['that only starts with a common one', { password: 'password1 of mine' }, DONE],
  ['that contains the name', { name: 'Awa Koné', password: 'xx AWA KONÉ xx' }, TOO_COMMON],
  [
    'that contains the name in another Unicode form',
    { name: 'Awa Koné', password: 'xx awa kone\u0301 xx' },
    TOO_COMMON,
  ],
  ['that contains a part of the name', { name: 'Awa Koné', password: 'awa loves maths' }, DONE],
  ['that contains a name of three letters', { name: 'Awa', password: 'awa loves maths' }, DONE],
  ['that contains a name of four letters', { name: 'Awas', password: 'awas loves maths' }, TOO_COMMON],
  [
    "that contains the e-mail's name part",
    { email: 'Kofi.Mensah@example.com', password: '1 kofi.MENSAH 2' },
    TOO_COMMON,
  ],
  [
    "that contains an e-mail's name part of three letters",
    { email: 'kof@example.com', password: 'kof loves maths' },
    DONE,
  ],
])('registration checks a password %s', async (_name, body, expected) => {
  expect(refusal(await register(body))).toEqual(expected);
});

test('the error for a common password is returned together with other errors', async () => {
  const answer = await register({ password: 'iloveyou', platform: 'nobody', domains: [999] });
  expect(Object.keys(answer.body.errors)).toEqual(['password', 'platform', 'domains.0']);
});

test('PUT me also checks a password against the new name and the new e-mail', async () => {
  const user = await service.user();
  const put = async (body: object) => refusal(await user.api.put('/api/me', { current_password: PASSWORD, ...body }));
  for (const password of ['iloveyou', 'xx awa koné xx', `xx ${user.email.split('@')[0]} xx`])
    expect(await put({ password })).toEqual(TOO_COMMON);
  expect(await put({ password: 'xx kossi xx', name: 'Kossi' })).toEqual(TOO_COMMON);
  expect(await put({ password: 'xx kossi xx', email: `kossi@${unique()}.test` })).toEqual(TOO_COMMON);
  expect((await service.login(user.email)).status).toBe(200);
});

test('reset-password checks the name only with a valid token, which stays valid after a refusal', async () => {
  const { email } = await service.user();
  const post = (path: string, body: object) => service.api.anonymous.post(`/api/auth/reset-password${path}`, body);
  const reset = (password: string, reset_token?: string) => post('', { email, password, reset_token });
  for (const password of ['iloveyou', `xx ${email.split('@')[0]} xx`])
    expect(refusal(await reset(password))).toEqual(TOO_COMMON);
  expect((await reset('xx awa koné xx')).status).toBe(404);
  await post('-send-code', { email });
  const { reset_token } = (await post('-verify-code', { email, code: await service.codeTo(email, 2) })).body;
  expect(refusal(await reset('xx awa koné xx', reset_token))).toEqual(TOO_COMMON);
  expect((await reset('quite another one', reset_token)).status).toBe(200);
});

test('new administrators cannot have a common password', async () => {
  const su = await service.su();
  const admin = { name: 'Bobby', email: `bob-${unique()}@example.com`, phone_number: '+2250700000000' };
  for (const password of ['iloveyou', 'xx bobby xx', `xx ${admin.email.split('@')[0]} xx`])
    expect(refusal(await su.api.post('/api/admin/admins', { ...admin, password }))).toEqual(TOO_COMMON);
  expect((await su.api.post('/api/admin/admins', { ...admin, password: 'quite another one' })).status).toBe(201);
});

test('a login does not check whether the password is common', async () => {
  const user = await service.user();
  const answer = await service.login(user.email, 'iloveyou');
  expect([answer.status, answer.body.message]).toEqual([404, 'Invalid credentials.']);
});
