import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { connectBus } from '@tutoring/shared/contract/bus';
import { consumersOf, STREAMS, type Bus } from '@tutoring/shared/kit/events/bus';
import { CONSUMES, type EventName } from '@tutoring/shared/contract/events';
import type { ServiceConfig } from '@tutoring/shared/kit/process/config';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import type { ServiceDefinition } from '@tutoring/shared/contract/service';
import { startTestService, testLimits } from '@tutoring/shared/testing/service';
import { eventually, NATS_TIMEOUT } from '@tutoring/shared/testing/wait';
import { subscribeToRevocations } from '../../gateway/src/admission/revocations.ts';
import { calls } from '../../services/calls/src/app.ts';
import { identity } from '../../services/identity/src/app.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { wallet } from '../../services/wallet/src/app.ts';
import { natsPasswords } from '../../deploy/local/secrets.ts';
import { natsUrlOf, startNats } from '../../deploy/local/servers.ts';
import { configOf, USERS, valuesOf, type UserName } from '../../deploy/nats/users.ts';
import { SECRETS } from '../journeys/system.ts';
import { parse } from 'yaml';
import { text } from './processes.ts';
import { refusalOf } from './refusal.ts';

/* The permissions of each NATS user on a real server. The journeys use the same users, so the permissions suffice. */

