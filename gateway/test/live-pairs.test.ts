import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectBus, type Bus } from '@tutoring/shared/events/bus';
import { createLogger } from '@tutoring/shared/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import type { Bearer } from '../src/auth.ts';
import { listen, type Listening } from './listener.ts';
import { admin, startSystem, student, teacher, type System } from './system.ts';

let system: System;
let bus: Bus;
let tokens = 0;
const open: Listening[] = [];
beforeAll(async () => {
  system = await startSystem();
  const logger = createLogger('test', 'silent');
  bus = await connectBus({ url: infra().natsUrl, prefix: system.prefix, name: 'test', logger });
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.hangUp();
});
afterAll(async () => {
  for (const stream of ['events', 'live']) await bus.jsm.streams.delete(bus.named(stream)).catch(() => undefined);
  await bus.close();
  await system.stop();
});

const END = 99;

/** As a service's relay does: one message for the pair (student, teacher), for one person or for the administrators. */
async function tell(to: [number, number] | number | 'admins', n: number) {
  const id = randomUUID();
  const address = to === 'admins' ? to : `user.${(typeof to === 'number' ? [to, to] : to).join('.')}`;
  const message = { id, name: 'message.created', data: { n }, context: {}, created_at: new Date().toISOString() };
  await bus.js.publish(bus.subject(`live.${address}`), JSON.stringify(message), { msgID: id });
}

async function listening(token: string, lastEventId?: string) {
  const listener = await listen(system.gateway.url, token, { ...(lastEventId && { lastEventId }) });
  open.push(listener);
  await eventually('the stream has begun', () => listener.comments > 0);
  return listener;
}

const heard = ({ events }: Listening) => events.map(({ data }) => (data as { n: number }).n);

/** What each of the callers hears while it happens, and what he hears who comes back afterwards. */
async function hear(callers: Bearer[], happen: () => Promise<void>) {
  const ofCallers = callers.map((caller) => system.login({ ...caller, tokenId: (tokens += 1) }));
  const live = await Promise.all(ofCallers.map((token) => listening(token)));
  const places = live.map(({ lastEventId }) => lastEventId);
  await happen();
  for (const id of new Set(callers.flatMap((caller) => (caller.kind === 'user' ? caller.id : [])))) await tell(id, END);
  await tell('admins', END);
  const resumed = await Promise.all(ofCallers.map((token, index) => listening(token, places[index])));
  const all = await Promise.all(
    [...live, ...resumed].map(async (listener) => {
      await eventually('everything is heard', () => heard(listener).includes(END));
      return heard(listener).slice(0, heard(listener).indexOf(END));
    }),
  );
  return { live: all.slice(0, callers.length), resumed: all.slice(callers.length) };
}

test('both of a pair hear their event once, live and when they resume, in order among their own', async () => {
  const { live, resumed } = await hear([student(1), teacher(12), student(2), teacher(11)], async () => {
    await tell([1, 12], 0);
    await tell(1, 1);
    await tell(12, 2);
    await tell([1, 12], 3);
    await tell([2, 12], 4);
    await tell([1, 11], 5);
    await tell(1, 6);
    await tell([1, 12], 7);
    await tell(12, 8);
  });
  expect(live).toEqual([[0, 1, 3, 5, 6, 7], [0, 2, 3, 4, 7, 8], [4], [5]]);
  expect(resumed).toEqual(live);
});

test('nobody else hears it: ids that begin or end alike, that stand in the other place, or that are an admin’s', async () => {
  const others = [
    ...[student(2), student(10), student(11), student(12), student(112), student(121)],
    ...[teacher(1), teacher(2), teacher(112), teacher(121), teacher(11)],
    ...[admin(1), admin(12)],
  ];
  const { live, resumed } = await hear(others, async () => {
    await tell([1, 12], 0);
    await tell([1, 122], 1);
    await tell([111, 12], 2);
  });
  expect(live).toEqual(others.map(() => []));
  expect(resumed).toEqual(live);
});
