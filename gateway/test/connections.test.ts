import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { watchRequests } from '@tutoring/shared/testing/responses';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { answers } from './stand-in.ts';
import { startSystem, student, type System } from './system.ts';

let system: System;
beforeEach(async () => {
  system = await startSystem({ timings: { upstream: 600_000 }, env: { API_RATE_LIMIT: '100000' } });
});
afterEach(() => system.stop());

test('a connection that its client never closes is closed one second after its time-out', async () => {
  const narrow = await system.addGateway({
    env: { MAX_CONNECTIONS: '1' },
    timings: { requestHeaders: 300, connectionsCheck: 50 },
  });
  const { hostname, port } = new URL(narrow.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await new Promise((resolve) => socket.resume().once('end', resolve));
  // The only connection is available again, although this side is still open.
  const works = () =>
    request(narrow.url, 'GET', '/api/rooms').then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually('another client is served', works);
  socket.destroy();
});

test('Keep-Alive asks clients to leave idle connections before a stopping gateway closes them', async () => {
  const { headers } = await request(system.gateway.url, 'GET', '/api/rooms', { connection: 'keep-alive' });
  expect(headers['keep-alive']).toBe('timeout=3');
});

describe('an idle connection', () => {
  /** An idle connection whose request has been answered. */
  async function answeredConnection(env: Record<string, string>) {
    const gateway = await system.addGateway({ env, timings: { silence: 300, connectionsCheck: 50 } });
    const since = performance.now();
    const line = dial(gateway.url);
    line.socket.write('GET /api/nothing HTTP/1.1\r\nhost: x\r\n\r\n');
    await eventually('the request is answered', () => line.text.endsWith('}'));
    return { line, since };
  }

  test('is closed after KEEP_ALIVE_SECONDS, which Keep-Alive announces when it is less than three', async () => {
    const { line, since } = await answeredConnection({ KEEP_ALIVE_SECONDS: '2' });
    await line.closed;
    expect(performance.now() - since).toBeGreaterThan(1_500);
    expect(line.text).toMatch(/\r\nKeep-Alive: timeout=2\r\n/);
  });

  test('is not closed when its next request has reached the system but not the process', async () => {
    const { line } = await answeredConnection({ KEEP_ALIVE_SECONDS: '1' });
    line.socket.write('GET /api/nothing HTTP/1.1\r\nhost: x\r\n\r\n');
    // The process is blocked until the time-out has passed: the request waits in the kernel.
    for (const until = performance.now() + 1_500; performance.now() < until;);
    await eventually('the request is answered', () => line.text.match(/HTTP\/1.1 404/g)?.length === 2);
    line.socket.destroy();
  });
});

describe('a connection whose request is answered before the end of its body is soon closed', () => {
  const uuid = '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11';
  const preflight = 'origin: https://app.test\r\naccess-control-request-method: GET\r\n';
  test.each([
    ['GET /livez', 'GET /livez', ''],
    ['HEAD /livez', 'HEAD /livez', ''],
    ['GET /readyz', 'GET /readyz', ''],
    ['a preflight', 'OPTIONS /api/rooms', preflight],
    ['an unknown route', 'POST /api/nothing', ''],
    ['an unknown method', 'PATCH /api/rooms', ''],
    ['an unsupported encoding', 'POST /api/rooms', 'content-encoding: gzip\r\n'],
    ['the API reference', 'GET /api/docs', ''],
    ['a page of the dashboard', 'GET /admin', ''],
    ['an upload with an unknown method', `PATCH /api/rooms/${uuid}/files`, ''],
    ['an upload with an unsupported encoding', `POST /api/rooms/${uuid}/files`, 'content-encoding: gzip\r\n'],
  ])('%s', async (_what, line, headers) => {
    const hasty = await system.addGateway({ timings: { wholeRequest: 300 } });
    const { socket, closed } = dial(hasty.url);
    socket.write(`${line} HTTP/1.1\r\nhost: x\r\n${headers}content-length: 1000\r\n\r\n`);
    const dripping = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(dripping);
  });
});

test('a connection that sends only empty lines is closed like one that sends nothing', async () => {
  const hasty = await system.addGateway({ timings: { requestHeaders: 300, connectionsCheck: 50 } });
  for (const start of ['', 'GET /api/rooms HTTP/1.1\r\nhost: x\r\n\r\n']) {
    const line = dial(hasty.url);
    line.socket.write(start);
    const dripping = setInterval(() => line.socket.write('\r\n'), 50);
    await line.closed;
    clearInterval(dripping);
  }
});

test('a client that reads an answer too slowly is disconnected, and others are still served', async () => {
  const hasty = await system.addGateway({ timings: { download: 1_000, connectionsCheck: 50 } });
  system.messaging.respondWith((_req, res) => {
    res.writeHead(200, { 'content-type': 'video/mp4' });
    res.end(Buffer.alloc(25_000_000));
  });
  const slow = dial(hasty.url);
  const read = (bytes: number) => setInterval(() => void slow.socket.read(bytes), 100);
  slow.socket.removeAllListeners('data').pause();
  slow.socket.write('GET /api/files/x HTTP/1.1\r\nhost: x\r\n\r\n');
  let isGivenUp = false;
  const stopWatching = watchRequests('/api/files/x', ({ response }) => {
    response.once('close', () => (isGivenUp = true));
  });
  const reading = read(100);
  await eventually('the slow client is disconnected', () => isGivenUp);
  clearInterval(reading);
  stopWatching();
  slow.socket.destroy();
  const { status, body } = await request(hasty.url, 'GET', '/api/files/x');
  expect([status, body.length]).toEqual([200, 25_000_000]);
});

describe('the connections of a client network', () => {
  test('are at most half of the connections that other networks leave', async () => {
    const small = await system.addGateway({ env: { MAX_CONNECTIONS: '8' } });
    const dialFrom = (localAddress: string, count: number) =>
      Array.from({ length: count }, () => {
        const { hostname, port } = new URL(small.url);
        return connect({ host: hostname, port: Number(port), localAddress }).on('error', () => undefined);
      });
    const open = (sockets: Socket[]) => sockets.filter(({ closed }) => !closed).length;
    const first = dialFrom('127.0.0.1', 6);
    await eventually('two of six are closed', () => open(first) === 4);
    const second = dialFrom('127.0.7.1', 4);
    await eventually('two of four are closed', () => open(second) === 2);
    expect(open(first)).toBe(4);
    for (const socket of [...first, ...second]) socket.destroy();
  });

  test('may include more event streams than that', async () => {
    const small = await system.addGateway({ env: { MAX_CONNECTIONS: '8' } });
    for (let n = 0; n < 7; n += 1) {
      const line = dial(small.url);
      line.socket.write(
        `GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${system.login(student(n))}\r\n\r\n`,
      );
      await eventually('the stream has begun', () => line.text.startsWith('HTTP/1.1 200'));
    }
    expect((await request(small.url, 'GET', '/api/rooms')).status).toBe(200);
  });

  test.each(['GET', 'POST'])('are reused by 300 concurrent requests: %s', async (method) => {
    system.messaging.respondWith(answers(200, []));
    const patient = await system.addGateway({ timings: { crowdedIdle: 600_000 } });
    const agent = new Agent({ keepAlive: true, maxFreeSockets: Infinity });
    const used = new Set<Socket>();
    const { hostname, port } = new URL(patient.url);
    const one = async () => {
      const asked = httpRequest({ hostname, port, method, path: '/api/rooms', agent });
      asked.once('socket', (socket) => used.add(socket)).end(method === 'POST' ? '{}' : undefined);
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      await once(answer.resume(), 'end');
      return answer.statusCode;
    };
    for (let n = 0; n < 4; n += 1)
      expect(await Promise.all(Array.from({ length: 300 }, one))).toEqual(Array(300).fill(200));
    expect(used.size).toBe(300);
    agent.destroy();
  });

  test('are closed beyond 64 idle ones, the longest idle first', async () => {
    const timings = { crowdedIdle: 300, connectionsCheck: 50, requestHeaders: 600_000, wholeRequest: 600_000 };
    const hasty = await system.addGateway({ timings });
    const lines = Array.from({ length: 70 }, () => dial(hasty.url));
    const ask = async (line: (typeof lines)[number], count = 1) => {
      line.socket.write('GET /api/nothing HTTP/1.1\r\nhost: x\r\n\r\n');
      await eventually('the request is answered', () => line.text.match(/HTTP\/1/g)?.length === count);
    };
    const [begun = dial(hasty.url), ...others] = lines;
    await ask(begun);
    begun.socket.write('GET /api/rooms HTTP/1.1\r\n');
    for (const line of others) await ask(line);
    await eventually('six are closed', () => lines.filter(({ socket }) => socket.closed).length === 6);
    expect(others.slice(0, 6).every(({ socket }) => socket.closed)).toBe(true);
    for (const line of others.slice(6)) await ask(line, 2);
    begun.socket.write('host: x\r\n\r\n');
    await eventually('the request is answered', () => begun.text.includes('HTTP/1.1 200'));
    for (const { socket } of lines) socket.destroy();
  });

  test('are not closed before their time-out while they are sending their first request', async () => {
    const lines = Array.from({ length: 70 }, () => dial(system.gateway.url));
    for (const { socket } of lines) socket.write('GET /api/rooms HTTP/1.1\r\nhost: x\r\n');
    expect((await request(system.gateway.url, 'GET', '/api/rooms')).status).toBe(200);
    for (const { socket } of lines) socket.write('\r\n');
    await eventually('all are answered', () => lines.every(({ text }) => text.startsWith('HTTP/1.1 200 ')));
    expect(lines.filter(({ text }) => /connection: close/i.test(text))).toEqual([]);
    for (const { socket } of lines) socket.destroy();
  });
});

test('at most MAX_CONNECTIONS connections are open', async () => {
  const small = await system.addGateway({ env: { MAX_CONNECTIONS: '2' } });
  const lines = Array.from({ length: 3 }, () => dial(small.url));
  await Promise.any(lines.map(({ closed }) => closed));
  expect(lines.map(({ text }) => text)).toEqual(['', '', '']);
  for (const { socket } of lines) socket.destroy();
});

describe('pipelined requests', () => {
  const rooms = 'GET /api/rooms HTTP/1.1\r\nhost: x\r\n\r\n';
  /** The number of requests that the service has received, and those whose connection is still open. */
  function heldRequests() {
    const open = new Set<unknown>();
    let count = 0;
    system.messaging.handleRequests((req) => {
      count += 1;
      open.add(req);
      req.socket.once('close', () => open.delete(req));
    });
    return { open, count: () => count };
  }

  test('are answered in order, up to eight of them', async () => {
    system.messaging.respondWith((req, res, received) => answers(200, req.url)(req, res, received));
    const line = dial(system.gateway.url);
    line.socket.write(Array.from({ length: 8 }, (_, n) => rooms.replace('rooms', `rooms?n=${n}`)).join(''));
    await eventually('all are answered', () => line.text.match(/n=\d/g)?.length === 8);
    expect(line.text.match(/n=\d/g)).toEqual(Array.from({ length: 8 }, (_, n) => `n=${n}`));
    line.socket.destroy();
  });

  test.each(['/api/rooms', '/api/files/abc', '/api/docs/swagger-ui-bundle.js', '/api/openapi.json', '/api/nothing'])(
    'close the connection when there are nine: %s',
    async (path) => {
      const { open } = heldRequests();
      const line = dial(system.gateway.url);
      line.socket.pause();
      line.socket.write(rooms + rooms.replace('/api/rooms', path).repeat(8));
      line.socket.resume();
      await line.closed;
      expect(line.text).toBe('');
      await eventually('every request to the service is aborted', () => open.size === 0);
    },
  );

  test('are all aborted when their client disconnects', async () => {
    const { open, count } = heldRequests();
    const line = dial(system.gateway.url);
    line.socket.write((rooms + rooms.replace('GET', 'POST')).repeat(4));
    await eventually('the service has them', () => count() === 8);
    line.socket.destroy();
    await eventually('every request to the service is aborted', () => open.size === 0);
  });

  test('are all aborted when their client also requests an event stream', async () => {
    const { open, count } = heldRequests();
    const line = dial(system.gateway.url);
    line.socket.write(rooms.repeat(4));
    await eventually('the service has them', () => count() === 4);
    const token = system.login(student(1));
    line.socket.write(`GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
    await line.closed;
    await eventually('every request to the service is aborted', () => open.size === 0);
  });

  test('are all aborted when one of them times out waiting for its service', async () => {
    const { open } = heldRequests();
    const hasty = await system.addGateway({ timings: { upstream: 600_000, download: 200 } });
    const line = dial(hasty.url);
    const file = rooms.replace('/api/rooms', '/api/files/abc');
    system.messaging.handleRequests((req, res) => {
      open.add(req);
      req.socket.once('close', () => open.delete(req));
      if (req.url !== '/api/rooms')
        res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '8' }).write('half');
    });
    line.socket.write(rooms + file);
    await line.closed;
    await eventually('every request to the service is aborted', () => open.size === 0);
  });
});

test('a connection whose client does not read its answer is closed', async () => {
  const narrow = await system.addGateway({ timings: { silence: 300 } });
  const line = dial(narrow.url);
  line.socket.pause();
  let closed = 0;
  const stopWatching = watchRequests('/api/docs/swagger-ui-bundle.js', ({ response }) => {
    response.once('close', () => (closed += 1));
  });
  line.socket.write('GET /api/docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8));
  await eventually('all answers are aborted', () => closed === 8);
  stopWatching();
  line.socket.destroy();
});
