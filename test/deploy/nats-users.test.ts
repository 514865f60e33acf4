import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { topology } from '@tutoring/shared/contract/bus';
import { CONSUMES, type EventName } from '@tutoring/shared/contract/events';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import type { ServiceDefinition } from '@tutoring/shared/contract/service';
import { consumersOf, eventsOf, PREVIOUS } from '@tutoring/shared/kit/events/streams';
import type { ServiceConfig } from '@tutoring/shared/kit/process/config';
import { startTestService } from '@tutoring/shared/testing/service';
import { NATS_TIMEOUT } from '@tutoring/shared/testing/wait';
import { calls } from '../../services/calls/src/app.ts';
import { identity } from '../../services/identity/src/app.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { wallet } from '../../services/wallet/src/app.ts';
import { configOf, valuesOf } from '../../deploy/nats/users.ts';
import { SECRETS } from '../journeys/system.ts';
import { connectUsers, PROCESSES, REFUSED } from './nats-buses.ts';
import { text } from './processes.ts';
import { refusalOf } from './refusal.ts';

/* The permissions of each NATS user on a real server. The journeys use the same users, so the permissions suffice. */

const { buses, folder, publishes, replicaOf } = connectUsers();

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
      env: { ...SECRETS, MAILBOX_FILE: join(folder(), 'box') },
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
  const isOwn = ({ consumer }: { consumer: string }) => consumersOf(name).some((own) => own === consumer);
  const pathOf = ({ stream, consumer }: { stream: string; consumer: string }) =>
    [`tutoring-${stream}`, `tutoring-${consumer}`] as const;

  test('may publish events about its own data and actions of its administrators, to its own stream', async () => {
    const { jsm } = buses.operator;
    const lastOf = async () =>
      Promise.all(
        topology.streams.map(async (stream) => (await jsm.streams.info(`tutoring-${stream}`)).state.last_seq),
      );
    const before = await lastOf();
    for (const subject of [
      `events.${OWN[name]}`,
      `resync.${name}.${OWN[name]}.${name}`,
      `resync.${name}.${CONSUMES[name][0]}.${name}`,
      `events.admin.acted.${name}`,
    ])
      expect(await publishes(name, subject)).toBeUndefined();
    const after = await lastOf();
    const grown = topology.streams.filter((stream, index) => stream !== PREVIOUS && after[index]! > before[index]!);
    expect(grown).toEqual([eventsOf(name)]);
  });

  test('may publish pages as a process of the previous release does', async () => {
    expect(await publishes(name, `resync.${name}.${OWN[name]}`)).toBeUndefined();
  });

  test.each(others)('cannot publish events of %s', async (other) => {
    expect(await publishes(name, `events.${OWN[other]}`)).toEqual(REFUSED);
    expect(await publishes(name, `events.admin.acted.${other}`)).toEqual(REFUSED);
    for (const live of ['user.1.1', 'admins']) expect(await publishes(name, `live.${live}.${other}`)).toEqual(REFUSED);
    for (const consumer of [name, other])
      expect(await publishes(name, `resync.${consumer}.${OWN[name]}.${other}`)).toEqual(REFUSED);
    expect(await publishes(name, `resync.${name}.${OWN[other]}.more`)).toEqual(REFUSED);
  });

  test('cannot read streams', async () => {
    const { jsm } = buses[name];
    for (const stream of topology.streams.map((each) => `tutoring-${each}`)) {
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
    for (const own of topology.allConsumers().filter(isOwn).map(pathOf))
      expect((await (await buses[name].js.consumers.get(...own)).info()).name).toBe(own[1]);
    for (const other of topology
      .allConsumers()
      .filter((each) => !isOwn(each))
      .map(pathOf)) {
      const path = other.join('.');
      const request = `$JS.API.CONSUMER.MSG.NEXT.${path}`;
      expect(await refusalOf(() => buses[name].connection.request(request, '1', NATS_TIMEOUT))).toEqual(REFUSED);
      const ack = `$JS.ACK.${path}.1.1.1.1.0`;
      expect(await refusalOf(() => buses[name].connection.request(ack, '+ACK', NATS_TIMEOUT))).toEqual(REFUSED);
      const reset = `$JS.API.CONSUMER.RESET.${path}`;
      expect(await refusalOf(() => buses[name].connection.request(reset, '{"seq":1}', NATS_TIMEOUT))).toEqual(REFUSED);
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
  for (const stream of topology.streams.filter((each) => each !== 'live').map((each) => `tutoring-${each}`)) {
    expect(await refusalOf(() => jsm.streams.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
    expect(await refusalOf(() => jsm.direct.getMessage(stream, { seq: 1 }))).toEqual(REFUSED);
  }
  // The message does not exist, but the request is allowed.
  expect(await refusalOf(() => jsm.direct.getMessage('tutoring-live', { seq: 1_000_000 }))).not.toEqual(REFUSED);
});

test('nobody, not even the operator, can delete published messages', async () => {
  const { jsm } = buses.operator;
  for (const stream of topology.streams.map((each) => `tutoring-${each}`)) {
    const { config } = await jsm.streams.info(stream);
    expect(config).toMatchObject({ deny_delete: true, deny_purge: true });
    expect(await refusalOf(() => jsm.streams.purge(stream))).toEqual(REFUSED);
    expect(await refusalOf(() => jsm.streams.update(stream, { deny_purge: false }))).toMatch(/can not cancel/);
  }
  expect(await publishes('operator', 'events.user.changed')).toEqual(REFUSED);
});

test('a process that ensures streams and consumers changes nothing, without an error', async () => {
  for (const { ensureConsumer, ensureStreams } of PROCESSES.map((name) => buses[name])) {
    await ensureStreams();
    await ensureConsumer({ stream: 'events-identity', consumer: 'wallet', subjects: ['events.user.changed'] });
  }
  const { config } = await buses.operator.jsm.consumers.info('tutoring-events-identity', 'tutoring-wallet');
  expect(config.filter_subjects).toHaveLength(CONSUMES.wallet.length);
});
