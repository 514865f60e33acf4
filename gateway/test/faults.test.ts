import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { answers } from './stand-in.ts';
import { client, startSystem, type System } from './system.ts';

const LIMIT = 1024 * 1024;
const plain = (statusCode: number, message: string) => ({ success: false, statusCode, message });
const unavailable = plain(503, 'A service is unavailable. Please try again.');

let system: System;
beforeEach(async () => {
  system = await startSystem({ env: { API_RATE_LIMIT: '100000' }, timings: { breakerOpen: 100 } });
});
afterEach(() => system.stop());

/** A gateway with short time-outs, for tests that wait for them. */
const hasty = (env: Record<string, string> = {}) =>
  system.addGateway({
    env,
    timings: { upstream: 2_000, requestHeaders: 2_000, wholeRequest: 3_000, connectionsCheck: 50 },
  });

const rooms = (method = 'GET') => system.api(method, '/api/rooms');
const works = async () => (await rooms()).body.success === true;

describe('a service', () => {
  test('that answers too late causes a 504, and its request is aborted', async () => {
    let isEnded = false;
    system.messaging.respondWith((req) => void req.socket.once('close', () => (isEnded = true)));
    const answer = await client((await hasty()).url)('POST', '/api/rooms');
    expect([answer.status, answer.body]).toEqual([
      504,
      plain(504, 'A service did not answer in time. Please try again.'),
    ]);
    expect(answer.headers.get('x-status-code')).toBe('504');
    await eventually('the request to the service is aborted', () => isEnded);
  });

  test('that closes the connection without an answer causes a 502', async () => {
    system.messaging.respondWith((req) => req.socket.destroy());
    const answer = await rooms('POST');
    expect([answer.status, answer.body]).toEqual([
      502,
      plain(502, 'A service gave no valid answer. Please try again.'),
    ]);
  });

  test('whose answer is not HTTP causes a 502', async () => {
    system.messaging.respondWith((req) => req.socket.end('hello\r\n\r\n'));
    expect((await rooms('POST')).status).toBe(502);
  });

  test.each([
    ['of known length', '/api/rooms', { 'content-length': '100000' }],
    ['of unknown length', '/api/rooms', {}],
    ['on a raw route', '/api/files/x', {}],
  ])('that dies during an answer %s makes the gateway close the connection at once', async (_name, path, headers) => {
    const patient = await system.addGateway({ timings: { upstream: 600_000, download: 600_000 } });
    system.messaging.respondWith((req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', ...headers });
      res.write('["half', () => setImmediate(() => req.socket.destroy()));
    });
    const line = dial(patient.url);
    line.socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await line.closed;
    expect(line.text).toContain('["half');
    expect(line.text).not.toMatch(/\r\n0\r\n/);
    system.messaging.respondWith(answers(200, []));
    expect(await works()).toBe(true);
  });

  test('that pauses too long during an answer makes the gateway close the connection', async () => {
    system.messaging.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('["half');
    });
    await expect(request((await hasty()).url, 'GET', '/api/rooms')).rejects.toThrow('aborted');
  });

  test('that is down causes an immediate 503 until it is back, and other services are still reached', async () => {
    await system.messaging.stop();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const answer = await rooms('POST');
      expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([503, unavailable, '1']);
    }
    expect((await system.api('GET', '/api/calls')).status).toBe(200);
    await system.messaging.start();
    await eventually('the breaker closes', works);
  });

  test('whose breaker is open gets no requests', async () => {
    const patient = client((await system.addGateway({ timings: { breakerOpen: 600_000 } })).url);
    const post = () => patient('POST', '/api/rooms');
    system.messaging.respondWith((req) => req.socket.destroy());
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await post()).status).toBe(502);
    system.messaging.respondWith(answers(200, []));
    const before = system.messaging.received.length;
    const during = await Promise.all(Array.from({ length: 10 }, post));
    expect(during.map(({ status }) => status)).toEqual(during.map(() => 503));
    expect(system.messaging.received.length).toBe(before);
  });

  test('that answers again closes its breaker', async () => {
    system.messaging.respondWith((req) => req.socket.destroy());
    await eventually('the breaker is open', async () => (await rooms('POST')).status === 503);
    system.messaging.respondWith(answers(200, []));
    await eventually('the breaker closes', works);
  });

  test('that refuses requests does not open its breaker', async () => {
    system.messaging.respondWith(answers(500, { code: 'internal', message: 'x' }));
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await rooms()).status).toBe(500);
    expect(system.messaging.received).toHaveLength(20);
  });

  test('that closes an idle connection gets a GET again, but not a POST', async () => {
    await rooms();
    for (const [method, status, received] of [
      ['GET', 200, 2],
      ['POST', 502, 1],
    ] as const) {
      system.messaging.received.length = 0;
      system.messaging.respondWith((req, res, each) => {
        if (system.messaging.received.length === 1) req.socket.destroy();
        else answers(200, [])(req, res, each);
      });
      expect((await rooms(method)).status).toBe(status);
      expect(system.messaging.received).toHaveLength(received);
      system.messaging.respondWith(answers(200, []));
      await rooms();
    }
  });
});

