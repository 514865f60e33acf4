import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { topology } from '@tutoring/shared/contract/bus';
import { CONSUMES } from '@tutoring/shared/contract/events';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { eventsOf } from '@tutoring/shared/kit/events/streams';
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
const waitUntilReplicated = () =>
  eventually('all streams are on all three servers', () => nats.isReplicated().catch(() => false), CLUSTER_MS);

beforeAll(async () => {
  nats = await startNatsCluster();
  deployment = await deploy(1, { env: { NATS_URL: nats.url } });
  const jsm = await nats.manager();
  for (const stream of streams()) await jsm.streams.update(stream, { num_replicas: 3 });
  await waitUntilReplicated();
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
    await waitUntilReplicated();
    await nats.restart(await nats.leaderOf(stream));
    await waitForEvents();
  }
});

test('events go on after a follower is killed and loses its disk', async () => {
  await waitUntilReplicated();
  const leader = await nats.leaderOf(streamOf('wallet'));
  await nats.restart(
    nats.names.find((name) => name !== leader)!,
    { emptied: true },
  );
  await waitForEvents();
  await waitUntilReplicated();
});

test('events go on after all three servers are killed at once', async () => {
  await waitUntilReplicated();
  await nats.restartAll();
  await waitForEvents();
  await waitUntilReplicated();
});

test('events go on after one server is restored from an older copy', async () => {
  await waitUntilReplicated();
  await nats.copy();
  await waitForEvents();
  await waitUntilReplicated();
  await nats.restore([await nats.leaderOf(streamOf('wallet'))]);
  await waitForEvents();
  await waitUntilReplicated();
});

test('events that all three servers lost by a restore from older copies are published again', async () => {
  const { state } = await nats.infoOf(streamOf('wallet'));
  await nats.restore(nats.names);
  await waitForEvents();
  await waitUntilReplicated();
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