const passwords = natsPasswords(USERS);
let folder: string;
let nats: Awaited<ReturnType<typeof startNats>>;
const buses = {} as Record<UserName, Bus>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'users-'));
  nats = await startNats({ dataDir: folder, passwords, log: () => undefined });
  const logger = createLogger('test', 'silent');
  for (const user of USERS) {
    const url = natsUrlOf(user, { port: nats.port, passwords });
    buses[user] = await connectBus({ url, prefix: 'tutoring', name: user, limits: testLimits, logger });
  }
  await buses.operator.ensureStreams();
  for (const service of SERVICES) await buses.operator.ensureConsumers(service, CONSUMES[service]);
});
afterAll(async () => {
  for (const bus of Object.values(buses)) await bus.close();
  await nats.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A publish that is not exported gets no responders; only the operator's account has publish permissions. */
const REFUSED = expect.stringMatching(/no responders|not enabled|Permissions Violation|not permitted/i);
const publishes = (user: UserName, subject: string) =>
  refusalOf(() => buses[user].js.publish(`tutoring.${subject}`, '{}', NATS_TIMEOUT));
const PROCESSES = USERS.filter((user) => user !== 'operator');

/**
 * Subscribes like another replica of the process. Drain the connection: after a close the server keeps its interest.
 */
async function replicaOf(name: UserName) {
  const received: { subject: string; text: string }[] = [];
  const connection = await connect({
    servers: [`127.0.0.1:${nats.port}`],
    user: `tutoring-${name}`,
    pass: passwords[name]!,
  });
  connection.subscribe('>', {
    callback: (_, message) => void received.push({ subject: message.subject, text: message.string() }),
  });
  await connection.flush();
  return { connection, received };
}

const OWN: Record<ServiceName, EventName> = {
  identity: 'user.changed',
  wallet: 'deposit.changed',
  messaging: 'room.changed',
  calls: 'call.changed',
};

test('the configuration files of NATS match the event catalogue (npm run nats-users)', async () => {
  expect(await text('deploy/compose/nats-users.conf')).toBe(configOf('tutoring'));
  expect(await text('deploy/kubernetes/operators/nats-users.yaml')).toBe(valuesOf('tutoring'));
});

const DEFINITIONS = { identity, wallet, messaging, calls } as unknown as Record<
  ServiceName,
  ServiceDefinition<ServiceConfig>
>;

test.each(SERVICES)(
  '%s subscribes to the events in the catalogue, from which its consumer is created',
  async (name) => {
    const service = await startTestService(DEFINITIONS[name], {
      env: { ...SECRETS, MAILBOX_FILE: join(folder, 'box') },
    });
    try {
      expect((service.service.parts.subscriptions ?? []).map((subscription) => subscription.name)).toEqual(
        CONSUMES[name],
      );
    } finally {
      await service.stop();
    }
  },
);

describe.each(SERVICES)('%s', (name) => {
  const others = SERVICES.filter((other) => other !== name);
  const consumer = `tutoring-${name}`;

  test('may publish events about its own data and actions of its administrators', async () => {
    expect(await publishes(name, `events.${OWN[name]}`)).toBeUndefined();
    expect(await publishes(name, `resync.${name}.${OWN[name]}`)).toBeUndefined();
    expect(await publishes(name, `events.admin.acted.${name}`)).toBeUndefined();
  });

  test.each(others)('cannot publish events of %s', async (other) => {
    expect(await publishes(name, `events.${OWN[other]}`)).toEqual(REFUSED);
    expect(await publishes(name, `events.admin.acted.${other}`)).toEqual(REFUSED);
    for (const live of ['user.1.1', 'admins']) expect(await publishes(name, `live.${live}.${other}`)).toEqual(REFUSED);
    expect(await publishes(name, `resync.${name}.${OWN[other]}.more`)).toEqual(REFUSED);
  });

  test('cannot read streams', async () => {
    const { jsm } = buses[name];
    for (const stream of STREAMS.map((each) => `tutoring-${each}`)) {
      expect(await refusalOf(() => jsm.streams.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
      expect(await refusalOf(() => jsm.direct.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
    }
  });

  test('can publish revocations only if it is identity', async () => {
    expect(await publishes(name, 'revocations.tokens.revoked')).toEqual(name === 'identity' ? undefined : REFUSED);
    // The subject to which the stream republishes stored messages.
    expect(await publishes(name, 'events.tokens.revoked')).toEqual(REFUSED);
    const { connection, received } = await replicaOf('gateway');
    buses[name].connection.publish('tutoring.hints.tokens.revoked', name);
    await buses[name].connection.flush();
    await connection.flush();
    expect(received.map(({ text }) => text)).toEqual(name === 'identity' ? [name] : []);
    await connection.drain();
  });

  test('can wake only the relay of its own replicas', async () => {
    const replicas = await Promise.all(PROCESSES.map(replicaOf));
    buses[name].connection.publish(`tutoring.hints.outbox.${name}`, 'live');
    await buses[name].connection.flush();
    for (const { connection } of replicas) await connection.flush();
    expect(PROCESSES.filter((_, index) => replicas[index]!.received.length > 0)).toEqual([name]);
    for (const { connection } of replicas) await connection.drain();
  });

  test('can fetch from and acknowledge to its own consumers only', async () => {
    for (const own of consumersOf(consumer))
      expect((await (await buses[name].js.consumers.get('tutoring-events', own)).info()).name).toBe(own);
    for (const other of others.flatMap(consumersOf)) {
      const request = `$JS.API.CONSUMER.MSG.NEXT.tutoring-events.tutoring-${other}`;
      expect(await refusalOf(() => buses[name].connection.request(request, '1'))).toEqual(REFUSED);
      const ack = `$JS.ACK.tutoring-events.tutoring-${other}.1.1.1.1.0`;
      expect(await refusalOf(() => buses[name].connection.request(ack, '+ACK'))).toEqual(REFUSED);
      const reset = `$JS.API.CONSUMER.RESET.tutoring-events.tutoring-${other}`;
      expect(await refusalOf(() => buses[name].connection.request(reset, '{"seq":1}'))).toEqual(REFUSED);
    }
  });

  test('reaches other processes only through the subjects that they import from it', async () => {
    const replicas = await Promise.all(PROCESSES.filter((other) => other !== name).map(replicaOf));
    for (const subject of [`events.${OWN[name]}`, `events.admin.acted.${name}`, `live.admins.${name}`])
      await publishes(name, subject);
    for (const { connection } of replicas) await connection.flush();
    const received = replicas.flatMap((replica) => replica.received.map(({ subject }) => subject));
    expect(new Set(received)).toEqual(new Set(name === 'identity' ? [] : [`tutoring.stored.live.admins.${name}`]));
    for (const { connection } of replicas) await connection.drain();
  });
});

test('the gateway can publish nothing, and can read only live events', async () => {
  for (const subject of [
    'live.user.1.1.calls',
    'live.admins.messaging',
    'events.user.changed',
    'revocations.tokens.revoked',
  ])
    expect(await publishes('gateway', subject)).toEqual(REFUSED);
  const { jsm } = buses.gateway;
  for (const stream of ['tutoring-events', 'tutoring-revocations']) {
    expect(await refusalOf(() => jsm.streams.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
    expect(await refusalOf(() => jsm.direct.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
  }
  // The message does not exist, but the request is allowed.
  expect(await refusalOf(() => jsm.direct.getMessage('tutoring-live', { seq: 1_000_000 }))).not.toEqual(REFUSED);
});

describe.each(PROCESSES)('a compromised %s', (name) => {
  /** All subjects that it may request. */
  const rights = () =>
    parse(valuesOf('tutoring')).config.merge.accounts[`tutoring-${name}`].imports.flatMap(
      ({ service }: { service?: { subject: string } }) =>
        service ? [service.subject.replace('>', '1.1.1.1.0').replaceAll('*', '1')] : [],
    ) as string[];
  const streams = STREAMS.map((each) => `tutoring-${each}`);
  const consumers = SERVICES.flatMap(consumersOf).map((consumer) => `tutoring-events.tutoring-${consumer}`);
  const destructive = [
    ...['DELETE', 'PURGE', 'UPDATE', 'MSG.DELETE', 'LEADER.STEPDOWN'].flatMap((request) =>
      streams.map((stream) => `STREAM.${request}.${stream}`),
    ),
    ...['DELETE', 'PAUSE'].flatMap((request) => consumers.map((consumer) => `CONSUMER.${request}.${consumer}`)),
  ].map((request) => `$JS.API.${request}`);

  /** The state of streams and consumers that must not change, and the last sequence numbers. */
  async function state() {
    const { jsm } = buses.operator;
    const infos = await Promise.all(streams.map((stream) => jsm.streams.info(stream)));
    const names = await jsm.consumers.list('tutoring-events').next();
    return {
      kept: {
        streams: infos.map(({ created, config, state: { first_seq } }) => ({ created, config, first_seq })),
        consumers: names.map(({ name: consumer, created, config }) => ({ consumer, created, config })),
      },
      last: infos.map((info) => info.state.last_seq),
    };
  }

  test('cannot delete, purge, change or create a stream or a consumer', async () => {
    const before = await state();
    const { connection, jsm } = buses[name];
    for (const request of destructive) expect(await refusalOf(() => connection.request(request))).toEqual(REFUSED);
    for (const stream of streams) {
      const spy = { name: 'spy', ack_policy: AckPolicy.None };
      expect(await refusalOf(() => jsm.consumers.add(stream, spy))).toEqual(REFUSED);
      const push = { ...spy, deliver_subject: '$JS.API.STREAM.DELETE.tutoring-live', headers_only: true };
      expect(await refusalOf(() => jsm.consumers.add(stream, push))).toEqual(REFUSED);
      const durable = { durable_name: `tutoring-${name}`, ack_policy: AckPolicy.Explicit };
      expect(await refusalOf(() => jsm.consumers.add(stream, durable))).toEqual(REFUSED);
    }
    expect(await refusalOf(() => jsm.streams.add({ name: 'mine', subjects: ['mine'] }))).toEqual(REFUSED);
    expect(await state()).toEqual(before);
  });

  test('cannot make the server send a reply to a subject beyond its own permissions', async () => {
    const before = await state();
    const { connection } = buses[name];
    const revoked: string[] = [];
    const onRevoked = subscribeToRevocations(buses.gateway, createLogger('test', 'silent'));
    onRevoked(({ subject }) => void revoked.push(subject));
    await buses.gateway.connection.flush();
    const junk = ['revocations.tokens.revoked', 'hints.tokens.revoked', 'live.admins.messaging', 'events.user.changed'];
    const targets = [...destructive, ...junk.map((subject) => `tutoring.${subject}`)].filter(
      (target) => !rights().includes(target),
    );
    const now = '{"batch":1,"no_wait":true}';
    for (const right of rights().filter((subject) => subject.startsWith('$JS.')))
      for (const reply of targets)
        for (const body of right.includes('MSG.NEXT') ? [now] : ['', now, `+NXT ${now}`])
          connection.publish(right, body, { reply });
    await connection.flush();
    await eventually('all requests are answered', async () => {
      const infos = await buses.operator.jsm.consumers.list('tutoring-events').next();
      return infos.every(({ num_waiting }) => num_waiting === 0);
    });
    expect(await state()).toEqual(before);
    buses.identity.connection.publish('tutoring.hints.tokens.revoked', '{"subject":"user:2","token_ids":[]}');
    await eventually('identity is received', () => revoked.includes('user:2'));
    expect(revoked).toEqual(['user:2']);
  });

  test('cannot acknowledge messages of another process through the reply subject of a request', async () => {
    const { connection } = buses[name];
    const refused = Promise.withResolvers<string>();
    void (async () => {
      for await (const status of connection.status())
        if (status.type === 'error') refused.resolve(status.error.message);
    })();
    const reply = `$JS.ACK.tutoring-events.tutoring-${name === 'identity' ? 'wallet' : 'identity'}.1.1.1.1.0`;
    connection.publish(rights()[0]!, '', { reply });
    expect(await refused.promise).toMatch(/Permissions Violation/);
  });
});

test('nobody, not even the operator, can delete published messages', async () => {
  const { jsm } = buses.operator;
  for (const stream of STREAMS.map((each) => `tutoring-${each}`)) {
    const { config } = await jsm.streams.info(stream);
    expect(config).toMatchObject({ deny_delete: true, deny_purge: true });
    expect(await refusalOf(() => jsm.streams.purge(stream))).toEqual(REFUSED);
    expect(await refusalOf(() => jsm.streams.update(stream, { deny_purge: false }))).toMatch(/can not cancel/);
  }
  expect(await publishes('operator', 'events.user.changed')).toEqual(REFUSED);
});

test('a process that ensures streams and consumers changes nothing, without an error', async () => {
  for (const { ensureConsumers, ensureStreams } of PROCESSES.map((name) => buses[name])) {
    await ensureStreams();
    await ensureConsumers('wallet', ['user.changed']);
  }
  const { config } = await buses.operator.jsm.consumers.info('tutoring-events', 'tutoring-wallet');
  expect(config.filter_subjects).toHaveLength(CONSUMES.wallet.length);
});
