import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AckPolicy } from '@nats-io/jetstream';
import pg from 'pg';
import { rows } from '../kit/database/sql.ts';
import { connectBus, topology } from '../contract/bus.ts';
import type { Bus } from '../kit/events/bus.ts';
import { on } from '../contract/subscriptions.ts';
import { publish } from '../contract/publish.ts';
import { serviceConfig } from '../contract/config.ts';
import { createLogger } from '../kit/process/logger.ts';
import { defineService } from '../contract/service.ts';
import { newPrefix, startTestService, testLimits, type TestService } from '../testing/service.ts';
import { eventually, NATS_TIMEOUT } from '../testing/wait.ts';

/*
 * From the previous release, with one stream for the events of all services, to a stream for each service: nothing is
 * lost or doubled, and processes of the previous release go on.
 */

const remember = `insert into idempotency_key (caller, scope, key, fingerprint) values ('consumed', $1, $2, '')`;
const service = <Name extends 'identity' | 'wallet'>(name: Name, isConsumer: boolean) =>
  defineService({
    name,
    config: serviceConfig,
    migrations: new URL(`../../services/${name}/migrations/`, import.meta.url),
    build: () => ({
      routes: [],
      subscriptions: isConsumer
        ? [on('setting.changed', async (tx, data) => void (await rows(tx, remember, [data.name, `${data.value}`])))]
        : [],
    }),
  });

const logger = createLogger('test', 'silent');
const prefix = newPrefix();
let publisher: TestService;
let consumer: TestService;
beforeAll(async () => {
  publisher = await startTestService(service('identity', false), { prefix });
});
afterAll(async () => {
  const { jsm, named } = publisher.service.bus;
  for (const stream of topology.streams) await jsm.streams.delete(named(stream)).catch(() => undefined);
  await consumer.stop();
  await publisher.stop();
});

const change = (value: number) =>
  publisher.service.database.transact((tx) =>
    publish(tx, [{ name: 'setting.changed', data: { name: 'one', value, version: value } }]),
  );
const unsent = async () => (await publisher.rows('select from outbox where sent_at is null')).length;
const PREVIOUS_SUBJECTS = ['events.>', 'resync.>'];

/** Replaces the streams by those of the previous release, which has sent all events, and a page for wallet. */
async function revert(bus: Bus, outbox: pg.Client): Promise<void> {
  const { jsm, js, named, subject } = bus;
  for (const stream of topology.streams) await jsm.streams.delete(named(stream));
  const name = named('events');
  await jsm.streams.add({ name, subjects: PREVIOUS_SUBJECTS.map(subject), allow_atomic: true, allow_direct: true });
  const durable = { durable_name: named('wallet'), ack_policy: AckPolicy.Explicit };
  await jsm.consumers.add(name, { ...durable, filter_subjects: [subject('events.setting.changed')] });
  // Other services have published before.
  for (let n = 0; n < 10; n += 1) await js.publish(subject('events.user.changed'), '{}', NATS_TIMEOUT);
  const { rows: sent } = await outbox.query<{ event_id: string; data: object }>(
    `select event_id, data from outbox where name = 'setting.changed' order by id`,
  );
  const messageOf = (id: string, data: object) => ({
    id,
    name: 'setting.changed',
    data,
    context: {},
    created_at: new Date().toISOString(),
  });
  for (const { event_id, data } of sent) {
    const message = JSON.stringify(messageOf(event_id, data));
    const { seq } = await js.publish(subject('events.setting.changed'), message, NATS_TIMEOUT);
    await outbox.query('update outbox set stream_seq = $2 where event_id = $1', [event_id, seq]);
  }
  const page = { events: [messageOf(randomUUID(), { name: 'page', value: 1, version: 1 })] };
  await js.publish(subject('resync.wallet.setting.changed'), JSON.stringify(page), NATS_TIMEOUT);
}

const consumed = async (name: string) =>
  (
    await consumer.rows<{ key: string }>('select key from idempotency_key where scope = $1 order by created_at', [name])
  ).map(({ key }) => Number(key));

/** The values that a consumer of the previous release has received; it drops repeated events by their id. */
async function receivedBefore(count: number): Promise<number[]> {
  const { js, named } = publisher.service.bus;
  const values = new Map<string, number>();
  const previous = await js.consumers.get(named('events'), named('wallet'));
  for await (const message of await previous.consume()) {
    const { id, data } = message.json<{ id: string; data: { value: number } }>();
    values.set(id, data.value);
    message.ack();
    if (values.size === count) break;
  }
  return [...values.values()];
}

test('events of the previous release reach the new consumers once, and new events reach both', async () => {
  for (const value of [1, 2, 3]) await change(value);
  await eventually('all is sent', async () => (await unsent()) === 0);
  const elsewhere = await connectBus({
    url: publisher.config.NATS_URL,
    prefix,
    name: 'test',
    limits: testLimits,
    logger,
  });
  const outbox = new pg.Client(publisher.config.DATABASE_URL);
  await outbox.connect();
  await publisher.restart(() => revert(elsewhere, outbox));
  await elsewhere.close();
  await outbox.end();
  const { bus } = publisher.service;
  consumer = await startTestService(service('wallet', true), { prefix });
  await change(4);
  await eventually('all events are consumed', async () => (await consumed('one')).length === 4);
  await eventually('the page is consumed', async () => (await consumed('page')).length === 1);
  expect(await receivedBefore(4)).toEqual([1, 2, 3, 4]);
  expect([await consumed('one'), await consumed('page')]).toEqual([[1, 2, 3, 4], [1]]);
  const { messages } = (await bus.jsm.streams.info(bus.named('events-identity'))).state;
  expect(messages).toBe(4);
});

test('a process of the previous release cannot take the subjects back, and publishes on them as before', async () => {
  const { jsm, js, named, subject } = publisher.service.bus;
  const subjects = PREVIOUS_SUBJECTS.map(subject);
  await expect(jsm.streams.update(named('events'), { subjects })).rejects.toThrow('overlap');
  const data = { name: 'old', value: 1, version: 1 };
  const message = {
    id: randomUUID(),
    name: 'setting.changed',
    data,
    context: {},
    created_at: new Date().toISOString(),
  };
  const { stream } = await js.publish(subject('events.setting.changed'), JSON.stringify(message), NATS_TIMEOUT);
  expect(stream).toBe(named('events-identity'));
  await eventually('it is consumed', async () => (await consumed('old')).length === 1);
});
