import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy } from '@nats-io/jetstream';
import { connectBus, consumersOf, STREAMS, type Bus } from '@tutoring/shared/events/bus';
import { CONSUMES, type EventName } from '@tutoring/shared/events/catalogue';
import type { ServiceConfig } from '@tutoring/shared/config';
import { createLogger } from '@tutoring/shared/logger';
import { SERVICES, type ServiceName } from '@tutoring/shared/process-names';
import type { ServiceDefinition } from '@tutoring/shared/service';
import { startTestService, testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { subscribeToRevocations } from '../../gateway/src/admission/revocations.ts';
import { calls } from '../../services/calls/src/app.ts';
import { identity } from '../../services/identity/src/app.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { wallet } from '../../services/wallet/src/app.ts';
import { natsPasswords } from '../../deploy/local/secrets.ts';
import { natsUrlOf, startNats } from '../../deploy/local/servers.ts';
import { configOf, USERS, valuesOf, type UserName } from '../../deploy/nats/users.ts';
import { SECRETS } from '../ops/replicas.ts';
import { text } from './processes.ts';

/* The rights of each NATS user on a real server. The journeys run as these users and show that the rights suffice. */

const passwords = natsPasswords(USERS);
let folder: string;
let nats: Awaited<ReturnType<typeof startNats>>;
const buses = {} as Record<UserName, Bus>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'users-'));
  nats = await startNats({ dataDir: folder, durable: false, passwords, log: () => undefined });
  const logger = createLogger('test', 'silent');
  for (const user of USERS) {
    const url = natsUrlOf(user, { port: nats.port, passwords });
    buses[user] = await connectBus({ url, prefix: 'tutoring', name: user, limits: testLimits, logger });
  }
  await buses.identity.ensureStreams();
  for (const service of SERVICES) await buses.identity.ensureConsumers(service, CONSUMES[service]);
});
afterAll(async () => {
  for (const bus of Object.values(buses)) await bus.close();
  await nats.stop();
  await rm(folder, { recursive: true, force: true });
});

const REFUSED = expect.stringMatching(/Permissions Violation|not permitted/i);
/** The server's refusal, from the error or its causes; undefined when the work succeeded. */
async function refusalOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const reasons: string[] = [];
    for (let at: unknown = error; at instanceof Error; at = at.cause) reasons.push(at.message);
    return reasons.join('; ');
  }
}
const tells = (user: UserName, subject: string) =>
  refusalOf(() => buses[user].js.publish(`tutoring.${subject}`, '{}', { timeout: 60_000 }));
/** The refusal of a subscription; undefined when the server still has it after a round trip. */
async function hears(user: UserName, subject: string): Promise<string | undefined> {
  let refusal: string | undefined;
  const { connection } = buses[user];
  const subscription = connection.subscribe(subject, { callback: (error) => void (refusal ??= error?.message) });
  await connection.flush();
  subscription.unsubscribe();
  return refusal;
}

const OWN: Record<ServiceName, EventName> = {
  identity: 'user.changed',
  wallet: 'deposit.changed',
  messaging: 'room.changed',
  calls: 'call.changed',
};

test('the users that servers read are those of the catalogue: npm run nats-users', async () => {
  expect(await text('deploy/compose/nats-users.conf')).toBe(configOf('tutoring'));
  expect(await text('deploy/kubernetes/operators/nats-users.yaml')).toBe(valuesOf('tutoring'));
});

const DEFINITIONS = { identity, wallet, messaging, calls } as unknown as Record<
  ServiceName,
  ServiceDefinition<ServiceConfig>
>;

test.each(SERVICES)('%s listens to what the catalogue says, so identity makes the right consumer', async (name) => {
  const service = await startTestService(DEFINITIONS[name], { env: { ...SECRETS, MAILBOX_FILE: join(folder, 'box') } });
  try {
    expect((service.service.parts.subscriptions ?? []).map((each) => each.name)).toEqual(CONSUMES[name]);
  } finally {
    await service.stop();
  }
});

