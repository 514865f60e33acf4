import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import { infra } from '@tutoring/shared/testing/infra';
import { watchRequests } from '@tutoring/shared/testing/responses';
import { eventually } from '@tutoring/shared/testing/wait';
import { listen } from './listener.ts';
import { dial } from './raw.ts';
import { connectRelay, type Relay } from './relay.ts';
import { startSystem, student, type System } from './system.ts';

/* The end of an event stream, whatever its client does. */

let system: System;
let relay: Relay;
beforeAll(async () => {
  system = await startSystem();
  relay = await connectRelay(infra().natsUrl, system.prefix);
});
afterAll(async () => {
  await relay.close();
  await system.stop();
});

interface Line {
  version?: string;
  more?: string;
  host?: string;
  at?: System;
}

/** A client's connection with an open stream, and the gateway's end of it. */
async function open(id: number, { version = '1.1', more = '', host = 'host: x\r\n', at = system }: Line = {}) {
  const sockets: Socket[] = [];
  const stopWatching = watchRequests('/api/events', ({ request }) => void sockets.push(request.socket));
  const line = dial(at.gateway.url);
  const token = at.login(student(id));
  line.socket.write(`GET /api/events HTTP/${version}\r\n${host}authorization: Bearer ${token}\r\n${more}\r\n`);
  await eventually('the stream has begun', () => line.text.includes(': connected'));
  stopWatching();
  return { ...line, text: () => line.text, far: sockets[0]! };
}

/** A stream whose client has stopped reading, with unread bytes in the gateway. */
async function stuck(id: number, options: Line & { by?: Relay } = {}) {
  const { by = relay, ...line } = options;
  const opened = await open(id, line);
  opened.socket.pause();
  const { far } = opened;
  while (far.writableLength === 0) {
    const { bytesWritten } = far;
    await by.publish(id, { text: 'x'.repeat(200_000) });
    await eventually('the event is written', () => far.bytesWritten > bytesWritten);
  }
  expect(far.destroyed).toBe(false);
  return opened;
}

const revoke = (id: number) =>
  relay.bus.connection.publish(
    relay.bus.subject('hints.tokens.revoked'),
    JSON.stringify({ subject: `user:${id}`, token_ids: [] }),
  );

const WITH_BODY = { more: 'content-length: 0\r\n' };

/** Less than the 20 s after which such a client would be disconnected in any case. */
const SOON_MS = 15_000;

describe('a client that does not read is disconnected', () => {
  test.each([
    ['a plain request', 60, {}],
    ['a request with a body', 61, WITH_BODY],
  ])('soon after its token is revoked: %s', async (_name, id, options) => {
    const { far, socket } = await stuck(id, options);
    revoke(id);
    await eventually('the connection is closed', () => far.destroyed, SOON_MS);
    socket.destroy();
  });

  test('soon after it has opened too many streams', async () => {
    const { far, socket } = await stuck(62);
    const others = [];
    for (let count = 0; count < 5; count += 1) others.push(await open(62));
    await eventually('the connection is closed', () => far.destroyed, SOON_MS);
    for (const other of others) expect(other.far.destroyed).toBe(false);
    for (const other of [{ socket }, ...others]) other.socket.destroy();
  });

  test('soon after it has closed its sending side', async () => {
    const { far, socket } = await stuck(63);
    socket.end();
    await eventually('the connection is closed', () => far.destroyed, SOON_MS);
    socket.destroy();
  });

  test('when it has read nothing between two heartbeats', async () => {
    const own = await startSystem({ timings: { streamHeartbeat: 2_000 } });
    const by = await connectRelay(infra().natsUrl, own.prefix);
    const { far, socket } = await stuck(64, { at: own, by });
    const slow = await open(65, { at: own });
    await eventually('the connection is closed', () => far.destroyed, SOON_MS);
    expect(slow.far.destroyed).toBe(false);
    for (const line of [socket, slow.socket]) line.destroy();
    await by.close();
    await own.stop();
  });
});

