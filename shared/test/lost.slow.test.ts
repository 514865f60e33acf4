import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startNats, type Server } from '../../deploy/local/servers.ts';
import { serviceConfig } from '../contract/config.ts';
import { connectBus } from '../contract/bus.ts';
import { publish } from '../contract/publish.ts';
import { on } from '../contract/subscriptions.ts';
import { createLogger } from '../kit/process/logger.ts';
import { defineService } from '../contract/service.ts';
import { newPrefix, startTestService, testLimits, type TestService } from '../testing/service.ts';
import { eventually, NATS_TIMEOUT } from '../testing/wait.ts';
import { relayOf } from './relay-view.ts';

/* A broker that lost acknowledged messages: they never reached its disk, or an older copy of its store was restored. */

const received = new Map<string, string[]>();
const recording = (name: 'identity' | 'messaging') =>
  defineService({
    name,
    config: serviceConfig,
    migrations: new URL(`../../services/${name}/migrations/`, import.meta.url),
    build: () => ({
      routes: [],
      subscriptions: [
        on('setting.changed', (_tx, data) => {
          received.get(name)?.push(`${data.name} ${data.value}`);
          return Promise.resolve();
        }),
      ],
    }),
  });

let folder: string;
let nats: Server;
let publisher: TestService;
const others: TestService[] = [];
const path = (name: string) => join(folder, name);
const start = (port?: number) => startNats({ dataDir: folder, port, log: () => undefined });
const startService = (name: 'identity' | 'messaging', prefix = newPrefix()) => {
  received.set(name, []);
  return startTestService(recording(name), { env: { NATS_URL: nats.url }, prefix });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lost-'));
  nats = await start();
});
beforeEach(async () => {
  publisher = await startService('identity');
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
  await publisher.stop();
});
afterAll(async () => {
  await nats.stop();
  await rm(folder, { recursive: true, force: true });
});

const { stored, storedWith, drained } = relayOf(() => publisher);

/** Publishes one of each kind. */
const change = (value: number) =>
  publisher.service.database.transact(async (tx) => {
    for (const name of ['one', 'two'])
      publish(tx, [{ name: 'setting.changed', data: { name, value, version: value } }]);
    publish(tx, [{ name: 'tokens.revoked', data: { subject: `user:${value}`, token_ids: [] } }]);
    const data = { balance: value, available: value, held: 0 };
    publish(tx, [{ to: { user: 1 }, event: 'wallet.balance', data }]);
  });
async function changeUpTo(last: number, first = 1): Promise<void> {
  for (let value = first; value <= last; value += 1) await change(value);
  await drained();
}

const isConnected = () => publisher.service.bus.isConnected();
async function whileAway(work: () => Promise<void>): Promise<void> {
  const { port } = nats;
  await nats.stop();
  await eventually('NATS is gone', () => !isConnected());
  await work();
  nats = await start(port);
  await eventually('NATS is back', isConnected);
}
const keepCopy = () => whileAway(() => cp(path('store'), path('older'), { recursive: true }));
async function restoreCopy(): Promise<void> {
  await rm(path('store'), { recursive: true });
  await cp(path('older'), path('store'), { recursive: true });
  await rm(path('older'), { recursive: true });
}

const upTo = (last: number) => Array.from({ length: last }, (_none, index) => index + 1);
const numbered = (name: string, last: number) => upTo(last).map((n) => `${name} ${n}`);
const ofNoun = (texts: string[], name: string) => texts.filter((text) => text.startsWith(name));

/** Every event is in its stream, once and in the order of its noun. */
async function expectStored(last: number): Promise<void> {
  for (const [stream, count] of [
    ['events-identity', 2 * last],
    ['live', last],
    ['revocations', last],
  ] as const)
    await eventually(`all events are stored again: ${stream}`, async () => (await stored(stream)).length >= count);
  const settings = (await stored('events-identity')).map(({ name, value }) => `${String(name)} ${String(value)}`);
  for (const name of ['one', 'two']) expect(ofNoun(settings, name)).toEqual(numbered(name, last));
  expect((await stored('live')).map(({ balance }) => balance)).toEqual(upTo(last));
  expect((await stored('revocations')).map(({ subject }) => subject)).toEqual(upTo(last).map((n) => `user:${n}`));
}

/** Every event had its effect in the service once and in the order of its noun. */
async function expectReceived(service: 'identity' | 'messaging', last: number): Promise<void> {
  await eventually('all events are received', () => received.get(service)!.length >= 2 * last);
  for (const name of ['one', 'two']) expect(ofNoun(received.get(service)!, name)).toEqual(numbered(name, last));
}

