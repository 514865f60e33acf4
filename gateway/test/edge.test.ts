import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { answers } from './stand-in.ts';
import { startSystem, student, type System } from './system.ts';

let system: System;
let user: string;
beforeAll(async () => {
  system = await startSystem();
  user = system.login(student(1));
});
afterAll(() => system.stop());
beforeEach(() => {
  for (const service of [system.identity, system.wallet, system.messaging, system.calls])
    service.respondWith(answers(200, { ok: true }));
});

const refused = (status: number, code: string, message = 'Because.') => answers(status, { code, message });
const plain = (statusCode: number, message: unknown = 'Because.') => ({ success: false, statusCode, message });

describe('the edge', () => {
  test.each([
    ['/api/nothing', 'GET'],
    ['/nothing', 'GET'],
    ['/api/admin/nothing', 'POST'],
    ['/api/admin', 'GET'],
    ['/internal/tokens/verify', 'POST'],
    ['/api/../internal/tokens/verify', 'POST'],
    ['/api/rooms/%2e%2e/%2E%2E/internal/x', 'GET'],
    ['/api//rooms', 'GET'],
    ['/api/Rooms', 'GET'],
    ['/API/rooms', 'GET'],
  ])('%s belongs to no service and is answered with a 404', async (path, method) => {
    const before = system.identity.received.length + system.messaging.received.length;
    const answer = await request(system.gateway.url, method, path, { authorization: 'Bearer nonsense' });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toEqual(plain(404, `The route ${path.slice(1)} could not be found.`));
    expect(system.identity.received.length + system.messaging.received.length).toBe(before);
  });

  test('refuses HEAD and unsupported methods with a 405', async () => {
    const head = await system.api('HEAD', '/api/rooms');
    expect([head.status, head.text, head.headers.get('x-status-code')]).toEqual([405, '', '405']);
    const patch = await system.api('PATCH', '/api/rooms', { token: user, body: {} });
    expect([patch.status, patch.body]).toEqual([405, plain(405, 'The PATCH method is not supported for this route.')]);
    expect(patch.headers.get('allow')).toBe('GET, POST, PUT, DELETE, OPTIONS');
  });

  test.each([
    ['not JSON', (text: string) => text, 'text/html', '<h1>stack trace</h1>'],
    ['JSON of another shape', (text: string) => text, 'application/json', '{"error":"secret"}'],
    ['broken JSON', (text: string) => text, 'application/json', '{"code":'],
    [
      'too long',
      (text: string) => text,
      'application/json',
      JSON.stringify({ code: 'x', message: 'x'.repeat(65_536) }),
    ],
  ])('answers a 502 when the body of a refusal is %s', async (_name, _as, type, text) => {
    system.messaging.respondWith((_req, res) => res.writeHead(409, { 'content-type': type }).end(text));
    const answer = await system.api('GET', '/api/rooms', { token: user });
    expect([answer.status, answer.body]).toEqual([
      502,
      plain(502, 'A service gave no valid answer. Please try again.'),
    ]);
  });

  test('answers a 502 when a success is not JSON, and null when it has no body', async () => {
    system.messaging.respondWith((_req, res) => res.writeHead(200, { 'content-type': 'text/plain' }).end('hello'));
    expect((await system.api('GET', '/api/rooms')).status).toBe(502);
    system.messaging.respondWith((_req, res) => res.writeHead(204).end());
    expect((await system.api('GET', '/api/rooms')).text).toBe('{"success":true,"statusCode":200,"data":null}');
    system.messaging.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.flushHeaders();
      res.end();
    });
    expect((await system.api('GET', '/api/rooms')).text).toBe('{"success":true,"statusCode":200,"data":null}');
  });

  test('streams a long answer unchanged, with the right length', async () => {
    const payload = Array.from({ length: 20_000 }, (_, i) => ({ i, text: 'héllo – שלום 🎓' }));
    system.messaging.respondWith(answers(200, payload));
    const fixed = await request(system.gateway.url, 'GET', '/api/rooms');
    expect(fixed.headers['content-length']).toBe(String(Buffer.byteLength(fixed.body)));
    expect(JSON.parse(fixed.body)).toEqual({ success: true, statusCode: 200, data: payload });
    const small = { text: 'שלום 🎓' };
    system.messaging.respondWith(answers(200, small));
    const short = await request(system.gateway.url, 'GET', '/api/rooms');
    expect(short.headers['content-length']).toBe(String(Buffer.byteLength(short.body)));
    expect(JSON.parse(short.body).data).toEqual(small);
  });

  test('relays an answer of unknown length as chunked', async () => {
    system.messaging.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('[1,');
      setImmediate(() => res.end('2]'));
    });
    const answer = await request(system.gateway.url, 'GET', '/api/rooms');
    expect(answer.headers['transfer-encoding']).toBe('chunked');
    expect(answer.body).toBe('{"success":true,"statusCode":200,"data":[1,2]}');
  });

  test('relays only known headers of a service', async () => {
    system.messaging.respondWith(
      answers(
        200,
        {},
        { 'x-powered-by': 'x', server: 'y', 'set-cookie': 'a=b', etag: 'z', 'idempotent-replayed': 'true' },
      ),
    );
    const { headers } = await system.api('GET', '/api/rooms');
    expect(['x-powered-by', 'server', 'set-cookie', 'etag'].map((name) => headers.get(name))).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(headers.get('idempotent-replayed')).toBe('true');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('raw routes', () => {
  test.each([404, 416, 429, 500])('relay a %i for the HEAD of a file without a body', async (status) => {
    system.messaging.respondWith(refused(status, 'not_found'));
    const { headers, ...head } = await request(system.gateway.url, 'HEAD', '/api/files/abc');
    expect(head).toEqual({ status, body: '' });
    expect(headers).toMatchObject({
      'x-status-code': String(status),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(headers['content-length']).toBeUndefined();
  });

  test('forward HEAD and conditional requests for the calendar of lessons, and relay the 304', async () => {
    const path = '/api/bookings.ics?token=12.x';
    system.calls.respondWith((_req, res) => res.writeHead(200, { etag: '"1"', 'content-length': '9' }).end());
    const head = await request(system.gateway.url, 'HEAD', path);
    expect([head.status, head.headers.etag, head.headers['content-length'], head.body]).toEqual([200, '"1"', '9', '']);
    system.calls.respondWith((_req, res) =>
      res.writeHead(304, { etag: '"1"', 'cache-control': 'private, no-cache' }).end(),
    );
    const same = await request(system.gateway.url, 'GET', path, { 'if-none-match': '"1"' });
    expect([same.status, same.headers.etag, same.headers['cache-control']]).toEqual([304, '"1"', 'private, no-cache']);
    const { method, headers } = system.calls.received.at(-1)!;
    expect([method, headers['if-none-match']]).toEqual(['GET', '"1"']);
  });

  test('answer a webhook without an envelope, and a refusal with its real status', async () => {
    system.wallet.respondWith(answers(200, { received: true }));
    const good = await system.api('POST', '/api/webhooks/payments/sandbox', {
      body: { id: 1 },
      headers: { 'x-signature': 't=1,v1=2' },
    });
    expect([good.status, good.text]).toEqual([200, '{"received":true}']);
    expect(system.wallet.received.at(-1)).toMatchObject({ body: '{"id":1}', headers: { 'x-signature': 't=1,v1=2' } });
    system.wallet.respondWith(refused(400, 'malformed'));
    const bad = await system.api('POST', '/api/webhooks/payments/sandbox');
    expect([bad.status, bad.body]).toEqual([400, plain(400)]);
    system.wallet.respondWith(refused(404, 'not_found'));
    expect((await system.api('POST', '/api/webhooks/payments/other')).status).toBe(404);
  });

  test('forward the headers in which any payment provider signs, and no credentials or headers of our own', async () => {
    system.wallet.respondWith(answers(200, { received: true }));
    const signed = { 'stripe-signature': 't=1,v1=2', 'verif-hash': 'a1', 'paypal-transmission-sig': 'b2' };
    const kept = { 'x-identity': 'forged', authorization: 'Bearer 1|x', cookie: 'a=1', 'x-client-address': '10.9.8.7' };
    const others = { 'x-forwarded-for': '10.9.8.7', tracestate: 'a=1', 'x-request-id': 'a b', 'if-match': '"1"' };
    const path = '/api/webhooks/payments/any';
    expect((await request(system.gateway.url, 'POST', path, { ...signed, ...kept, ...others })).status).toBe(200);
    const { headers } = system.wallet.received.at(-1)!;
    expect(headers).toMatchObject(signed);
    expect(headers['x-client-address']).not.toBe('10.9.8.7');
    expect(headers['x-request-id']).not.toBe('a b');
    for (const name of ['x-identity', 'authorization', 'cookie', 'x-forwarded-for', 'tracestate', 'if-match'])
      expect([name, headers[name]]).toEqual([name, undefined]);
    await request(system.gateway.url, 'GET', '/api/deposits', { 'verif-hash': 'a1' });
    expect(system.wallet.received.at(-1)!.headers).not.toHaveProperty('verif-hash');
  });

  test('relay an asset and a page unchanged', async () => {
    system.identity.respondWith((_req, res) => res.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>'));
    const asset = await system.api('GET', '/api/assets/avatar.png');
    expect([asset.text, asset.headers.get('content-type')]).toEqual(['<svg/>', 'image/svg+xml']);
    expect(asset.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    system.wallet.respondWith((_req, res) =>
      res
        .writeHead(303, {
          location: '/done',
          'content-type': 'text/html',
          'content-security-policy': "default-src 'none'",
        })
        .end('<p>'),
    );
    const page = await fetch(`${system.gateway.url}/api/checkout/1`, { redirect: 'manual' });
    expect([page.status, page.headers.get('location'), page.headers.get('content-security-policy')]).toEqual([
      303,
      '/done',
      "default-src 'none'",
    ]);
  });
});

describe('the log', () => {
  const lines: Record<string, unknown>[] = [];
  const started = async (level: string, env: Record<string, string> = {}) => {
    lines.length = 0;
    const logger = createLogger('gateway', level, { write: (line) => void lines.push(JSON.parse(line)) });
    return (await system.addGateway({ env, logger })).url;
  };
  const KEY = 'k'.repeat(32);
  /** Waits for the lines about requests, and sorts them. */
  const linesAbout = (count: number) =>
    eventually(`${count} lines`, () => {
      const about = lines.filter((line) => 'route' in line);
      const facts = about.map(({ level, route, status, refusal }) => [level, route, status, refusal].join(' '));
      return facts.length >= count && facts.sort();
    });
  /** Causes a success, a service's refusal, two refusals of the gateway, and a request that is not HTTP. */
  async function ask(url: string): Promise<string> {
    const { headers } = await request(url, 'GET', `/api/files/${KEY}?x=${KEY}`, { authorization: `Bearer ${user}` });
    system.messaging.respondWith(refused(404, 'not_found'));
    await request(url, 'GET', '/api/rooms/5/messages', { authorization: `Bearer ${user}` });
    await request(url, 'GET', '/api/rooms', { authorization: `Bearer ${user}`, expect: 'what' });
    await request(url, 'GET', `/api/nothing/${KEY}`);
    const { socket, closed } = dial(url);
    socket.write(`${KEY}\r\n\r\n`);
    await closed;
    return headers['x-request-id'] as string;
  }
  afterEach(() => {
    for (const secret of [KEY, user]) expect(JSON.stringify(lines)).not.toContain(secret);
  });

  test('has a line for each answer at debug, with the route but without path and bearer', async () => {
    const id = await ask(await started('debug'));
    expect(await linesAbout(5)).toEqual([
      'debug /api/files 200 ',
      'debug /api/rooms 404 ',
      'debug /api/rooms 417 expectation',
      'debug unknown 400 malformed',
      'debug unknown 404 route_not_found',
    ]);
    expect(lines.find(({ request_id }) => request_id === id)).toMatchObject({ method: 'GET', ms: expect.any(Number) });
  });

  test("has the gateway's own refusals at info when LOG_REFUSALS=1", async () => {
    await ask(await started('info', { LOG_REFUSALS: '1' }));
    expect(await linesAbout(3)).toEqual([
      'info /api/rooms 417 expectation',
      'info unknown 400 malformed',
      'info unknown 404 route_not_found',
    ]);
    await ask(await started('info'));
    expect(lines.filter((line) => 'route' in line)).toEqual([]);
  });
});
