import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import { infra } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import { EventStream } from '../src/live/stream.ts';
import { listen } from './listener.ts';
import { connectRelay, type Relay } from './relay.ts';
import { startSystem, student, type System } from './system.ts';

/* The text of an event stream, and what services can write into it. */

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

async function listening(token: string, options: { lastEventId?: string; query?: string } = {}) {
  const listener = await listen(system.gateway.url, token, options);
  await eventually('the stream has begun', () => listener.comments > 0);
  return listener;
}

/** More than the kernel buffers for a client that does not read yet. */
const LARGE = 'x'.repeat(12 * 1024 * 1024);

test('a single event may exceed the limit of unread bytes, but a second one then ends the stream', async () => {
  const server = createServer((req, res) => {
    res.writeHead(200).flushHeaders();
    const stream = new EventStream(res, { resumedAt: 0, isChunked: true });
    stream.send(1, LARGE);
    if (req.url === '/both') stream.send(2, LARGE);
    void stream.drained().then(() => res.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  // The connection may be closed even before the response headers are sent.
  const read = (path: string) =>
    once(get(`http://127.0.0.1:${port}${path}`), 'response')
      .then(([answer]) => buffer(answer as IncomingMessage))
      .then(
        ({ length }) => length,
        () => 'closed',
      );
  const lengths = [await read('/one'), await read('/both')];
  server.close();
  server.closeAllConnections();
  expect(lengths).toEqual([LARGE.length, 'closed']);
});

describe('a stream', () => {
  const OWN = { id: randomUUIDv7() as string, name: 'call.missed', data: { n: 1 } };
  test.each([
    ['a name with another event in it', { ...OWN, name: 'call.missed\ndata: {}\n\nevent: wallet.balance' }],
    ['a name with carriage returns in it', { ...OWN, name: 'call.missed\rdata: {}\r\revent: wallet.balance' }],
    ['an id with another event in it', { ...OWN, id: `${OWN.id}\nevent: wallet.balance\ndata: {"balance":1}\n\n` }],
    ['an id that is a position', { ...OWN, id: 'abc123-5' }],
    ['an id that is not a string', { ...OWN, id: 5 }],
    ['no id', { name: OWN.name, data: OWN.data }],
    ['the name of another service’s event', { ...OWN, name: 'message.created' }],
    ['an unknown name', { ...OWN, name: 'wallet.balances' }],
    ['the name of the gateway’s own event', { ...OWN, name: 'resync' }],
    ['the name of a JavaScript property', { ...OWN, name: 'constructor' }],
    ['a name that is not a string', { ...OWN, name: ['call.missed'] }],
    ['no data', { id: OWN.id, name: OWN.name }],
    ['data that is not an object', { ...OWN, data: 'text' }],
  ])('ignores an event with %s', async (_name, message) => {
    const anna = await listening(system.login(student(6)));
    const subject = relay.bus.subject('live.user.6.6.calls');
    await relay.bus.js.publish(subject, JSON.stringify({ context: {}, created_at: '', ...message }));
    await relay.publish(6, { n: 2, text: 'line\r\nbreak\rand\u2028more\u0000' });
    await anna.until(1);
    expect(anna.events.map(({ event, data }) => [event, data])).toEqual([
      ['message.created', { n: 2, text: 'line\r\nbreak\rand\u2028more\u0000' }],
    ]);
    anna.hangUp();
  });

  test('does not include an invalid message id in a position', async () => {
    const header = headers();
    header.set('Nats-Msg-Id', 'an id, and data: x');
    const { seq } = await relay.bus.js.publish(
      relay.bus.subject('live.user.7.7.calls'),
      JSON.stringify({ ...OWN, context: {} }),
      { headers: header },
    );
    const anna = await listening(system.login(student(8)));
    expect(anna.lastEventId).toMatch(new RegExp(`^[0-9a-z]+-${seq}$`));
    expect(anna.events).toEqual([]);
    anna.hangUp();
  });
});

describe('a client that resumes', () => {
  /** Each test has a person of its own: its last event may arrive after it. */
  let person = 180;
  test.each([
    ['the query', (id: string) => ({ query: `?lastEventId=${id}` })],
    [
      'the header, which takes precedence over the query',
      (id: string) => ({ query: '?lastEventId=nonsense', lastEventId: id }),
    ],
    ['the query, when the header is empty', (id: string) => ({ query: `?a=1&lastEventId=${id}`, lastEventId: '' })],
  ])('may send its last event id in %s', async (_name, options) => {
    person += 1;
    const token = system.login(student(person));
    const first = await listening(token);
    const position = first.lastEventId!;
    await relay.publish(person, { n: 0 });
    const { id } = await relay.publish(person, { n: 1 });
    await first.until(2);
    for (const [last, missed] of [
      [position, [0, 1]],
      [first.events[0]!.id, [1]],
      [id, []],
    ] as const) {
      const again = await listening(token, options(last));
      await relay.publish(person, { n: 2 });
      await again.until(missed.length + 1);
      expect(again.events.map(({ data }) => (data as { n: number }).n).slice(0, missed.length + 1)).toEqual([
        ...missed,
        2,
      ]);
      again.hangUp();
    }
  });
});
