import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { topology } from '@tutoring/shared/contract/bus';
import { SERVICES } from '@tutoring/shared/contract/names';
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
  const leader = await nats.leaderOf(streams()[0]!);
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
  await nats.restore([await nats.leaderOf(streams()[0]!)]);
  await waitForEvents();
  await waitUntilReplicated();
});

test('events that all three servers lost by a restore from older copies are published again', async () => {
  const { state } = await nats.infoOf(streams()[0]!);
  await nats.restore(nats.names);
  await waitForEvents();
  await waitUntilReplicated();
  const now = await nats.infoOf(streams()[0]!);
  expect(now.state.last_seq).toBeGreaterThan(state.last_seq);
});

test('no event is lost, stored twice or out of order', async () => {
  await checkNothingIsLost(deployment, traffic);
  const { connection, manager } = nats;
  const [events] = streams();
  const { state } = await nats.infoOf(events!);
  const consumer = await jetstream(connection()).consumers.get(events!, {});
  const stored: { id: string; subject: string }[] = [];
  for await (const message of await consumer.consume()) {
    stored.push({ id: message.json<{ id: string }>().id, subject: message.subject });
    if (message.seq >= state.last_seq) break;
  }
  for (const service of SERVICES) {
    const written = await deployment.sql(
      service,
      `select event_id as id, subject || ' ' || aggregate_id as aggregate from outbox where subject like 'events.%' order by id`,
    );
    const positions = new Map(stored.map(({ id }, index) => [id, index]));
    expect(written.filter(({ id }) => !positions.has(String(id)))).toEqual([]);
    const newest = new Map<unknown, number>();
    for (const { id, aggregate } of written) {
      const position = positions.get(String(id))!;
      expect(position).toBeGreaterThan(newest.get(aggregate) ?? -1);
      newest.set(aggregate, position);
    }
  }
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
  await eventually('every service has consumed all events', async () => {
    for (const service of SERVICES) {
      const info = await (
        await manager()
      ).consumers
        .info(events!, `${deployment.prefix}-${service}`)
        .catch(() => undefined);
      if (info && info.num_pending + info.num_ack_pending > 0) return false;
    }
    return true;
  });
});
