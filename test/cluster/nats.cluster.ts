import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connectBus, topology } from '@tutoring/shared/contract/bus';
import { CONSUMES } from '@tutoring/shared/contract/events';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { eventsOf } from '@tutoring/shared/kit/events/streams';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { newPrefix, testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { deploy, type Deployment } from './replicas.ts';
import { startNatsCluster, type NatsCluster } from './nats-servers.ts';
import { checkNothingIsLost, waitForProgress, startTraffic, type Traffic } from './traffic.ts';

/* Three NATS servers, each with all streams: failures delay events, but do not lose or reorder them. */

const CLUSTER_MS = 240_000;

let nats: NatsCluster;
let deployment: Deployment;
let traffic: Traffic;
const streams = () => topology.streams.map((name) => `${deployment.prefix}-${name}`);
/** The stream of a service's events. */
const streamOf = (service: ServiceName) => `${deployment.prefix}-${eventsOf(service)}`;

/**
 * Makes the streams with three replicas before the services start, as operators do (deploy/kubernetes/operators). NATS
 * 2.14.0 may not start a stream again on a server that is killed soon after the stream was raised from one replica to
 * three. Their configuration is what the services make, on the single server of the test run.
 */
async function makeStreams(prefix: string): Promise<void> {
  const logger = createLogger('test', 'error');
  const bus = await connectBus({ url: infra().natsUrl, prefix, name: 'test', limits: testLimits, logger });
  expect(await bus.ensureStreams()).toEqual([]);
  const jsm = await nats.manager();
  for (const name of topology.streams.map(bus.named)) {
    const { config } = await bus.jsm.streams.info(name);
    await eventually(
      `the cluster makes ${name}`,
      () => jsm.streams.add({ ...config, num_replicas: 3 }).catch(() => false as const),
      CLUSTER_MS,
    );
  }
  for (const name of topology.streams.toReversed()) await bus.jsm.streams.delete(bus.named(name));
  await bus.close();
}

beforeAll(async () => {
  nats = await startNatsCluster();
  const prefix = newPrefix();
  await makeStreams(prefix);
  deployment = await deploy(1, { prefix, env: { NATS_URL: nats.url } });
  await nats.untilReplicated();
  traffic = await startTraffic(deployment);
});
afterAll(async () => {
  await deployment.stop();
  await nats.stop();
});

/** Waits until requests succeed and every event written before is published. */
async function waitForEvents(): Promise<void> {
  await waitForProgress(traffic);
  const since = new Date().toISOString();
  for (const service of SERVICES) {
    const unsent = `select from outbox where sent_at is null and created_at < '${since}' limit 1`;
    await eventually(
      `events of ${service}`,
      async () => (await deployment.sql(service, unsent)).length === 0,
      CLUSTER_MS,
    );
  }
}

test('events go on after the leader of each stream is killed', async () => {
  for (const stream of streams()) {
    await nats.untilReplicated();
    await nats.restart(await nats.leaderOf(stream));
    await waitForEvents();
  }
});

test('events go on after a follower is killed and loses its disk', async () => {
  await nats.untilReplicated();
  const leader = await nats.leaderOf(streamOf('wallet'));
  await nats.restart(
    nats.names.find((name) => name !== leader)!,
    { emptied: true },
  );
  await waitForEvents();
  await nats.untilReplicated();
});

test('events go on after all three servers are killed at once', async () => {
  await nats.untilReplicated();
  await nats.restartAll();
  await waitForEvents();
  await nats.untilReplicated();
});

test('events go on after one server is restored from an older copy', async () => {
  await nats.untilReplicated();
  await nats.copy();
  await waitForEvents();
  await nats.untilReplicated();
  await nats.restore([await nats.leaderOf(streamOf('wallet'))]);
  await waitForEvents();
  await nats.untilReplicated();
});

test('events that all three servers lost by a restore from older copies are published again', async () => {
  const { state } = await nats.infoOf(streamOf('wallet'));
  await nats.restore(nats.names);
  await waitForEvents();
  await nats.untilReplicated();
  const now = await nats.infoOf(streamOf('wallet'));
  expect(now.state.last_seq).toBeGreaterThan(state.last_seq);
});

/** The events in the stream of a service, in its order. */
async function storedBy(service: ServiceName): Promise<string[]> {
  const { state } = await nats.infoOf(streamOf(service));
  if (state.messages === 0) return [];
  const consumer = await jetstream(nats.connection()).consumers.get(streamOf(service), {});
  const ids: string[] = [];
  for await (const message of await consumer.consume()) {
    ids.push(message.json<{ id: string }>().id);
    if (message.seq >= state.last_seq) break;
  }
  return ids;
}

test('no event is lost, stored twice or out of order', async () => {
  await checkNothingIsLost(deployment, traffic);
  const jsm = await nats.manager();
  for (const service of SERVICES) {
    const stored = await storedBy(service);
    const written = await deployment.sql(
      service,
      `select event_id as id, subject || ' ' || aggregate_id as aggregate from outbox where subject like 'events.%' order by id`,
    );
    const positions = new Map(stored.map((id, index) => [id, index]));
    expect(written.filter(({ id }) => !positions.has(String(id)))).toEqual([]);
    const newest = new Map<unknown, number>();
    for (const { id, aggregate } of written) {
      const position = positions.get(String(id))!;
      expect(position).toBeGreaterThan(newest.get(aggregate) ?? -1);
      newest.set(aggregate, position);
    }
    expect(positions.size).toBe(stored.length);
  }
  await eventually('every service has consumed all events', async () => {
    for (const { stream, consumer } of SERVICES.flatMap((name) => topology.consumersFor(name, CONSUMES[name]).events)) {
      const info = await jsm.consumers.info(`${deployment.prefix}-${stream}`, `${deployment.prefix}-${consumer}`);
      if (info.num_pending + info.num_ack_pending > 0) return false;
    }
    return true;
  });
});
