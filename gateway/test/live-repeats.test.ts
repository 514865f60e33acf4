import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { infra } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import type { RunningGateway } from '../src/app.ts';
import { listen, type Listening } from './listener.ts';
import { connectRelay, type Relay } from './relay.ts';
import { startSystem, student, type System } from './system.ts';

let system: System;
let other: RunningGateway;
let relay: Relay;
const open: Listening[] = [];
/** JetStream deduplicates message ids for a tenth of a second instead of two minutes. */
beforeAll(async () => {
  system = await startSystem();
  other = await system.addGateway();
  relay = await connectRelay(infra().natsUrl, system.prefix);
  await relay.bus.ensureStreams();
  await relay.bus.jsm.streams.update(relay.bus.named('live'), { duplicate_window: 100_000_000 });
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

const publishAgain = (user: number, n: number, id: string) =>
  eventually('JetStream no longer deduplicates the event', async () => {
    const { isNew } = await relay.publish(user, { n }, 'message.created', id);
    return isNew;
  });

/** Publishes events with these numbers; a repeated number publishes the same event again. */
async function publishAll(user: number, ...all: number[]) {
  const ids = new Map<number, string>();
  for (const n of all) {
    const id = ids.get(n);
    if (id) await publishAgain(user, n, id);
    else ids.set(n, (await relay.publish(user, { n })).id);
  }
  return ids;
}

test('a repeated event is sent once on an open stream', async () => {
  const listener = await listening(system.login(student(40)));
  await publishAll(40, 0, 1, 0, 1, 0, 2);
  await listener.until(3);
  expect(numbers(listener)).toEqual([0, 1, 2]);
});

test.each([
  ['gateway that sent the event', 41, () => system.gateway.url],
  ['gateway that has not sent the event', 42, () => other.url],
])(
  'a client that resumes after a repeated event gets the missed events once, at the %s',
  async (_name, user, urlOf) => {
    const token = system.login(student(user));
    const before = await listening(token);
    const [zero] = (await publishAll(user, 0)).values();
    await before.until(1);
    before.hangUp();
    expect(before.lastEventId).toBe(zero);
    await publishAll(user, 1, 2, 1, 3);
    await publishAgain(user, 0, zero!);
    await relay.publish(user, { n: 4 });
    const again = await listening(token, { url: urlOf(), lastEventId: before.lastEventId! });
    await again.until(4);
    expect(numbers(again)).toEqual([1, 2, 3, 4]);
  },
);

test('a repeated event keeps its id', async () => {
  const token = system.login(student(43));
  const listener = await listening(token);
  const [zero] = (await publishAll(43, 0)).values();
  await listener.until(1);
  const laterListener = await listening(token, { url: other.url });
  await publishAgain(43, 0, zero!);
  await laterListener.until(1);
  expect([...listener.events, ...laterListener.events].map(({ id }) => id)).toEqual([zero, zero]);
});

test('a client that resumes after an expired event gets one resync, although the event was repeated', async () => {
  const token = system.login(student(44));
  const before = await listening(token);
  const [zero] = (await publishAll(44, 0, 1)).values();
  await before.until(2);
  await relay.publish(44, { n: 2 });
  await relay.expireAll();
  await publishAgain(44, 0, zero!);
  const again = await listening(token, { lastEventId: zero! });
  await again.until(1);
  expect(again.events.map(({ event }) => event)).toEqual(['resync']);
});
