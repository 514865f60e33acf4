import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startNats, type Server } from '../../deploy/local/servers.ts';
import { serviceConfig } from '../contract/config.ts';
import { row, rows } from '../kit/database/sql.ts';
import { connectBus, topology } from '../contract/bus.ts';
import type { Bus } from '../kit/events/bus.ts';
import { publish } from '../contract/publish.ts';
import { on } from '../contract/subscriptions.ts';
import { createLogger } from '../kit/process/logger.ts';
import { defineService } from '../contract/service.ts';
import { newPrefix, startTestService, testLimits, type TestService } from '../testing/service.ts';
import { eventually, NATS_TIMEOUT } from '../testing/wait.ts';

/* A broker with a tiny store that is full. */

const STORE = 16_000_000;
const EVENTS = 4_000_000;
/** The part of a service's own stream. */
const OWN = Math.floor(EVENTS / 6);
const ENV = {
  NATS_EVENTS_BYTES: String(EVENTS),
  NATS_LIVE_BYTES: '4000000',
  NATS_REVOCATIONS_BYTES: '1000000',
};
const remember = `insert into idempotency_key (caller, scope, key, fingerprint) values ('consumed', $1, $2, '')`;

/** A service that consumes its own events. */
const echo = defineService({
  name: 'identity',
  config: serviceConfig,
  migrations: new URL('../../services/identity/migrations/', import.meta.url),
  build: () => ({
    routes: [],
    subscriptions: [
      on('setting.changed', async (tx, data) => void (await rows(tx, remember, [data.name, `${data.value}`]))),
    ],
  }),
});

let folder: string;
let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
const services: TestService[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nats-'));
  nats = await startNats({ dataDir: folder, maxStore: STORE, log: () => undefined });
  const logger = createLogger('test', 'silent');
  bus = await connectBus({ url: nats.url, prefix: newPrefix(), name: 'test', limits: testLimits, logger });
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await bus.close();
  await nats.stop();
  await rm(folder, { recursive: true });
});

async function start(env: Record<string, string> = ENV, prefix?: string): Promise<TestService> {
  const service = await startTestService(echo, { env: { ...env, NATS_URL: nats.url }, ...(prefix && { prefix }) });
  services.push(service);
  return service;
}

async function stop(service: TestService): Promise<void> {
  services.splice(services.indexOf(service), 1);
  for (const name of topology.streams) await bus.jsm.streams.delete(`${service.prefix}-${name}`).catch(() => undefined);
  await service.stop();
}

/** Publishes one event to each stream. */
const change = (service: TestService, value: number) =>
  service.service.database.transact(async (tx) => {
    publish(tx, [{ name: 'setting.changed', data: { name: 'changed', value, version: value } }]);
    publish(tx, [{ name: 'tokens.revoked', data: { subject: `user:${value}`, token_ids: [] } }]);
    publish(tx, [
      { to: { user: value }, event: 'wallet.balance', data: { balance: value, available: value, held: 0 } },
    ]);
  });
const unsent = async ({ service: { database } }: TestService) =>
  (await row<{ n: number }>(database.manager, 'select count(*) as n from outbox where sent_at is null'))?.n;
const consumed = async (service: TestService, value: number) =>
  (await service.rows(`select from idempotency_key where scope = 'changed' and key = $1`, [`${value}`])).length === 1;

/** Publishes to a subject until `bytes` are stored, or the broker refuses. */
async function flood(subject: string, bytes: number): Promise<unknown> {
  const payload = 'x'.repeat(50_000);
  for (let sent = 0; sent < bytes; sent += payload.length)
    try {
      await bus.js.publish(subject, payload, NATS_TIMEOUT);
    } catch (error) {
      return error;
    }
  return undefined;
}

test('a stream stays within its byte limit, and a full stream takes no space from the others', async () => {
  const port = await freePort();
  const service = await start({ ...ENV, METRICS_PORT: String(port) });
  const { jsm, named, subject } = service.service.bus;
  // Several times the whole store: the oldest messages are dropped, nothing is refused.
  expect(await flood(subject('events.user.changed'), 2 * STORE)).toBeUndefined();
  const { state } = await jsm.streams.info(named('events-identity'));
  expect(state.bytes).toBeLessThanOrEqual(OWN);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const fill = (stream: string) =>
    Number(new RegExp(`^stream_fill{stream="${stream}".* (.+)$`, 'm').exec(metrics)?.[1]);
  expect(fill('events-identity')).toBeGreaterThan(0.9);
  for (const other of ['events-wallet', 'events-messaging', 'events-calls', 'revocations']) expect(fill(other)).toBe(0);
  await change(service, 1);
  await eventually(
    'all is sent and consumed',
    async () => (await unsent(service)) === 0 && (await consumed(service, 1)),
  );
  for (const [stream, last] of [
    ['live', 'live.user.1.1.identity'],
    ['revocations', 'revocations.tokens.revoked'],
  ] as const) {
    const message = await jsm.streams.getMessage(named(stream), { last_by_subj: subject(last) });
    expect(message?.json()).toMatchObject({ data: expect.anything() });
  }
  await stop(service);
});

