import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { infra } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import { Redis } from 'ioredis';
import { freePort } from '../../deploy/local/ports.ts';
import { request } from './raw.ts';
import { answers } from './stand-in.ts';
import { admin, client, startSystem, student, tokenOf, type System } from './system.ts';

let system: System;
afterEach(() => system.stop());
// On a busy machine a reply of Redis may take longer than a tenth of a second.
const start = async (env: Record<string, string>) => (system = await startSystem({ env, timings: { redis: 30_000 } }));
const tooMany = { message: 'Too Many Attempts.' };

describe('limits in memory', () => {
  test('count authentication by address, with headers on every response, and then refuse with a 429', async () => {
    await start({ AUTH_RATE_LIMIT: '3' });
    system.identity.respondWith(answers(422, { code: 'invalid', message: 'M.', errors: {} }));
    const left: (string | null)[] = [];
    for (const path of ['/api/auth/login', '/api/admin/auth/login', '/api/auth/register']) {
      const { status, headers } = await system.api('POST', path);
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([422, '3']);
      left.push(headers.get('x-ratelimit-remaining'));
    }
    expect(left).toEqual(['2', '1', '0']);
    const refused = await system.api('POST', '/api/auth/login', { token: system.login(student(1)) });
    expect([refused.status, refused.body]).toEqual([429, tooMany]);
    expect(refused.headers.get('x-status-code')).toBe('429');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(Number(refused.headers.get('x-ratelimit-reset')) - Date.now() / 1_000).toBeCloseTo(seconds, -1);
    expect(system.identity.questions).toEqual([]);
    expect((await system.api('GET', '/api/rooms')).headers.get('x-ratelimit-limit')).toBe('600');
  });

  test('count requests to the API by person, across all tokens', async () => {
    await start({ API_RATE_LIMIT: '3' });
    const tokens = [11, 12, 13, 14].map((tokenId) => system.login({ ...student(1), tokenId }));
    const statuses: number[] = [];
    for (const token of tokens) statuses.push((await system.api('GET', '/api/rooms', { token })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await system.api('GET', '/api/rooms', { token: system.login(admin(1), 'b') })).status).toBe(200);
  });

  test('count requests that hash a password as authentication by address, for every caller', async () => {
    await start({ AUTH_RATE_LIMIT: '3' });
    const [one, two, su] = [system.login(student(1)), system.login(student(2)), system.login(admin(3))];
    const ask = async (method: string, path: string, token: string) => {
      const { status, headers } = await system.api(method, path, { token });
      return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
    };
    expect(await ask('PUT', '/api/me', one)).toEqual([200, '3', '2']);
    expect(await ask('DELETE', '/api/me', two)).toEqual([200, '3', '1']);
    expect(await ask('POST', '/api/admin/admins', su)).toEqual([200, '3', '0']);
    expect(await ask('PUT', '/api/me/', two)).toEqual([429, '3', '0']);
    expect(await ask('GET', '/api/me', two)).toEqual([200, '600', '599']);
    expect(await ask('GET', '/api/admin/admins', su)).toEqual([200, '600', '599']);
  });

  test('are not changed by a fragment in the request line', async () => {
    await start({ AUTH_RATE_LIMIT: '3' });
    const headers = { authorization: `Bearer ${system.login(student(1))}` };
    for (const path of ['/api/me/#', '/api/me#x?y', '/api/me?x=1#/api/rooms']) {
      const answer = await request(system.gateway.url, 'DELETE', path, headers);
      expect([path, answer.status, answer.headers['x-ratelimit-limit']]).toEqual([path, 200, '3']);
    }
    const paths = system.identity.received.map(({ path }) => path).filter((path) => path.startsWith('/api'));
    expect(paths).toEqual(['/api/me/', '/api/me', '/api/me?x=1']);
  });

  const sessions: [string, string][] = [
    ['POST', '/api/auth/logout'],
    ['GET', '/api/auth/tokens'],
    ['DELETE', '/api/auth/tokens/7'],
    ['GET', '/api/auth/sessions'],
    ['DELETE', '/api/auth/sessions/7'],
    ['PUT', '/api/auth/device'],
    ['POST', '/api/admin/auth/logout'],
    ['GET', '/api/admin/auth/me'],
  ];
  test("count requests for one's own sessions by person with a valid bearer, otherwise as authentication", async () => {
    await start({ AUTH_RATE_LIMIT: '100' });
    const token = system.login(student(1));
    const limit = async (method: string, path: string, given?: string) =>
      (await system.api(method, path, { ...(given && { token: given }) })).headers.get('x-ratelimit-limit');
    for (const [method, path] of sessions) {
      const limits = [await limit(method, path, token), await limit(method, path), await limit(method, path, 'bad')];
      expect([path, ...limits]).toEqual([path, '600', '100', '100']);
    }
    expect(await limit('POST', '/api/auth/login', token)).toBe('100');
    expect(await limit('PUT', '/api/admin/auth/me', token)).toBe('100');
  });

  test('do not count a good bearer that identity must verify against its address', async () => {
    await start({ AUTH_RATE_LIMIT: '3' });
    for (const id of [1, 2, 3, 4, 5])
      expect((await system.api('POST', '/api/auth/logout', { token: system.login(student(id)) })).status).toBe(200);
    const bad = await Promise.all(
      [1, 2, 3, 4].map((id) => system.api('POST', '/api/auth/logout', { token: tokenOf(90 + id) })),
    );
    expect(bad.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(system.identity.questions).toHaveLength(5 + 3);
  });

  test('give every verified person a budget, whatever the address', async () => {
    await start({ API_RATE_LIMIT: '3' });
    const [one, two] = [system.login(student(1)), system.login(student(2))];
    const left = async (token?: string) =>
      (await system.api('GET', '/api/rooms', { ...(token && { token }) })).headers.get('x-ratelimit-remaining');
    expect([await left(one), await left(one), await left(one)]).toEqual(['2', '1', '0']);
    expect((await system.api('GET', '/api/rooms', { token: one })).status).toBe(429);
    expect(await left(two)).toBe('2');
    expect([await left(), await left()]).toEqual(['2', '1']);
  });

  test('count bad tokens by address, and identity is not asked once the budget is spent', async () => {
    await start({ API_RATE_LIMIT: '5' });
    const bad = await Promise.all(
      Array.from({ length: 20 }, (_, i) => system.api('GET', '/api/rooms', { token: tokenOf(100 + i) })),
    );
    expect(bad.filter(({ status }) => status === 429)).toHaveLength(15);
    expect(system.identity.questions).toHaveLength(5);
    expect((await system.api('GET', '/api/rooms')).status).toBe(429);
    expect((await system.api('GET', '/api/nothing', { token: 'nonsense' })).status).toBe(429);
  });

  test('count unknown routes by address and webhooks separately, but not health checks and preflights', async () => {
    await start({ API_RATE_LIMIT: '1' });
    const unknown = await system.api('GET', '/nothing');
    expect([unknown.status, unknown.headers.get('x-ratelimit-remaining')]).toEqual([404, '0']);
    expect((await system.api('GET', '/nothing')).status).toBe(429);
    const webhook = await system.api('POST', '/api/webhooks/payments/sandbox');
    expect([webhook.status, webhook.headers.get('x-ratelimit-limit')]).toEqual([200, '600']);
    expect((await system.api('GET', '/livez')).status).toBe(200);
    const preflight = await system.api('OPTIONS', '/api/rooms', { headers: { origin: 'https://app.test' } });
    expect(preflight.status).toBe(204);
  });

  test('count the client address that a trusted proxy reports, of IPv6 its /64 network', async () => {
    await start({ API_RATE_LIMIT: '2', TRUSTED_PROXY_HOPS: '1' });
    const left = async (forwarded: string) =>
      (await system.api('GET', '/api/rooms', { headers: { 'x-forwarded-for': forwarded } })).headers.get(
        'x-ratelimit-remaining',
      );
    expect(await left('1.1.1.1')).toBe('1');
    expect(await left('6.6.6.6, 1.1.1.1')).toBe('0');
    expect(await left('2.2.2.2')).toBe('1');
    expect(system.messaging.received.at(-1)?.headers['x-client-address']).toBe('2.2.2.2');
    expect(await left('2001:db8:1:2::1')).toBe('1');
    expect(await left('2001:db8:1:2:ffff::2')).toBe('0');
    expect(await left('2001:db8:1:3::1')).toBe('1');
  });
});

const hasRedis = infra().redisUrl !== undefined || spawnSync('redis-server', ['--version']).status === 0;
const withRedis = hasRedis || process.env['CI'] === 'true' ? describe : describe.skip;

withRedis('limits in Redis', () => {
  let server: ChildProcess | undefined;
  let url: string;
  let port: number;
  const run = async () => {
    server = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
    const probe = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    probe.on('error', () => undefined);
    await probe.ping();
    probe.disconnect();
  };
  beforeAll(async () => {
    if (!hasRedis) throw new Error('CI needs a Redis: set REDIS_URL or install redis-server');
    const configuredUrl = infra().redisUrl;
    port = await freePort();
    url = configuredUrl ?? `redis://127.0.0.1:${port}`;
    if (!configuredUrl) await run();
  });
  afterAll(async () => {
    if (!server) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  });

  test('are shared by two gateways', async () => {
    await start({ API_RATE_LIMIT: '4', REDIS_URL: url });
    const other = client((await system.addGateway()).url);
    const token = system.login(student(1));
    const left: (string | null)[] = [];
    const webhooksLeft = async (api: typeof other) =>
      Number((await api('POST', '/api/webhooks/x')).headers.get('x-ratelimit-remaining'));
    await eventually('both count in Redis', async () => {
      const first = await webhooksLeft(system.api);
      return (await webhooksLeft(other)) === first - 1;
    });
    for (const api of [system.api, other, system.api, other]) {
      left.push((await api('GET', '/api/rooms', { token })).headers.get('x-ratelimit-remaining'));
    }
    expect(left).toEqual(['3', '2', '1', '0']);
    expect((await system.api('GET', '/api/rooms', { token })).status).toBe(429);
  });

  test('are replaced by limits in memory while Redis is down, and no request waits', async () => {
    if (!server) return;
    system = await startSystem({ env: { API_RATE_LIMIT: '1000', REDIS_URL: url } });
    const token = system.login(student(2));
    await system.api('GET', '/api/rooms', { token });
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    const answer = await system.api('GET', '/api/rooms', { token });
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '1000']);
    // Until then the port may be in use.
    await gone;
    await run();
  });
});
