import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { send } from '@tutoring/shared/testing/client';
import { eventually } from '@tutoring/shared/testing/wait';
import { startGateway, type RunningGateway } from '../../gateway/src/app.ts';
import { gatewayConfig } from '../../gateway/src/config.ts';
import { timings } from '../../gateway/src/deadlines.ts';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { freePort } from '../../deploy/local/servers.ts';

const MINUTE = 60_000;

/** Offsets of the clocks, in milliseconds. */
const shifts = { gateway: 0, identity: 0 };
let metricsPort: number;
let identity: TestIdentity;
let gateway: RunningGateway;
beforeAll(async () => {
  metricsPort = await freePort();
  identity = await startIdentity({ METRICS_PORT: String(metricsPort) }, { clock: () => Date.now() + shifts.identity });
  const config = parseConfig(gatewayConfig, {
    ...identity.gatewayEnvironment,
    PORT: '0',
    IDENTITY_URL: identity.url,
    AUTH_RATE_LIMIT: '100000',
  });
  // Results of token checks are not cached: each request asks identity and is subject to the current clocks.
  const brief = { ...timings, verdict: 0, streamHeartbeat: 100 };
  gateway = await startGateway(config, createLogger('gateway', 'silent'), brief, () => Date.now() + shifts.gateway);
});
afterEach(() => void Object.assign(shifts, { gateway: 0, identity: 0 }));
afterAll(async () => {
  await gateway.stop();
  await identity.end();
});

const ask = async (method: string, path: string, token?: string, body?: unknown) => {
  const answer = await send(method, `${gateway.url}/api/${path}`, {
    body,
    headers: { 'x-envelope': 'strict', ...(token && { authorization: `Bearer ${token}` }) },
  });
  return { status: answer.status, data: answer.body?.data };
};
const login = async () => {
  const { email, password } = await identity.user();
  const { status, data } = await ask('POST', 'auth/login', undefined, { email, password });
  expect(status).toBe(200);
  return (data as { token: string }).token;
};

const SKEWS: [string, Partial<typeof shifts>][] = [
  ['the service is ahead', { identity: 1 }],
  ['the service is behind', { identity: -1 }],
  ['the gateway is ahead', { gateway: 1 }],
  ['the gateway is behind', { gateway: -1 }],
];
const shiftBy = (skew: Partial<typeof shifts>, ms: number) => {
  for (const [name, sign] of Object.entries(skew)) shifts[name as keyof typeof shifts] = sign * ms;
};

describe.each(SKEWS)('%s', (_name, skew) => {
  test('by two minutes: requests, login and logout behave normally', async () => {
    shiftBy(skew, 2 * MINUTE);
    const token = await login();
    expect((await ask('GET', 'me', token)).status).toBe(200);
    expect((await ask('POST', 'auth/logout', token)).status).toBe(200);
    expect((await ask('GET', 'me', token)).status).toBe(401);
  });

  test('by ten minutes: requests get a 503, and the token works again after the clock is corrected', async () => {
    const token = await login();
    const admin = (await identity.admin()).token;
    shiftBy(skew, 10 * MINUTE);
    expect((await ask('GET', 'me', token)).status).toBe(503);
    expect((await ask('POST', 'auth/logout', token)).status).toBe(503);
    expect((await ask('GET', 'admin/auth/me', admin)).status).toBe(503);
    expect((await ask('GET', 'events', token)).status).toBe(503);
    shiftBy(skew, 0);
    await eventually('the token is accepted', async () => (await ask('GET', 'me', token)).status === 200);
  });
});

test('with a cached token check, a refusal by the service is a 503, too, not a 401', async () => {
  const token = await login();
  const brief = await startCachingGateway();
  const own = (path: string) =>
    send('GET', `${brief.url}/api/${path}`, {
      headers: { 'x-envelope': 'strict', authorization: `Bearer ${token}` },
    });
  try {
    await eventually('the token check is cached', async () => (await own('me')).status === 200);
    shifts.identity = 10 * MINUTE;
    const answer = await own('me');
    expect([answer.status, answer.headers.get('retry-after'), answer.body]).toEqual([
      503,
      '1',
      { success: false, statusCode: 503, message: 'A service is unavailable. Please try again.' },
    ]);
  } finally {
    await brief.stop();
  }
});

const startCachingGateway = () =>
  startGateway(
    parseConfig(gatewayConfig, { ...identity.gatewayEnvironment, PORT: '0', IDENTITY_URL: identity.url }),
    createLogger('gateway', 'silent'),
  );

test('an open event stream survives the skew', async () => {
  const token = await login();
  const response = await fetch(`${gateway.url}/api/events`, { headers: { authorization: `Bearer ${token}` } });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  shifts.identity = 10 * MINUTE;
  let heartbeats = 0;
  while (heartbeats < 6) {
    const { done, value } = await reader.read();
    expect(done).toBe(false);
    heartbeats += (value ?? '').split('\n').filter((line) => line.startsWith(':')).length;
  }
  await reader.cancel();
});

test('metrics show the skew and the refusals because of it', async () => {
  shifts.identity = 10 * MINUTE;
  await identity.api.student(1).get('/api/me');
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const [, skew] = /^clock_skew_seconds\{.*\} (.+)$/m.exec(text)!;
  const [, refused] = /^identities_refused_total\{.*reason="clock".*\} (.+)$/m.exec(text)!;
  // The duration of the request is added to the skew.
  expect(Number(skew)).toBeGreaterThan(599);
  expect(Number(skew)).toBeLessThan(660);
  expect(Number(refused)).toBeGreaterThan(0);
});
