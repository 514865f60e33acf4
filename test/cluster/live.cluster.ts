import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUIDv7 } from 'node:crypto';
import { eventually } from '@tutoring/shared/testing/wait';
import { listen, type Listening } from '../../gateway/test/listener.ts';
import { connectRelay, type Relay } from '../../gateway/test/relay.ts';
import { startSystem, student, type System } from '../../gateway/test/system.ts';
import { startNatsCluster, type NatsCluster } from './nats-servers.ts';

/* A gateway with three NATS servers, each with all streams. The leader of the live stream delivers its messages. */

const STUDENT = 12;
const CLUSTER_MS = 240_000;

let nats: NatsCluster;
let system: System;
let relay: Relay;
let listener: Listening | undefined;
beforeAll(async () => {
  nats = await startNatsCluster();
  system = await startSystem({ env: { NATS_URL: nats.url } });
  relay = await connectRelay(nats.url, system.prefix);
  // The cluster has no leader at first.
  await eventually('the streams have a leader', () => relay.bus.ensureStreams().then(leaders, () => false), CLUSTER_MS);
  const jsm = await nats.manager();
  for await (const { config } of jsm.streams.list()) await jsm.streams.update(config.name, { num_replicas: 3 });
  await nats.untilReplicated();
  listener = await eventually('a stream is open', async () => {
    const tried = await listen(system.gateway.url, system.login(student(STUDENT)));
    return tried.status === 200 && tried;
  });
});
afterAll(async () => {
  listener?.hangUp();
  await system.stop();
  await relay.close();
  await nats.stop();
});

const leaders = () => nats.leaderOf(relay.bus.named('live'));

const numbers = () => listener?.events.map(({ data }) => (data as { n: number }).n) ?? [];

test('listeners receive events while the NATS server that led the live stream is down', async () => {
  const away = await leaders();
  await nats.kill(away);
  for (let n = 0; n < 10; n += 1) {
    const id = randomUUIDv7() as string;
    await eventually(
      'the event is published',
      () => relay.publish(STUDENT, { n }, 'message.created', id).catch(() => false),
      CLUSTER_MS,
    );
  }
  await eventually('all events are received', () => numbers().length >= 10, CLUSTER_MS);
  nats.start(away);
  expect(numbers()).toEqual(Array.from({ length: 10 }, (_, n) => n));
});
