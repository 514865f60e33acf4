import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { infra } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import type { Bearer } from '../src/exchange/exchange.ts';
import { listen, type Listening } from './listener.ts';
import { connectRelay, type Relay } from './relay.ts';
import { admin, startSystem, student, teacher, type System } from './system.ts';

let system: System;
let relay: Relay;
let tokens = 0;
const open: Listening[] = [];
beforeAll(async () => {
  system = await startSystem();
  relay = await connectRelay(infra().natsUrl, system.prefix);
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.hangUp();
});
afterAll(async () => {
  await relay.close();
  await system.stop();
});

const END = 99;

async function listening(token: string, lastEventId?: string) {
  const listener = await listen(system.gateway.url, token, { ...(lastEventId && { lastEventId }) });
  open.push(listener);
  await eventually('the stream has begun', () => listener.comments > 0);
  return listener;
}

const received = ({ events }: Listening) => events.map(({ data }) => (data as { n: number }).n);

/** The numbers of the events that each caller receives live, and by resuming later. */
async function receivedBy(callers: Bearer[], publishEvents: () => Promise<void>) {
  const ofCallers = callers.map((caller) => system.login({ ...caller, tokenId: (tokens += 1) }));
  const live = await Promise.all(ofCallers.map((token) => listening(token)));
  const lastEventIds = live.map(({ lastEventId }) => lastEventId);
  await publishEvents();
  for (const id of new Set(callers.flatMap((caller) => (caller.kind === 'user' ? caller.id : []))))
    await relay.publish(id, { n: END });
  await relay.publish('admins', { n: END }, 'support.message');
  const resumed = await Promise.all(ofCallers.map((token, index) => listening(token, lastEventIds[index])));
  const all = await Promise.all(
    [...live, ...resumed].map(async (listener) => {
      await eventually('all events have arrived', () => received(listener).includes(END));
      return received(listener).slice(0, received(listener).indexOf(END));
    }),
  );
  return { live: all.slice(0, callers.length), resumed: all.slice(callers.length) };
}

test('a student and a teacher both get their common event once and in order, live and when they resume', async () => {
  const { live, resumed } = await receivedBy([student(1), teacher(12), student(2), teacher(11)], async () => {
    await relay.publish([1, 12], { n: 0 });
    await relay.publish(1, { n: 1 });
    await relay.publish(12, { n: 2 });
    await relay.publish([1, 12], { n: 3 });
    await relay.publish([2, 12], { n: 4 });
    await relay.publish([1, 11], { n: 5 });
    await relay.publish(1, { n: 6 });
    await relay.publish([1, 12], { n: 7 });
    await relay.publish(12, { n: 8 });
  });
  expect(live).toEqual([[0, 1, 3, 5, 6, 7], [0, 2, 3, 4, 7, 8], [4], [5]]);
  expect(resumed).toEqual(live);
});

test('an event of a student and a teacher reaches no similar id, other platform or administrator', async () => {
  const others = [
    ...[student(2), student(10), student(11), student(12), student(112), student(121)],
    ...[teacher(1), teacher(2), teacher(112), teacher(121), teacher(11)],
    ...[admin(1), admin(12)],
  ];
  const { live, resumed } = await receivedBy(others, async () => {
    await relay.publish([1, 12], { n: 0 });
    await relay.publish([1, 122], { n: 1 });
    await relay.publish([111, 12], { n: 2 });
  });
  expect(live).toEqual(others.map(() => []));
  expect(resumed).toEqual(live);
});
