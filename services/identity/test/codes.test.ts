import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { startService, type RunningService } from '@tutoring/shared/kit/service';
import { signedClient } from '@tutoring/shared/testing/client';
import { identity } from '../src/app.ts';
import { startIdentity, type TestIdentity } from './identity.ts';

const key = (kid: string) => ({ kid, secret: kid.repeat(16) });
const [old, next] = [key('k1'), key('k2')];

/** Replicas on one database, with different keys. */
let service: TestIdentity;
let replicas: RunningService[] = [];
beforeAll(async () => {
  service = await startIdentity();
});
// A replica handles requests for codes of all replicas, and would hash them with its own keys.
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  replicas = [];
});
afterAll(() => service.end());

async function replica(CODE_KEYS: { kid: string; secret: string }[]) {
  const config = { ...service.config, PORT: 0, CODE_KEYS };
  const running = await startService(identity, config, createLogger('identity', 'silent'));
  replicas.push(running);
  return signedClient(running.url, service.signer).anonymous;
}
type Client = Awaited<ReturnType<typeof replica>>;

async function verifyAcross(from: Client, to: Client): Promise<number> {
  const body = service.submission();
  expect((await from.post('/api/auth/register', body)).status).toBe(200);
  const code = await service.codeTo(body.email);
  return (await to.post('/api/auth/register/verify', { ...body, code })).status;
}

test('pending codes stay valid during a key rotation, until their key is removed', async () => {
  const before = await replica([old]);
  const appended = await replica([old, next]);
  const first = await replica([next, old]);
  const after = await replica([next]);
  for (const [from, to] of [
    [before, appended],
    [appended, before],
    [appended, first],
    [first, appended],
    [before, first],
    [first, after],
  ] as const)
    expect(await verifyAcross(from, to)).toBe(200);
  expect(await verifyAcross(before, after)).toBe(404);
});

test('spaces around a code are ignored in every field', async () => {
  const blank = (code: string) => ` \t${code}\u00a0\n`;
  const user = await service.user();
  const post = (path: string, body: object) => service.api.anonymous.post(`/api/auth/${path}`, body);
  await post('reset-password-send-code', { email: user.email });
  const reset = blank(await service.codeTo(user.email, 2));
  expect((await post('reset-password-verify-code', { email: user.email, code: reset })).status).toBe(200);

  const phone_number = '+2250700000077';
  const body = service.submission({ gauth_type: 'phone_number', password: undefined, phone_number });
  await post('register', body);
  const code = blank(await service.codeTo(phone_number));
  expect((await post('register/verify', { ...body, code })).status).toBe(200);

  await post('login/send-code', { phone_number });
  const password = blank(await service.codeTo(phone_number, 2));
  const entered = await post('login', { gauth_type: 'phone_number', phone_number, password });
  expect([entered.status, entered.body.user?.email]).toEqual([200, body.email]);
});

test('spaces around a password count', async () => {
  const { email } = await service.user({ password: ' a good password ' });
  expect((await service.login(email, 'a good password')).status).toBe(404);
  expect((await service.login(email, ' a good password ')).status).toBe(200);
});