test('after an older copy of the store is restored, all events are sent again, once and in order, also to new consumers', async () => {
  await changeUpTo(20);
  await keepCopy();
  await changeUpTo(70, 21);
  await expectReceived('identity', 70);
  await whileAway(restoreCopy);
  await changeUpTo(80, 71);
  await expectStored(80);
  others.push(await startService('messaging', publisher.prefix));
  await expectReceived('messaging', 80);
  await expectReceived('identity', 80);
});

test('lost events are sent again even if other publishers have used their sequences meanwhile', async () => {
  await changeUpTo(5);
  await keepCopy();
  await changeUpTo(10, 6);
  await whileAway(async () => {
    await restoreCopy();
    const elsewhere = await start();
    const bus = await connectBus({
      url: elsewhere.url,
      prefix: publisher.prefix,
      name: 'test',
      limits: testLimits,
      logger: createLogger('test', 'silent'),
    });
    for (let n = 0; n < 50; n += 1)
      for (const subject of ['resync.x.x.x.identity', 'live.x', 'revocations.x'])
        await bus.js.publish(bus.subject(subject), '{"data":{}}', NATS_TIMEOUT);
    await bus.close();
    await elsewhere.stop();
  });
  await eventually('it is there', async () => (await stored('live')).some(({ balance }) => balance === 10));
  const balances = (await stored('live')).flatMap(({ balance }) => balance ?? []);
  expect(balances).toEqual(upTo(10));
});

test('events that were lost while the service was down are sent again', async () => {
  await changeUpTo(5);
  await keepCopy();
  await changeUpTo(10, 6);
  await publisher.restart(() => whileAwayFrom(restoreCopy));
  await change(11);
  await expectStored(11);
  // A client that resumes must know which events had another sequence before.
  expect((await storedWith('live')).filter(({ isAgain }) => isAgain).map(({ data }) => data['balance'])).toEqual([
    6, 7, 8, 9, 10,
  ]);
});

async function whileAwayFrom(work: () => Promise<void>): Promise<void> {
  const { port } = nats;
  await nats.stop();
  await work();
  nats = await start(port);
}

test('an event that was not marked as sent yet is published again with the header, too', async () => {
  await changeUpTo(1);
  await keepCopy();
  const holder = new pg.Client(publisher.config.DATABASE_URL);
  await holder.connect();
  await holder.query('set idle_in_transaction_session_timeout = 0');
  await whileAway(async () => {
    await change(2);
    await holder.query('begin');
    await holder.query('select from outbox where sent_at is null for update');
  });
  const isStored = async () => (await stored('live')).length === 2;
  await eventually('the stream has it', isStored);
  await whileAway(restoreCopy);
  await eventually('the stream has it again', isStored);
  await holder.end();
  expect((await storedWith('live')).map(({ isAgain }) => isAgain)).toEqual([false, true]);
});

test('a ringing event of a call that is over is not sent again', async () => {
  const call = (identifier: string) =>
    ({ identifier, channel: 'r', call_type: 'audio', student_id: 1, teacher_id: 2 }) as const;
  const person = { id: 1, name: 'A', photo: '' };
  const ringing = (identifier: string) =>
    ({
      to: { user: 2 },
      event: 'call.ringing',
      data: { ...call(identifier), expires_at: '2026-01-01T00:00:00.000Z', student: person, teacher: person },
    }) as const;
  const send = (...messages: Parameters<typeof publish>[1]) =>
    publisher.service.database.transact((tx) => publish(tx, messages));
  await changeUpTo(1);
  await keepCopy();
  await send(ringing('over'));
  await send({ to: { student: 1, teacher: 2 }, event: 'call.rejected', data: call('over') });
  await send(ringing('rings'));
  await drained();
  await whileAway(restoreCopy);
  const published = () => stored('live').then((all) => all.flatMap(({ identifier }) => identifier ?? []));
  await eventually('it rings again', async () => (await published()).includes('rings'));
  expect(await published()).toEqual(['over', 'rings']);
});

test('a consumer past the end of its stream is reset', async () => {
  await changeUpTo(3);
  await expectReceived('identity', 3);
  const { connection, jsm, named } = publisher.service.bus;
  const [stream, consumer] = [named('events-identity'), named('identity')];
  const reset = `$JS.API.CONSUMER.RESET.${stream}.${consumer}`;
  await connection.request(reset, JSON.stringify({ seq: 1_000 }), NATS_TIMEOUT);
  expect((await jsm.consumers.info(stream, consumer)).delivered.stream_seq).toBe(999);
  // A single server resets the consumer by itself when it restarts; a cluster does not.
  await connection.reconnect();
  await changeUpTo(6, 4);
  await expectReceived('identity', 6);
});
