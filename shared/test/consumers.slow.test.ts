import { beforeEach, expect, test } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { jetstream } from '@nats-io/jetstream';
import { randomUUID } from 'node:crypto';
import type { Tx } from '../kit/database/open.ts';
import { rows } from '../kit/database/sql.ts';
import { ACK_WAIT_MS } from '../kit/process/deadlines.ts';
import { publish } from '../contract/publish.ts';
import { on } from '../contract/subscriptions.ts';
import { eventually, NATS_TIMEOUT } from '../testing/wait.ts';
import { consumeSettings, versions } from './settings-consumer.ts';

/* Replicas of a service share a durable consumer: events in flight at a lost replica are delivered to another one. */

type Handle = (tx: Tx, value: number) => Promise<void>;

/** Handled events by replica, in order. */
let handled: Record<string, number[]> = {};
beforeEach(() => {
  handled = { first: [], second: [] };
});

const { consumer, join, leave, publishSettings, service } = consumeSettings();
const joinWith = (handle: Handle) => join(on('setting.changed', (tx, { value }) => handle(tx, value)));
const keep =
  (replica: string): Handle =>
  async (_tx, value) =>
    void handled[replica]!.push(value);

async function publishOneByOne(count: number): Promise<void> {
  for (const setting of versions('changed', count)) await publishSettings([setting]);
}

const inFlight = (count: number) =>
  eventually('they are in flight', async () => (await consumer()).num_ack_pending === count);

test('a replica that stops returns its fetched events at once, even while it still handles an event', async () => {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = await joinWith(async (tx, value) => {
    begun.resolve();
    await gate.promise;
    await keep('first')(tx, value);
  });
  const [earliest, ...others] = versions('changed', 5);
  const start = performance.now();
  await publishSettings([earliest!]);
  // Events that arrive together are handled together: the others must arrive later.
  await begun.promise;
  await publishSettings(others);
  await inFlight(5);
  // The handler takes longer than a stop may take.
  const stopping = Promise.allSettled([leave(first)]);
  try {
    await joinWith(keep('second'));
    await eventually('the other has them', () => [2, 3, 4, 5].every((value) => handled['second']!.includes(value)));
    const { consumer_seq: deliveries } = (await consumer()).delivered;
    // On a busy machine an event in flight may have been redelivered, because nobody told the broker that it is handled.
    const isBusy = performance.now() - start > ACK_WAIT_MS;
    // Five deliveries to the first and four to the second: none went to the stopping replica again.
    expect(isBusy || deliveries === 9).toBe(true);
  } finally {
    gate.resolve();
    await stopping;
  }
  expect(handled['first']).toEqual([1]);
});

test('events of a dead replica are delivered to another one within seconds', async () => {
  const { named } = service().service.bus;
  const stream = named('events-identity');
  await publishOneByOne(3);
  const died = await connect(natsOf(service().config.NATS_URL));
  const fetching = await jetstream(died).consumers.get(stream, named('wallet'));
  for await (const message of await fetching.fetch({ max_messages: 3 })) expect(message.redelivered).toBe(false);
  await died.close();
  await inFlight(3);
  await joinWith(keep('second'));
  await eventually('the other has them', () => handled['second']!.length === 3);
  expect(handled['second']!.sort()).toEqual([1, 2, 3]);
});

test('a handler that is slower than the ack wait causes no redelivery of its event or of those behind it', async () => {
  let begun = 0;
  const slow =
    (replica: string): Handle =>
    async (tx, value) => {
      begun += 1;
      // Each statement is shorter than the statement timeout by more than a busy machine stands still.
      if (value === 1) for (const seconds of [1.75, 1.75, 1.75, 1.75]) await rows(tx, 'select pg_sleep($1)', [seconds]);
      await keep(replica)(tx, value);
    };
  await joinWith(slow('first'));
  await publishOneByOne(3);
  await inFlight(3);
  await joinWith(slow('second'));
  await eventually('all are handled', () => handled['first']!.length === 3);
  expect(handled).toEqual({ first: [1, 2, 3], second: [] });
  expect(begun).toBe(3);
});

test('an event is tried five times, across replicas and restarts', async () => {
  let tries = 0;
  const failing: Handle = async () => {
    tries += 1;
    throw new Error('a bug');
  };
  const first = await joinWith(failing);
  await publishOneByOne(1);
  await eventually('three tries', () => tries >= 3);
  await leave(first);
  await joinWith(failing);
  await eventually('a dead letter', async () => (await service().rows('select from dead_letter')).length === 1);
  expect(tries).toBe(5);
  expect(await service().rows('select from event_failure')).toEqual([]);
});

function natsOf(text: string) {
  const url = new URL(text);
  return { servers: url.host, ...(url.username && { token: decodeURIComponent(url.username) }) };
}

test('an event whose name does not match its subject is dropped', async () => {
  await joinWith(keep('first'));
  const { bus } = service().service;
  const data = { id: 1, name: 'A', points: 1, image_cost: 1, deleted: false, version: 1 };
  const at = new Date().toISOString();
  const plan = { ...data, created_at: at, updated_at: at };
  const id = randomUUID();
  const lie = { id, name: 'plan.changed', data: plan, context: {}, created_at: at };
  await bus.js.publish(bus.subject('events.setting.changed'), JSON.stringify(lie), NATS_TIMEOUT);
  await bus.js.publish(bus.subject('resync.wallet.setting.changed'), JSON.stringify({ events: [lie] }), NATS_TIMEOUT);
  await publishOneByOne(1);
  await eventually('the next event is consumed', () => handled['first']!.length === 1);
  expect(await service().rows('select from inbox where event_id = $1', [id])).toEqual([]);
});

test('the subject of an event that every service may publish names its publisher', async () => {
  const { bus, database } = service().service;
  const acted = { admin_id: 1, admin_name: 'A', action: 'a', subject: 's', before: null, after: null };
  await database.transact((tx) =>
    publish(tx, [{ name: 'admin.acted', data: { ...acted, request_id: 'r', acted_at: new Date().toISOString() } }]),
  );
  const sent = () =>
    bus.jsm.streams.getMessage(bus.named('events-wallet'), { last_by_subj: bus.subject('events.admin.>') });
  const message = await eventually('it is published', () => sent().catch(() => null));
  expect(message?.subject).toBe(bus.subject('events.admin.acted.wallet'));
});