test('a reader that falls behind is disconnected, and no event is missing when it resumes', async () => {
  const token = system.login(student(66));
  const sockets: Socket[] = [];
  const stopWatching = watchRequests('/api/events', ({ request }) => void sockets.push(request.socket));
  const listener = await listen(system.gateway.url, token);
  await eventually('the stream has begun', () => listener.comments > 0);
  stopWatching();
  listener.pause();
  const text = 'x'.repeat(50_000);
  const all = Array.from({ length: 400 }, (_, n) => n);
  let mostUnread = 0;
  for (const n of all) {
    await relay.publish(66, { n, text });
    mostUnread = Math.max(mostUnread, sockets[0]!.writableLength);
  }
  // The limit, and the event that exceeds it: no more is kept for a reader that falls behind.
  expect(mostUnread).toBeLessThan(256 * 1024 + 2 * text.length);
  listener.resume();
  await eventually('the stream is closed', () => listener.isClosed);
  expect(listener.events.length).toBeLessThan(all.length);
  const again = await listen(system.gateway.url, token, { lastEventId: listener.lastEventId! });
  await again.until(all.length - listener.events.length);
  const received = [...listener.events, ...again.events].map(({ data }) => (data as { n: number }).n);
  expect(received).toEqual(all);
  again.hangUp();
});

test('a sixth stream ends the oldest, whose client is asked to reconnect in a minute', async () => {
  const lines = [];
  for (let count = 0; count < 6; count += 1) lines.push(await open(70));
  await lines[0]!.closed;
  expect(lines[0]!.text()).toMatch(/\r\nretry: 60000\n\n\r\n0\r\n\r\n$/);
  for (const { far, socket } of lines.slice(1)) {
    expect(far.destroyed).toBe(false);
    socket.destroy();
  }
});

test('a client that resumes a stream receives the reconnection delay again', async () => {
  const first = await open(71);
  const id = /^id: (.*)$/m.exec(first.text())![1]!;
  first.socket.destroy();
  const again = await open(71, { more: `last-event-id: ${id}\r\n` });
  expect(again.text()).toContain('retry: 2000\n\n');
  again.socket.destroy();
});

test.each([
  ['without a Host header', 80, { host: '' }],
  ['that asks for keep-alive', 81, { more: 'connection: keep-alive\r\n' }],
  ['that asks to close the connection, like nginx', 82, { more: 'connection: close\r\n' }],
])(
  'an HTTP/1.0 client %s gets the stream without chunked encoding, up to the end of the connection',
  async (_name, id, options) => {
    const { closed, text } = await open(id, { version: '1.0', ...options });
    await relay.publish(id, { n: 1 });
    await eventually('the event has arrived', () => text().includes('"n":1'));
    revoke(id);
    await closed;
    const [head = '', body = ''] = text().split(/\r\n\r\n(.*)/s);
    expect(head).not.toMatch(/transfer-encoding/i);
    expect(head).toMatch(/\r\nconnection: close/i);
    expect(body).toMatch(
      /^: connected\nid: \S+\nretry: 2000\n\nid: \S+\nevent: message\.created\ndata: \{"n":1\}\n\n$/,
    );
  },
);

test('a stream whose token is revoked while the stream is being opened is closed', async () => {
  const own = await startSystem({ timings: { streamCheck: 600_000 } });
  const by = await connectRelay(infra().natsUrl, own.prefix);
  const { lastEventId = '' } = await listen(own.gateway.url, own.login(student(1)));
  const lines = [];
  for (let id = 100; id < 160; id += 1) {
    const token = own.login(student(id));
    // From here on the verdict is cached.
    await own.api('GET', '/api/rooms', { token });
    const line = dial(own.gateway.url);
    line.socket.write(
      `GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nlast-event-id: ${lastEventId}\r\n\r\n`,
    );
    lines.push(line);
    for (let ticks = id % 20; ticks > 0; ticks -= 1) await new Promise((resolve) => setImmediate(resolve));
    own.identity.callers.delete(token);
    by.bus.connection.publish(
      by.bus.subject('hints.tokens.revoked'),
      JSON.stringify({ subject: `user:${id}`, token_ids: [] }),
    );
  }
  for (const { closed } of lines) await closed;
  await by.close();
  await own.stop();
});
