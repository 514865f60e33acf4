import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
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

test('those whose client never closes are closed one second after their time-out', async () => {
  const narrow = await system.addGateway({
    env: { MAX_CONNECTIONS: '1' },
    timings: { requestHeaders: 300, connectionsCheck: 50 },
  });
  const { hostname, port } = new URL(narrow.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await new Promise((resolve) => socket.resume().once('end', resolve));
  // The one place is free again, although this side is still open.
  const works = () =>
    request(narrow.url, 'GET', '/api/rooms').then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually('another is served', works);
  socket.destroy();
});

describe('of one network', () => {
  const agents: Agent[] = [];
  afterEach(() => agents.splice(0).forEach((agent) => agent.destroy()));
  /** Requests at once, each on a connection of its own; then how many of the client's connections are open. */
  function client(count: number) {
    const agent = new Agent({ keepAlive: true, maxFreeSockets: Infinity });
    agents.push(agent);
    const openNow = () => Object.values(agent.freeSockets).flat().length;
    const round = (method = 'GET') =>
      Promise.all(
        Array.from({ length: count }, () => {
          const { promise, resolve, reject } = Promise.withResolvers<number>();
          const { hostname, port } = new URL(system.gateway.url);
          const body = method === 'POST' ? '{}' : undefined;
          httpRequest({ hostname, port, method, path: '/api/rooms', agent }, (answer) => {
            answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
          })
            .once('error', reject)
            .end(body);
          return promise;
        }),
      );
    return { round, openNow };
  }

  test.each(['GET', 'POST'])('300 at once are used again and again, and 64 stay open: %s', async (method) => {
    system.messaging.does(answers(200, []));
    const { round, openNow } = client(300);
    for (let n = 0; n < 4; n += 1) expect(await round(method)).toEqual(Array(300).fill(200));
    await eventually('the others are closed', () => openNow() <= 64);
    expect(openNow()).toBe(64);
  });

  test('none that has yet to send its request is closed before its time-out', async () => {
    const lines = Array.from({ length: 70 }, () => dial(system.gateway.url));
    for (const { socket } of lines) socket.write('GET /api/rooms HTTP/1.1\r\nhost: x\r\n');
    expect((await request(system.gateway.url, 'GET', '/api/rooms')).status).toBe(200);
    for (const { socket } of lines) socket.write('\r\n');
    await eventually('all are answered', () => lines.every(({ text }) => text.startsWith('HTTP/1.1 200 ')));
    expect(lines.filter(({ text }) => text.includes('Connection: close'))).toHaveLength(6);
    for (const { socket } of lines) socket.destroy();
  });
});

test('no more than MAX_CONNECTIONS are open', async () => {
  const small = await system.addGateway({ env: { MAX_CONNECTIONS: '2' } });
  const lines = Array.from({ length: 3 }, () => dial(small.url));
  await Promise.any(lines.map(({ closed }) => closed));
  expect(lines.map(({ text }) => text)).toEqual(['', '', '']);
  for (const { socket } of lines) socket.destroy();
});

describe('with requests ahead of their answers', () => {
  const rooms = 'GET /api/rooms HTTP/1.1\r\nhost: x\r\n\r\n';
  /** Requests that the service has, and those of them whose connection is still open. */
  function heldRequests() {
    const open = new Set<unknown>();
    let count = 0;
    system.messaging.doesAtOnce((req) => {
      count += 1;
      open.add(req);
      req.socket.once('close', () => open.delete(req));
    });
    return { open, count: () => count };
  }

  test('eight are answered, in their order', async () => {
    system.messaging.does((req, res, received) => answers(200, req.url)(req, res, received));
    const line = dial(system.gateway.url);
    line.socket.write(Array.from({ length: 8 }, (_, n) => rooms.replace('rooms', `rooms?n=${n}`)).join(''));
    await eventually('all are answered', () => line.text.match(/n=\d/g)?.length === 8);
    expect(line.text.match(/n=\d/g)).toEqual(Array.from({ length: 8 }, (_, n) => `n=${n}`));
    line.socket.destroy();
  });

  test.each(['/api/rooms', '/api/files/abc', '/api/docs/swagger-ui-bundle.js', '/api/openapi.json', '/api/nothing'])(
    '%s: nine close it',
    async (path) => {
      const { open } = heldRequests();
      const line = dial(system.gateway.url);
      line.socket.pause();
      line.socket.write(rooms + rooms.replace('/api/rooms', path).repeat(8));
      line.socket.resume();
      await line.closed;
      expect(line.text).toBe('');
      await eventually('nothing goes on', () => open.size === 0);
    },
  );

  test('a client that leaves takes all of them along', async () => {
    const { open, count } = heldRequests();
    const line = dial(system.gateway.url);
    line.socket.write(rooms.repeat(8));
    await eventually('the service has them', () => count() === 8);
    line.socket.destroy();
    await eventually('nothing goes on', () => open.size === 0);
  });

  test('so does one that asks for an event stream meanwhile', async () => {
    const { open, count } = heldRequests();
    const line = dial(system.gateway.url);
    line.socket.write(rooms.repeat(4));
    await eventually('the service has them', () => count() === 4);
    const token = system.login(student(1));
    line.socket.write(`GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
    await line.closed;
    await eventually('nothing goes on', () => open.size === 0);
  });

  test('one that waits for a service in vain takes those behind it along', async () => {
    const { open } = heldRequests();
    const hasty = await system.addGateway({ timings: { upstream: 600_000, download: 200 } });
    const line = dial(hasty.url);
    const file = rooms.replace('/api/rooms', '/api/files/abc');
    system.messaging.doesAtOnce((req, res) => {
      open.add(req);
      req.socket.once('close', () => open.delete(req));
      if (req.url !== '/api/rooms')
        res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '8' }).write('half');
    });
    line.socket.write(rooms + file);
    await line.closed;
    await eventually('nothing goes on', () => open.size === 0);
  });
});

test('one whose client does not read its answer is closed', async () => {
  const narrow = await system.addGateway({ timings: { silence: 300 } });
  const line = dial(narrow.url);
  line.socket.pause();
  let closed = 0;
  const stopWatching = watchRequests('/api/docs/swagger-ui-bundle.js', ({ response }) => {
    response.once('close', () => (closed += 1));
  });
  line.socket.write('GET /api/docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8));
  await eventually('all are given up', () => closed === 8);
  stopWatching();
  line.socket.destroy();
});