test('a full store refuses events, which are sent without intervention when there is room again', async () => {
  const service = await start();
  const foreign = `${newPrefix()}-foreign`;
  await bus.jsm.streams.add({ name: foreign, subjects: [`${foreign}.>`], storage: 'file' });
  expect(await flood(`${foreign}.junk`, 2 * STORE)).toMatchObject({ code: 10_023 });
  await change(service, 1);
  await expect(
    service.service.bus.js.publish(service.service.bus.subject('events.setting.changed'), '{}', NATS_TIMEOUT),
  ).rejects.toThrow('insufficient resources');
  expect(await unsent(service)).toBe(3);
  await bus.jsm.streams.purge(foreign);
  await eventually(
    'all is sent and consumed',
    async () => (await unsent(service)) === 0 && (await consumed(service, 1)),
  );
  await bus.jsm.streams.delete(foreign);
  await stop(service);
});

test('full streams of the previous release, without limits, get their limits at start', async () => {
  const prefix = newPrefix();
  const events = { name: `${prefix}-events`, subjects: [`${prefix}.events.>`, `${prefix}.resync.>`] };
  await bus.jsm.streams.add({ ...events, storage: 'file', discard: 'old', max_age: 14 * 86_400_000_000_000 });
  expect(await flood(`${prefix}.events.junk`, 2 * STORE)).toMatchObject({ code: 10_023 });
  const service = await start(ENV, prefix);
  const { config, state } = await bus.jsm.streams.info(`${prefix}-events`);
  expect(config).toMatchObject({ max_bytes: 2 * OWN, max_age: 48 * 3_600_000_000_000 });
  expect(state.bytes).toBeLessThanOrEqual(2 * OWN);
  await change(service, 1);
  await eventually(
    'all is sent and consumed',
    async () => (await unsent(service)) === 0 && (await consumed(service, 1)),
  );
  await stop(service);
});

test('a service runs with an unchanged stream when the server refuses to enlarge it', async () => {
  const prefix = newPrefix();
  const first = await start(ENV, prefix);
  const second = await start({ ...ENV, NATS_EVENTS_BYTES: String(10 * STORE) }, prefix);
  expect((await bus.jsm.streams.info(`${prefix}-events-identity`)).config.max_bytes).toBe(OWN);
  await change(second, 1);
  await eventually('all is sent', async () => (await unsent(second)) === 0);
  services.splice(services.indexOf(second), 1);
  await second.stop();
  await stop(first);
});

test('the limit of a stream may exceed the free disk space, and can be lowered again', async () => {
  const local = await startNats({ dataDir: join(folder, 'local'), log: () => undefined });
  const logger = createLogger('test', 'silent');
  const moreThanDisks = 1e14;
  try {
    for (const bytes of [moreThanDisks, EVENTS]) {
      const limits = { ...testLimits, NATS_EVENTS_BYTES: bytes };
      const own = await connectBus({ url: local.url, prefix: 'local', name: 'test', limits, logger });
      await own.ensureStreams();
      const there = await own.jsm.streams.info(own.named('events-identity')).catch(() => undefined);
      await own.close();
      expect(there?.config.max_bytes).toBe(Math.floor(bytes / 6));
    }
  } finally {
    await local.stop();
  }
});

test('a NATS server that cannot write to a stream exits, and writes to it after a restart', async () => {
  const options = { dataDir: join(folder, 'broken'), log: () => undefined };
  const logger = createLogger('test', 'silent');
  const connected = ({ url }: Server) =>
    connectBus({ url, prefix: 'broken', name: 'test', limits: testLimits, logger });
  let server = await startNats(options);
  try {
    const first = await connected(server);
    await first.jsm.streams.add({ name: 'one', subjects: ['one'], max_bytes: 64_000 });
    // A folder with the name of the next file of the stream.
    const obstacle = join(options.dataDir, 'store/jetstream/$G/streams/one/msgs/2.blk');
    await mkdir(obstacle);
    for (let sent = 0; sent < 64; sent += 1) first.connection.publish('one', new Uint8Array(1_000));
    await server.exited;
    await first.close();
    await rm(obstacle, { recursive: true });
    server = await startNats(options);
    const second = await connected(server);
    await second.js.publish('one', 'written', NATS_TIMEOUT);
    await second.close();
  } finally {
    await server.stop();
  }
});

test('gateways of the previous release receive revocations on their subject', async () => {
  const service = await start();
  const { connection, subject } = service.service.bus;
  const received: unknown[] = [];
  connection.subscribe(subject('events.tokens.revoked'), {
    callback: (_error, message) => void received.push(message.json()),
  });
  await connection.flush();
  await change(service, 7);
  const revocation = { name: 'tokens.revoked', data: { subject: 'user:7', token_ids: [] } };
  await eventually('it is received there', () => received.length > 0);
  expect(received).toEqual([expect.objectContaining(revocation)]);
  await stop(service);
});