describe.each(SERVICES)('%s', (name) => {
  const others = SERVICES.filter((other) => other !== name);
  const consumer = `tutoring-${name}`;

  test('may publish events of its own nouns and of its administrators', async () => {
    expect(await tells(name, `events.${OWN[name]}`)).toBeUndefined();
    expect(await tells(name, `resync.${name}.pages.${OWN[name]}`)).toBeUndefined();
    expect(await tells(name, `events.admin.acted.${name}`)).toBeUndefined();
  });

  test.each(others)('cannot tell what is told by %s', async (other) => {
    expect(await tells(name, `events.${OWN[other]}`)).toEqual(REFUSED);
    expect(await tells(name, `events.admin.acted.${other}`)).toEqual(REFUSED);
    expect(await tells(name, `resync.${name}.${OWN[other]}.more`)).toEqual(REFUSED);
    expect(await tells(name, `resync.${name}.pages.${OWN[other]}`)).toEqual(REFUSED);
  });

  test('tells revocations only if it is identity', async () => {
    const expected = name === 'identity' ? undefined : REFUSED;
    for (const subject of ['revocations.tokens.revoked', 'events.tokens.revoked'])
      expect(await tells(name, subject)).toEqual(expected);
    if (name === 'identity') return;
    const { connection } = buses[name];
    const refused = (async () => {
      for await (const status of connection.status()) if (status.type === 'error') return status.error.message;
      return undefined;
    })();
    connection.publish('tutoring.hints.tokens.revoked', '{}');
    expect(await refused).toEqual(REFUSED);
  });

  test('hears nothing but replies to itself', async () => {
    expect(await hears(name, `_INBOX_tutoring-${name}.x`)).toBeUndefined();
    const subjects = [
      '>',
      'tutoring.>',
      'tutoring.events.>',
      '_INBOX.>',
      ...others.map((other) => `_INBOX_tutoring-${other}.>`),
    ];
    for (const subject of subjects) expect(await hears(name, subject)).toEqual(REFUSED);
  });

  test('takes from its own consumers alone, and acknowledges there', async () => {
    for (const own of consumersOf(consumer))
      expect((await (await buses[name].js.consumers.get('tutoring-events', own)).info()).name).toBe(own);
    for (const other of others.flatMap(consumersOf)) {
      const request = `$JS.API.CONSUMER.MSG.NEXT.tutoring-events.tutoring-${other}`;
      expect(await refusalOf(() => buses[name].connection.request(request, '1'))).toEqual(REFUSED);
      const ack = `$JS.ACK.tutoring-events.tutoring-${other}.1.1.1.1.0`;
      expect(await refusalOf(() => buses[name].connection.request(ack, '+ACK'))).toEqual(REFUSED);
    }
  });

  test('may not delete, purge or directly read a stream, nor make a consumer', async () => {
    const { jsm } = buses[name];
    for (const stream of STREAMS.map((each) => `tutoring-${each}`)) {
      expect(await refusalOf(() => jsm.streams.delete(stream))).toEqual(REFUSED);
      expect(await refusalOf(() => jsm.streams.purge(stream))).toEqual(REFUSED);
      expect(await refusalOf(() => jsm.streams.deleteMessage(stream, 1))).toEqual(REFUSED);
      expect(await refusalOf(() => jsm.streams.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
      expect(await refusalOf(() => jsm.direct.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
      const spy = { name: 'spy', ack_policy: AckPolicy.None };
      expect(await refusalOf(() => jsm.consumers.add(stream, spy))).toEqual(REFUSED);
      const push = { ...spy, deliver_subject: 'tutoring.hints.tokens.revoked' };
      expect(await refusalOf(() => jsm.consumers.add(stream, push))).toEqual(REFUSED);
    }
  });

  test('changes a stream or a consumer only if it is identity', async () => {
    const expected = name === 'identity' ? undefined : REFUSED;
    const { jsm } = buses[name];
    const request = (what: string, body: object) =>
      refusalOf(() => buses[name].connection.request(`$JS.API.${what}`, JSON.stringify(body)));
    const { config } = await jsm.streams.info('tutoring-live');
    expect(await request('STREAM.UPDATE.tutoring-live', config)).toEqual(expected);
    const durable = await buses.identity.jsm.consumers.info('tutoring-events', consumer);
    const made = { stream_name: 'tutoring-events', config: durable.config };
    expect(await request(`CONSUMER.DURABLE.CREATE.tutoring-events.${consumer}`, made)).toEqual(expected);
    expect(await request(`CONSUMER.CREATE.tutoring-events.${consumer}`, made)).toEqual(REFUSED);
    expect(await request('STREAM.CREATE.mine', { name: 'mine', subjects: ['mine'] })).toEqual(REFUSED);
  });
});

test('the gateway tells nothing, and reads live events alone', async () => {
  for (const subject of ['live.user.1.1', 'live.admins', 'events.user.changed', 'revocations.tokens.revoked'])
    expect(await tells('gateway', subject)).toEqual(REFUSED);
  const { jsm } = buses.gateway;
  const spy = { name: 'spy', ack_policy: AckPolicy.None };
  for (const stream of ['tutoring-events', 'tutoring-revocations']) {
    expect(await refusalOf(() => jsm.consumers.add(stream, spy))).toEqual(REFUSED);
    expect(await refusalOf(() => jsm.streams.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
    expect(await refusalOf(() => jsm.direct.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
  }
  // There is no such message, but the request is allowed.
  expect(await refusalOf(() => jsm.direct.getMessage('tutoring-live', { seq: 1 }))).not.toEqual(REFUSED);
  expect(await refusalOf(() => jsm.streams.delete('tutoring-live'))).toEqual(REFUSED);
  for (const subject of ['>', 'tutoring.live.>', 'tutoring.events.>', '_INBOX_tutoring-identity.>'])
    expect(await hears('gateway', subject)).toEqual(REFUSED);
});

test('the gateway hears no revocation that a service has its own consumer deliver there', async () => {
  const heard: string[] = [];
  subscribeToRevocations(buses.gateway, createLogger('test', 'silent')).onRevoked(
    ({ subject }) => void heard.push(subject),
  );
  await buses.gateway.connection.flush();
  const { connection, js } = buses.wallet;
  const forged = JSON.stringify({ subject: 'user:1', token_ids: [] });
  const delivered = async () =>
    (await buses.identity.jsm.consumers.info('tutoring-events', 'tutoring-wallet-resync')).delivered.stream_seq;
  for (const kind of ['hints', 'revocations', 'events']) {
    const { seq } = await js.publish('tutoring.resync.wallet.user.changed', forged);
    const request = '$JS.API.CONSUMER.MSG.NEXT.tutoring-events.tutoring-wallet-resync';
    // A request that does not wait may come before the consumer knows the message.
    await eventually('it is delivered', async () => {
      connection.publish(request, '{"batch":100,"no_wait":true}', { reply: `tutoring.${kind}.tokens.revoked` });
      return (await delivered()) >= seq;
    });
  }
  buses.identity.connection.publish('tutoring.hints.tokens.revoked', forged.replace('user:1', 'user:2'));
  await eventually('identity is heard', () => heard.includes('user:2'));
  expect(heard).toEqual(['user:2']);
});

test('nobody, not even the operator, takes back what has been told', async () => {
  const { jsm } = buses.operator;
  for (const stream of STREAMS.map((each) => `tutoring-${each}`)) {
    const { config } = await jsm.streams.info(stream);
    expect(config).toMatchObject({ deny_delete: true, deny_purge: true });
    expect(await refusalOf(() => jsm.streams.purge(stream))).toEqual(REFUSED);
    expect(await refusalOf(() => jsm.streams.update(stream, { deny_purge: false }))).toMatch(/can not cancel/);
  }
  expect(await tells('operator', 'events.user.changed')).toEqual(REFUSED);
});

test('other services leave streams and consumers to identity, without an error', async () => {
  await buses.wallet.ensureStreams();
  await buses.wallet.ensureConsumers('wallet', ['user.changed']);
  const { config } = await buses.operator.jsm.consumers.info('tutoring-events', 'tutoring-wallet');
  expect(config.filter_subjects).toHaveLength(CONSUMES.wallet.length);
});
