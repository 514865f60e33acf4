import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { infra } from '@tutoring/shared/testing/infra';
import { watchRequests } from '@tutoring/shared/testing/responses';
import { eventually } from '@tutoring/shared/testing/wait';
import { listen, type Listening } from './listener.ts';
import { dial } from './raw.ts';
import { connectRelay, type Relay } from './relay.ts';
import { answers } from './stand-in.ts';
import { startSystem, student, type System } from './system.ts';

/* The socket of an event stream is detached from Node's HTTP server. */

let system: System;
let relay: Relay;
const open: Listening[] = [];
beforeAll(async () => {
  system = await startSystem({ timings: { streamHeartbeat: 200 } });
  relay = await connectRelay(infra().natsUrl, system.prefix);
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.hangUp();
});
afterAll(async () => {
  await relay.close();
  await system.stop();
});

const streamRequest = (token: string, more = '') =>
  `GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${more}\r\n`;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('an open stream keeps neither its request nor its response in memory', async () => {
  const made: WeakRef<object>[] = [];
  const stopWatching = watchRequests('/api/events', ({ request, response }) => {
    made.push(new WeakRef(request), new WeakRef(response));
  });
  for (let id = 1; id <= 40; id += 1) {
    const listener = await listen(system.gateway.url, system.login(student(id)));
    open.push(listener);
    await eventually('the stream has begun', () => listener.comments > 0);
  }
  stopWatching();
  expect(made.length).toBeGreaterThanOrEqual(80);
  await eventually('most of them are collected', () => {
    collectGarbage();
    return made.filter((ref) => ref.deref() !== undefined).length < 20;
  });
  expect(open.some(({ isClosed }) => isClosed)).toBe(false);
});

test('a stream is a valid chunked body, with a last chunk when its token is revoked', async () => {
  const line = dial(system.gateway.url);
  line.socket.write(streamRequest(system.login(student(50))));
  await eventually('the stream has begun', () => line.text.includes(': connected'));
  await relay.publish(50, { text: 'שלום' });
  await eventually('the event has arrived', () => line.text.includes('message.created'));
  relay.bus.connection.publish(
    relay.bus.subject('hints.tokens.revoked'),
    JSON.stringify({ subject: 'user:50', token_ids: [] }),
  );
  await line.closed;
  const [head = '', body = ''] = line.text.split(/\r\n\r\n(.*)/s);
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toMatch(/\r\nTransfer-Encoding: chunked/i);
  let rest = Buffer.from(body);
  for (let size = NaN; size !== 0;) {
    const end = rest.indexOf('\r\n');
    size = Number.parseInt(rest.subarray(0, end).toString(), 16);
    rest = rest.subarray(end + 2 + size);
    expect(rest.subarray(0, 2).toString()).toBe('\r\n');
    rest = rest.subarray(2);
  }
  expect(rest).toHaveLength(0);
});

test('a stream that is refused is answered as usual, and its connection is closed', async () => {
  const line = dial(system.gateway.url);
  line.socket.write(streamRequest('nonsense'));
  await line.closed;
  expect(line.text).toMatch(/^HTTP\/1\.1 401 .*"message":"Unauthenticated\."\}$/s);
});

test('a stream can be requested with a body', async () => {
  const line = dial(system.gateway.url);
  line.socket.write(`${streamRequest(system.login(student(51)), 'content-length: 2\r\n')}{}`);
  await eventually('the stream has begun', () => line.text.includes(': connected'));
  line.socket.destroy();
});

test('only the client that pipelines a request for a stream loses its connection', async () => {
  const held = Promise.withResolvers<void>();
  system.messaging.respondWith(
    (req, res, received) => void held.promise.then(() => answers(200, [])(req, res, received)),
  );
  const listener = await listen(system.gateway.url, system.login(student(52)));
  open.push(listener);
  const line = dial(system.gateway.url);
  line.socket.write(`GET /api/rooms HTTP/1.1\r\nhost: x\r\n\r\n${streamRequest(system.login(student(53)))}`);
  await line.closed;
  held.resolve();
  const { comments } = listener;
  await eventually('the other stream still gets comments', () => listener.comments > comments);
  system.messaging.respondWith(answers(200, []));
  expect((await system.api('GET', '/api/rooms')).status).toBe(200);
});
