import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUIDv7 } from 'node:crypto';
import { infra } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import type { RunningGateway } from '../src/app.ts';
import { startCable } from './cable.ts';
import { listen, type Listening } from './listener.ts';
import { connectRelay, type Relay } from './relay.ts';
import { admin, startSystem, student, type System } from './system.ts';

let system: System;
let other: RunningGateway;
let relay: Relay;
const open: Listening[] = [];
beforeAll(async () => {
  system = await startSystem({ timings: { streamHeartbeat: 200, streamCheck: 50, streamVerdict: 500 } });
  other = await system.addGateway();
  relay = await connectRelay(infra().natsUrl, system.prefix);
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.hangUp();
});
afterAll(async () => {
  await relay.close();
  await system.stop();
});

async function listening(token: string, options: { lastEventId?: string; url?: string } = {}) {
  const listener = await listen(options.url ?? system.gateway.url, token, options);
  expect(listener.status).toBe(200);
  open.push(listener);
  await eventually('the stream has begun', () => listener.comments > 0 || listener.isClosed);
  return listener;
}

const numbers = (listener: Listening) => listener.events.map(({ data }) => (data as { n: number }).n);
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);

describe('GET /api/events', () => {
  test('sends users their own events, and administrators those for administrators', async () => {
    const anna = await listening(system.login(student(1)));
    const ben = await listening(system.login(student(2)));
    const ada = await listening(system.login(admin(3)));
    expect(anna.status).toBe(200);
    expect(anna.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-status-code': '200',
      'x-ratelimit-limit': '600',
    });
    const { id } = await relay.publish(1, { id: 7, message: 'line\nbreak – שלום' });
    // Ignored: only wallet may publish this event.
    await relay.publish(2, { n: 1 }, 'wallet.balance', undefined, { by: 'messaging' });
    await relay.publish(2, { n: 2 }, 'wallet.balance');
    await relay.publish('admins', { n: 3 }, 'support.message');
    await Promise.all([anna.until(1), ben.until(1), ada.until(1)]);
    expect(anna.events).toEqual([
      {
        id,
        event: 'message.created',
        data: { id: 7, message: 'line\nbreak – שלום' },
      },
    ]);
    expect([ben.events[0]?.event, ben.events[0]?.data]).toEqual(['wallet.balance', { n: 2 }]);
    expect([ada.events[0]?.event, ada.events[0]?.data]).toEqual(['support.message', { n: 3 }]);
  });

  test('without a good bearer is refused with a 401 on the HTTP line', async () => {
    const answer = await system.api('GET', '/api/events');
    expect([answer.status, answer.body]).toEqual([
      401,
      { success: false, statusCode: 401, message: 'Unauthenticated.' },
    ]);
    expect((await system.api('POST', '/api/events', { token: system.login(student(1)) })).status).toBe(405);
  });

  test('sends a comment line periodically', async () => {
    const listener = await listening(system.login(student(4)));
    await eventually('comments', () => listener.comments >= 4);
  });

  test('closes the oldest stream beyond five of a user', async () => {
    const token = system.login(student(5));
    const streams: Listening[] = [];
    for (let count = 0; count < 6; count += 1) streams.push(await listening(token));
    await eventually('the oldest is closed', () => streams[0]!.isClosed);
    expect(streams.slice(1).some((stream) => stream.isClosed)).toBe(false);
  });
});

describe('a client that resumes', () => {
  test('gets the missed events once and in order, at another gateway too, and then live ones', async () => {
    const token = system.login(student(10));
    const first = await listening(token);
    await relay.publish(10, { n: 0 });
    await first.until(1);
    first.hangUp();
    for (const n of upTo(5, 1)) {
      await relay.publish(10, { n });
      await relay.publish(11, { n: 99 });
    }
    for (const url of [system.gateway.url, other.url]) {
      const again = await listening(token, { url, lastEventId: first.lastEventId! });
      await again.until(5);
      expect(numbers(again)).toEqual(upTo(5, 1));
      again.hangUp();
    }
    const live = await listening(token, { lastEventId: first.lastEventId! });
    await relay.publish(10, { n: 6 });
    await live.until(6);
    expect(numbers(live)).toEqual(upTo(6, 1));
  });

  test('has an id before its first event', async () => {
    const token = system.login(student(12));
    const first = await listening(token);
    expect(first.events).toEqual([]);
    first.hangUp();
    await relay.publish(12, { n: 0 });
    const again = await listening(token, { lastEventId: first.lastEventId! });
    await again.until(1);
    expect(numbers(again)).toEqual([0]);
  });

  test('again and again while many events are published gets each event once', async () => {
    const token = system.login(student(13));
    const total = 600;
    const seen: number[] = [];
    let listener = await listening(token);
    let reconnects = 0;
    // On machines of any speed, the client reconnects at least once in every hundred events.
    const flood = (async () => {
      for (const n of upTo(total)) {
        if (n > 100 && n % 100 === 0) await eventually('the client has reconnected', () => reconnects >= n / 100 - 1);
        await relay.publish(13, { n });
      }
    })();
    while (seen.length < total) {
      await eventually('some more', () => listener.events.length > 0);
      listener.hangUp();
      await eventually('the stream is closed', () => listener.isClosed);
      seen.push(...numbers(listener));
      reconnects += 1;
      const url = reconnects % 2 === 0 ? system.gateway.url : other.url;
      listener = await listening(token, { url, lastEventId: listener.lastEventId! });
    }
    await flood;
    expect(seen).toEqual(upTo(total));
    expect(reconnects).toBeGreaterThan(3);
  });

  test.each([
    ['of another stream', () => 'abc123-5'],
    ['not valid', () => 'hello'],
    ['of an event that was never published', () => randomUUIDv7()],
    ['of an event in the far future', () => `fffffffe${(randomUUIDv7() as string).slice(8)}`],
    ['a position in the future', (id: string) => id.replace(/-\d+/, '-999999999')],
  ])('with an id that is %s gets one resync, then live events', async (_name, idOf) => {
    const token = system.login(student(14));
    const { lastEventId = '' } = await listening(token);
    const again = await listening(token, { lastEventId: idOf(lastEventId) });
    await relay.publish(14, { n: 1 });
    await again.until(2);
    expect(again.events.map(({ event }) => event)).toEqual(['resync', 'message.created']);
    expect(again.events[0]?.data).toEqual({ message: 'Fetch again.' });
  });

  test('with an empty id gets live events only, like a client without an id', async () => {
    const token = system.login(student(17));
    const live = await listening(token, { lastEventId: '' });
    await relay.publish(17, { n: 1 });
    await live.until(1);
    expect(live.events.map(({ event }) => event)).toEqual(['message.created']);
  });

  test('with the id of an unknown event, later than all expired events, gets one resync', async () => {
    const token = system.login(student(16));
    await relay.expireAll();
    const again = await listening(token, { lastEventId: randomUUIDv7() });
    await again.until(1);
    expect(again.events.map(({ event }) => event)).toEqual(['resync']);
  });

  test('with a position before expired events gets one resync', async () => {
    const token = system.login(student(15));
    const first = await listening(token);
    first.hangUp();
    await relay.publish(15, { n: 0 });
    await relay.publish(15, { n: 1 });
    await relay.expireAll();
    const again = await listening(token, { lastEventId: first.lastEventId! });
    await again.until(1);
    expect(again.events.map(({ event }) => event)).toEqual(['resync']);
  });
});

