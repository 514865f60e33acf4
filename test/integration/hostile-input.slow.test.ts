import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import type { Caller } from '@tutoring/shared/kit/identity/auth';
import { IDENTITY_HEADER } from '@tutoring/shared/kit/identity/auth';
import type { Route } from '@tutoring/shared/kit/http/declare/route';
import { testKeys } from '@tutoring/shared/testing/keys';
import { newPrefix, type TestService } from '@tutoring/shared/testing/service';
import { startGateway, type RunningGateway } from '../../gateway/src/app.ts';
import { gatewayConfig } from '../../gateway/src/config.ts';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { startTestService } from '@tutoring/shared/testing/service';
import { startStandIn, answers, type StandIn } from '../../gateway/test/stand-in.ts';
import { calls } from '../../services/calls/src/app.ts';
import { CALLS_ENV } from '../../services/calls/test/scene.ts';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { wallet } from '../../services/wallet/src/app.ts';

const RUNS = 40;
let peer: StandIn;
let identity: TestIdentity;
const services: Record<string, TestService> = {};
let gateway: RunningGateway;

beforeAll(async () => {
  peer = await startStandIn();
  // Every peer is unavailable: a 503 is allowed only when a peer was asked.
  peer.respondWith(answers(503, { code: 'unavailable', message: 'away' }));
  const prefix = newPrefix();
  const peers = { IDENTITY_URL: peer.url, WALLET_URL: peer.url, MESSAGING_URL: peer.url, CALLS_URL: peer.url };
  identity = await startIdentity(peers);
  services['identity'] = identity;
  services['wallet'] = await startTestService(wallet, {
    prefix,
    env: { SANDBOX_WEBHOOK_SECRET: 's'.repeat(32), ...peers },
  });
  services['messaging'] = await startTestService(messaging, {
    prefix,
    env: { ROOM_NAMESPACE: CALLS_ENV.ROOM_NAMESPACE, MAILBOX_FILE: '/dev/null', ...peers },
  });
  services['calls'] = await startTestService(calls, { prefix, env: { ...CALLS_ENV, ...peers } });
  const env = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'http://public.test',
    NATS_URL: infra().natsUrl,
    NATS_PREFIX: prefix,
    ...testKeys('gateway'),
    API_RATE_LIMIT: '1000000',
    AUTH_RATE_LIMIT: '1000000',
    IDENTITY_URL: identity.url,
    WALLET_URL: services['wallet'].url,
    MESSAGING_URL: services['messaging'].url,
    CALLS_URL: services['calls'].url,
  };
  gateway = await startGateway(parseConfig(gatewayConfig, env), createLogger('gateway', 'silent'));
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all(Object.values(services).map((service) => (service === identity ? identity.end() : service.stop())));
  await peer.stop();
});

interface Sent {
  path: string;
  body: string | undefined;
  type: string;
  headers: Record<string, string>;
}