describe('a body', () => {
  test('of 1 MiB is forwarded, with and without an announced length', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(LIMIT - 11) });
    expect(body.length).toBe(LIMIT);
    const headers = { 'content-type': 'application/json' };
    for (const more of [{ 'content-length': String(LIMIT) }, { 'transfer-encoding': 'chunked' }]) {
      const answer = await request(system.gateway.url, 'POST', '/api/rooms', { ...headers, ...more }, body);
      expect(answer.status).toBe(200);
      expect(system.messaging.received.at(-1)?.body).toBe(body);
    }
  });

  test.each([
    ['announced', { 'content-length': String(LIMIT + 1) }],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ])('over 1 MiB (%s) is refused with a 413 and reaches no service', async (_name, headers) => {
    const answer = await request(system.gateway.url, 'POST', '/api/rooms', headers, 'x'.repeat(LIMIT + 1));
    expect([answer.status, JSON.parse(answer.body)]).toEqual([413, plain(413, 'The request body is too large.')]);
    expect(answer.headers['x-status-code']).toBe('413');
    expect(system.messaging.received).toEqual([]);
    expect(await works()).toBe(true);
  });

  test('without an end is refused with a 413, and the connection is closed', async () => {
    const line = dial(system.gateway.url);
    line.socket.write('POST /api/rooms HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    line.drip(piece, 1);
    await line.closed;
    expect(line.text).toContain('413 Payload Too Large');
  });

  test('that is compressed is refused with a 415', async () => {
    const answer = await request(system.gateway.url, 'POST', '/api/rooms', { 'content-encoding': 'gzip' }, 'x');
    expect([answer.status, JSON.parse(answer.body).statusCode]).toEqual([415, 415]);
  });

  test.each(['Identity', 'IDENTITY', ' identity ', 'identity, identity'])(
    'with the encoding %j is forwarded',
    async (encoding) => {
      const answer = await request(system.gateway.url, 'POST', '/api/rooms', { 'content-encoding': encoding }, '{}');
      expect([answer.status, system.messaging.received.at(-1)?.body]).toEqual([200, '{}']);
    },
  );

  test('is not added to a POST without a body', async () => {
    const line = dial(system.gateway.url);
    line.socket.write('POST /api/rooms HTTP/1.1\r\nhost: x\r\n\r\n');
    await eventually('the answer', () => line.text.includes('"success":true'));
    line.socket.destroy();
    const { headers, body } = system.messaging.received.at(-1)!;
    expect([headers['content-length'], headers['transfer-encoding'], body]).toEqual(['0', undefined, '']);
  });
});

