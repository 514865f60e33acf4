import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats } from '../../deploy/local/servers.ts';
import { serviceConfig } from '../contract/config.ts';
import { row, rows } from '../kit/database/sql.ts';
import { publish } from '../contract/publish.ts';
import { resync } from '../kit/events/operate/resync.ts';
import { on } from '../contract/subscriptions.ts';
import { defineService } from '../contract/service.ts';
import { newPrefix, startTestService, type TestService } from '../testing/service.ts';
import { eventually, NATS_TIMEOUT } from '../testing/wait.ts';

const migrations = (name: string) => new URL(`../../services/${name}/migrations/`, import.meta.url);
const remember = `insert into idempotency_key (caller, scope, key, fingerprint) values ('consumed', $1, $2, '')`;

const publishing = defineService({
  name: 'identity',
  config: serviceConfig,
  migrations: migrations('identity'),
  build: () => ({ routes: [] }),
});
const consuming = defineService({
  name: 'wallet',
  config: serviceConfig,
  migrations: migrations('wallet'),
  build: () => ({
    routes: [],
    subscriptions: [
      on('setting.changed', async (tx, data) => void (await rows(tx, remember, [data.name, `${data.value}`]))),
    ],
  }),
});

let folder: string;
let nats: Awaited<ReturnType<typeof startNats>>;
let publisher: TestService;
let consumer: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nats-'));
  nats = await startNats({ dataDir: folder, log: () => undefined });
  const prefix = newPrefix();
  const env = { NATS_URL: nats.url };
  publisher = await startTestService(publishing, { prefix, env });
  consumer = await startTestService(consuming, { prefix, env });
});
afterAll(async () => {
  await publisher.stop();
  await consumer.stop();
  await nats.stop();
  await rm(folder, { recursive: true });
});

const change = (name: string, value: number) =>
  publisher.service.database.transact((tx) =>
    publish(tx, [{ name: 'setting.changed', data: { name, value, version: value } }]),
  );
const values = async (name: string) =>
  (
    await consumer.rows<{ key: string }>(`select key from idempotency_key where scope = $1 order by created_at`, [name])
  ).map((item) => Number(item.key));
const count = (name: string, wanted: number) =>
  eventually(`${wanted} of ${name}`, async () => (await values(name)).length >= wanted);

test('events of a rolled back transaction are never published', async () => {
  const failure = publisher.service.database.transact(async (tx) => {
    publish(tx, [{ name: 'setting.changed', data: { name: 'never', value: 1, version: 1 } }]);
    throw new Error('no');
  });
  await expect(failure).rejects.toThrow('no');
  await change('afterwards', 1);
  await count('afterwards', 1);
  expect(await values('never')).toEqual([]);
});

test('events are delivered in commit order and marked as sent', async () => {
  for (let value = 1; value <= 300; value += 1) await change('ordered', value);
  await count('ordered', 300);
  expect(await values('ordered')).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  const unsent = () =>
    row<{ n: number }>(publisher.service.database.manager, 'select count(*) as n from outbox where sent_at is null');
  await eventually('all are marked', async () => (await unsent())?.n === 0);
});

test('events of one transaction take effect once and in order, even when they are sent again', async () => {
  const { database, bus } = publisher.service;
  const live = bus.named('live');
  const before = (await bus.jsm.streams.info(live)).state.messages;
  const names = Array.from({ length: 600 }, (_none, index) => index + 1);
  await database.transact(async (tx) => {
    publish(
      tx,
      names.map((value) => ({ name: 'setting.changed', data: { name: 'together', value, version: value } })),
    );
    const balances = names.map((id) => ({
      to: { user: id },
      event: 'wallet.balance' as const,
      data: { balance: id, available: id, held: 0 },
    }));
    publish(tx, balances);
  });
  await count('together', 600);
  const sendAgain = async (where: string) => {
    await publisher.rows(`update outbox set sent_at = null where ${where}`);
    await eventually(
      'all are marked',
      async () => (await publisher.rows('select 1 from outbox where sent_at is null limit 1')).length === 0,
    );
  };
  await sendAgain('id % 3 = 0');
  await sendAgain('true');
  await change('together', 601);
  await count('together', 601);
  expect(await values('together')).toEqual([...names, 601]);
  expect((await bus.jsm.streams.info(live)).state.messages - before).toBe(600);
  const first = await bus.jsm.streams.getMessage(live, { seq: before + 1 });
  expect(first?.json()).toMatchObject({ name: 'wallet.balance', data: { balance: 1 } });
});

test('a restart of the broker, even without its data, neither loses nor duplicates events', async () => {
  await change('restart', 1);
  await count('restart', 1);
  const port = nats.port;
  await nats.stop();
  await change('restart', 2);
  await rm(join(folder, 'store'), { recursive: true });
  nats = await startNats({ dataDir: folder, port, log: () => undefined });
  await change('restart', 3);
  await count('restart', 3);
  // Earlier events are not published again, or the inbox drops them.
  expect(await values('restart')).toEqual([1, 2, 3]);
});

test('an event that the broker delivers twice takes effect once', async () => {
  const { js, subject } = publisher.service.bus;
  const data = { name: 'twice', value: 1, version: 1 };
  const message = {
    id: randomUUID(),
    name: 'setting.changed',
    data,
    context: {},
    created_at: new Date().toISOString(),
  };
  for (const msgID of ['first', 'second']) {
    await js.publish(subject('events.setting.changed'), JSON.stringify(message), { ...NATS_TIMEOUT, msgID });
  }
  await js.publish(subject('events.setting.changed'), 'not even JSON', { ...NATS_TIMEOUT, msgID: 'third' });
  await change('then', 1);
  await count('then', 1);
  expect(await values('twice')).toEqual([1]);
});

test('a resync publishes every noun to one service again, in order', async () => {
  const wanted = Array.from({ length: 601 }, (_none, index) => index + 1);
  const snapshots = {
    'setting.changed': async function* () {
      for (const value of wanted) yield { name: 'again', value, version: value };
    },
  };
  const options = {
    consumer: 'wallet',
    snapshots,
    manager: publisher.service.database.manager,
    bus: publisher.service.bus,
  };
  expect(await resync({ ...options, name: 'setting.changed' })).toBe(601);
  await count('again', 601);
  expect(await values('again')).toEqual(wanted);
  await expect(resync({ ...options, name: 'user.changed' })).rejects.toThrow('owns setting.changed');
});

test('live events are published to their audience and not to services', async () => {
  const missed = { identifier: 'x', channel: 'y', call_type: 'audio', student_id: 5, teacher_id: 4 } as const;
  await publisher.service.database.transact((tx) =>
    publish(tx, [
      { to: { user: 5005 }, event: 'wallet.balance', data: { balance: 1, available: 1, held: 0 } },
      { to: { student: 5, teacher: 4 }, event: 'call.missed', data: missed },
      { to: 'admins', event: 'message.read', data: { room_uuid: 'x', up_to: 1 } },
    ]),
  );
  const { jsm, named, subject } = publisher.service.bus;
  const stored = (to: string) =>
    jsm.streams.getMessage(named('live'), { last_by_subj: subject(`live.${to}.identity`) }).catch(() => null);
  const message = await eventually('the live event', () => stored('user.5005.5005'));
  expect(message.json()).toMatchObject({ name: 'wallet.balance', data: { balance: 1 } });
  expect((await eventually('the pair', () => stored('user.5.4'))).json()).toMatchObject({ name: 'call.missed' });
  expect((await eventually('the admins', () => stored('admins'))).json()).toMatchObject({ name: 'message.read' });
});