describe('a stream is closed', () => {
  test.each([
    ['of its token', [20]],
    ['of all tokens', []],
  ])('by the revocation %s', async (_name, tokenIds) => {
    const listener = await listening(system.login(student(20)));
    const bystander = await listening(system.login({ ...student(20), tokenId: 21 }));
    relay.bus.connection.publish(
      relay.bus.subject('hints.tokens.revoked'),
      JSON.stringify({ subject: 'user:20', token_ids: tokenIds }),
    );
    await eventually('the stream is closed', () => listener.isClosed);
    if (tokenIds.length > 0) expect(bystander.isClosed).toBe(false);
    else await eventually('the other stream is closed too', () => bystander.isClosed);
  });

  test('by the next check with identity when the revocation of its token did not arrive', async () => {
    const token = system.login(student(22));
    const listener = await listening(token);
    system.identity.callers.delete(token);
    await eventually('the stream is closed', () => listener.isClosed);
  });

  test('when the gateway stops', async () => {
    const third = await system.addGateway();
    const listener = await listening(system.login(student(24)), { url: third.url });
    await third.stop();
    await eventually('the stream is closed', () => listener.isClosed);
  });
});

describe('NATS', () => {
  test.each(['disconnect', 'freeze'] as const)(
    'that is interrupted (%s) makes open streams neither lose nor repeat events',
    async (fault) => {
      const cable = await startCable(infra().natsUrl);
      const own = await startSystem({ env: { NATS_URL: cable.url } });
      const direct = await connectRelay(infra().natsUrl, own.prefix);
      const listener = await listening(own.login(student(1)), { url: own.gateway.url });
      for (const n of upTo(10)) await direct.publish(1, { n });
      await listener.until(10);
      cable[fault]();
      for (const n of upTo(10, 10)) await direct.publish(1, { n });
      cable.repair();
      for (const n of upTo(10, 20)) await direct.publish(1, { n });
      await listener.until(30);
      expect(numbers(listener)).toEqual(upTo(30));
      await direct.close();
      await own.stop();
      await cable.stop();
    },
  );

  test('whose connection lost an event: the event arrives, even when no other follows', async () => {
    const cable = await startCable(infra().natsUrl);
    const own = await startSystem({ env: { NATS_URL: cable.url } });
    const direct = await connectRelay(infra().natsUrl, own.prefix);
    const listener = await listening(own.login(student(1)), { url: own.gateway.url });
    await direct.publish(1, { n: 0 });
    await listener.until(1);
    cable.freeze();
    // NATS sends the event, into the frozen connection, when it has stored it.
    await direct.publish(1, { n: 1 });
    cable.repair();
    await listener.until(2);
    await direct.publish(1, { n: 2 });
    await listener.until(3);
    expect(numbers(listener)).toEqual(upTo(3));
    await direct.close();
    await own.stop();
    await cable.stop();
  });

  test('with a recreated stream of live events makes every open stream get resync', async () => {
    const listener = await listening(system.login(student(30)));
    await relay.bus.jsm.streams.delete(relay.bus.named('live'));
    await relay.bus.ensureStreams();
    await listener.until(1);
    expect(listener.events.map(({ event }) => event)).toEqual(['resync']);
    await eventually('live events arrive again', async () => {
      await relay.publish(30, { n: 1 });
      return listener.events.length > 1;
    });
    expect(listener.events[1]?.event).toBe('message.created');
  });
});