describe('a malicious client', () => {
  const hidden = 'GET /internal/secret HTTP/1.1\r\nhost: x\r\n\r\n';

  test.each(['DELETE', 'GET', 'POST', 'PUT'])(
    'that hides a request in a chunked %s gets it treated as a body',
    async (method) => {
      const body = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
      const line = dial(system.gateway.url);
      line.socket.write(`${method} /api/rooms HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${body}`);
      await eventually('the answer', () => line.text.includes('"success":true'));
      await Promise.all([works(), works(), works()]);
      line.socket.destroy();
      expect(system.messaging.received.map(({ path }) => path)).toEqual(Array(4).fill('/api/rooms'));
      expect(system.messaging.received[0]?.body).toBe(hidden);
    },
  );

  test.each([
    ['two lengths', 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two different lengths', 'content-length: 5\r\ncontent-length: 6\r\n\r\nhello'],
    ['an unknown transfer-encoding', 'transfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a bare line feed', 'x: y\ncontent-length: 0\r\n\r\n'],
    ['text that is not HTTP', ''],
  ])('that sends %s gets a 400 of the gateway', async (name, rest) => {
    const line = dial(system.gateway.url);
    line.socket.write(
      name === 'text that is not HTTP' ? 'hello\r\n\r\n' : `POST /api/rooms HTTP/1.1\r\nhost: x\r\n${rest}`,
    );
    await line.closed;
    const [head = '', body = ''] = line.text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(head).toMatch(/X-Status-Code: 400/);
    expect(JSON.parse(body)).toEqual(plain(400, 'The request could not be understood.'));
    expect(system.messaging.received).toEqual([]);
  });

  test.each([
    ['headers', 'POST /api/rooms HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n'],
    ['a body', 'POST /api/rooms HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n', 'x'],
  ])('that sends %s byte by byte gets a 408, and the connection is closed', async (_name, start, drop) => {
    const line = dial((await hasty()).url);
    line.socket.write(start);
    line.drip(drop, 50);
    await line.closed;
    expect(line.text).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(system.messaging.received).toEqual([]);
    expect(await works()).toBe(true);
  });

  test('that sends headers over 16 KiB gets a 431', async () => {
    const answer = await request(system.gateway.url, 'GET', '/api/rooms', { 'x-long': 'x'.repeat(17_000) });
    expect([answer.status, JSON.parse(answer.body).statusCode]).toEqual([431, 431]);
  });
});

test('the request to the service is aborted when the client disconnects', async () => {
  let isEnded = false;
  system.messaging.respondWith((req) => void req.socket.once('close', () => (isEnded = true)));
  // The service's own time-out would end the request too.
  const { hostname, port } = new URL((await system.addGateway({ timings: { upstream: 600_000 } })).url);
  const left = httpRequest({ hostname, port, path: '/api/rooms', agent: false });
  left.on('error', () => undefined);
  left.end();
  await eventually('the service has it', () => system.messaging.received.length === 1);
  left.destroy();
  await eventually('the request to the service is aborted', () => isEnded);
  system.messaging.respondWith(answers(200, []));
  expect(await works()).toBe(true);
});

test('a gateway that stops answers its requests in flight and asks clients to disconnect', async () => {
  const arrived = Promise.withResolvers<() => void>();
  system.messaging.respondWith((req, res, received) => arrived.resolve(() => answers(200, [])(req, res, received)));
  const answer = rooms('POST');
  const release = await arrived.promise;
  const stopped = system.gateway.stop();
  release();
  expect((await answer).body).toEqual({ success: true, statusCode: 200, data: [] });
  await stopped;
  await expect(rooms()).rejects.toThrow('fetch failed');
});

test('a request line with an absolute URL is served like its path, whatever its host', async () => {
  const answer = await request(system.gateway.url, 'GET', 'http://elsewhere.test/api/rooms?limit=1');
  expect([answer.status, system.messaging.received.at(-1)?.path]).toEqual([200, '/api/rooms?limit=1']);
  expect((await request(system.gateway.url, 'GET', 'http://elsewhere.test/internal/users/1')).status).toBe(404);
});

test('the Allow header of a service that refuses a method is relayed', async () => {
  system.messaging.respondWith(answers(405, { code: 'method_not_allowed', message: 'x' }, { allow: 'GET, POST' }));
  expect((await system.api('PUT', '/api/rooms')).headers.get('allow')).toBe('GET, POST');
});