/** Sends path and body unchanged. */
function send(url: string, method: string, { path, body, type, headers }: Sent): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        hostname,
        port,
        path,
        method: method.toUpperCase(),
        headers: {
          ...headers,
          // Node sends a DELETE without `content-length`, so that its body would be read as another request.
          ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
        },
      },
      (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * The status of a 5xx; `answered` for any other answer, and for a 503 after a peer was asked. A busy machine may answer
 * 503 to anything once: the request is repeated.
 */
async function statusOf(url: string, method: string, sent: Sent): Promise<number | 'answered'> {
  const asked = peer.received.length;
  let status = 503;
  for (let times = 0; times < 3 && status === 503; times += 1) {
    status = await send(url, method, sent);
    if (status === 503 && peer.received.length > asked) return 'answered';
  }
  return status < 500 ? 'answered' : status;
}

const CALLERS: Record<Route['auth'], Caller> = {
  public: { kind: 'anonymous' },
  user: { kind: 'user', id: 5, platform: 'student', tokenId: 5 },
  student: { kind: 'user', id: 5, platform: 'student', tokenId: 5 },
  teacher: { kind: 'user', id: 6, platform: 'teacher', tokenId: 6 },
  member: { kind: 'admin', id: 900, name: 'Ada', level: 'su', tokenId: 900 },
  admin: { kind: 'admin', id: 900, name: 'Ada', level: 'su', tokenId: 900 },
  su: { kind: 'admin', id: 900, name: 'Ada', level: 'su', tokenId: 900 },
  service: { kind: 'service', name: 'calls' },
};

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\ud83d',
    'a\u0000b',
    '0000-01-01',
    '9999-12-31',
    '-1',
    '@@@',
    '%',
    '\\',
    '2147483648',
    '9007199254740991',
  ),
  fc.constantFrom(
    '3d0f4f0e-7d62-4a0e-8a9e-0f3b1c2d4e5f',
    'x@example.com',
    '+228 90 11 22 33',
    'active',
    'teacher',
    'email',
  ),
  fc.string({ maxLength: 3 }).map((part) => part.repeat(3_000)),
);
const value = fc.oneof(
  { weight: 5, arbitrary: text },
  fc.constantFrom(0, 1, 2 ** 31, 2 ** 53 - 1, -1, 1.5, 1e300, null, true),
  fc.array(fc.oneof(text, fc.integer()), { maxLength: 4 }),
  fc.jsonValue(),
);
const segment = fc.oneof(
  fc.constantFrom(
    '%00',
    'a%00b',
    '%ff',
    '%ED%A0%BD',
    '%',
    '0',
    '1',
    '9'.repeat(30),
    '%2e%2e',
    '__proto__',
    'constructor',
  ),
  fc.constantFrom('9007199254740991', '999999999999999', '3d0f4f0e-7d62-4a0e-8a9e-0f3b1c2d4e5f'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(encodeURIComponent),
);

/** Hostile requests for a route: its fields and others, as JSON, a form, or nonsense. */
function requests(spec: Route): fc.Arbitrary<Sent> {
  const fieldNames = [...Object.keys(spec.query?.shape ?? {}), ...Object.keys(spec.body?.shape ?? {})];
  const name = fc.oneof(
    ...(fieldNames.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...fieldNames) }] : []),
    fc.constantFrom('__proto__', 'toString', 'constructor', ''),
    fc.string({ maxLength: 5 }),
  );
  const fields = fc.array(fc.tuple(name, value), { maxLength: 8 });
  const encode = (pairs: [string, unknown][]) =>
    pairs
      .map(
        ([key, item]) =>
          `${encodeURIComponent(key)}=${encodeURIComponent(String(JSON.stringify(item)).replace(/^"|"$/g, ''))}`,
      )
      .join('&');
  const json = fields.map((pairs) => ({
    type: 'application/json',
    body: `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`).join(',')}}`,
  }));
  const form = fields.map((pairs) => ({ type: 'application/x-www-form-urlencoded', body: encode(pairs) }));
  const nonsense = fc.oneof(fc.string(), fc.json()).map((body) => ({ type: 'application/json', body }));
  const key = fc.oneof(
    fc.constant(undefined),
    fc.string({ minLength: 1, maxLength: 9 }).map((key) => Buffer.from(key).toString('base64')),
  );
  return fc
    .record({
      segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
      query: fc.oneof(
        fc.constant(''),
        fields.map((pairs) => `?${encode(pairs)}`.slice(0, 4_000)),
        fc.constantFrom('?a=%ff', '?constructor=', '?__proto__[a]=1'),
      ),
      body: spec.method === 'get' ? fc.constant(undefined) : fc.oneof(json, json, form, nonsense),
      key,
    })
    .map(({ segments, query, body, key: idempotency }) => {
      let index = 0;
      const path = spec.path.replace(/\{\w+\}/g, () => segments[(index += 1) % 3] as string);
      return {
        path: `${path}${query.replaceAll("'", '%27')}`,
        body: body?.body,
        type: body?.type ?? '',
        headers: { 'user-agent': 'caf\u00e9', ...(idempotency !== undefined && { 'idempotency-key': idempotency }) },
      };
    });
}

describe.each(['identity', 'wallet', 'messaging', 'calls'])('%s:', (name) => {
  test('no input makes a route answer 5xx', async () => {
    const service = services[name] as TestService;
    for (const spec of service.service.parts.routes) {
      const identityHeader = { [IDENTITY_HEADER]: service.signer.sign(CALLERS[spec.auth]) };
      await fc.assert(
        fc.asyncProperty(requests(spec), async (sent) => {
          const headers = spec.auth === 'public' ? sent.headers : { ...sent.headers, ...identityHeader };
          const status = await statusOf(service.url, spec.method, { ...sent, headers });
          expect({ route: `${spec.method} ${spec.path}`, status }).toEqual({
            route: `${spec.method} ${spec.path}`,
            status: 'answered',
          });
        }),
        { numRuns: RUNS },
      );
    }
  });

  test('no input makes the service prepare ever more statements', async () => {
    const service = services[name] as TestService;
    const count = () => service.rows<{ count: number }>('select count(*) from pg_prepared_statements');
    const connections = await Promise.all(Array.from({ length: 10 }, count));
    const most = Math.max(...connections.map(([prepared]) => prepared!.count));
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThan(300);
  });

  test('no input makes a route answer 5xx through the gateway', async () => {
    for (const spec of (services[name] as TestService).service.parts.routes) {
      await fc.assert(
        fc.asyncProperty(requests(spec), async (sent) => {
          expect([spec.path, await statusOf(gateway.url, spec.method, sent)]).toEqual([spec.path, 'answered']);
        }),
        { numRuns: 4 },
      );
    }
  });
});
