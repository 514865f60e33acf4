import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SERVICES } from '@tutoring/shared/process/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { deploy, PROCESSES, type Deployment } from '../cluster/replicas.ts';
import { everythingIsThere, startTraffic, type Traffic } from '../cluster/traffic.ts';

/* A rolling restart as Kubernetes makes it: the signal first, and new connections still come for a while. */

const REQUESTS = Number(process.env['OPS_REQUESTS'] ?? 5_000);

let deployment: Deployment;
let traffic: Traffic;
beforeAll(async () => {
  deployment = await deploy(2, { unwarned: true });
  traffic = await startTraffic(deployment);
});
afterAll(() => deployment.stop());

test('no request of 5,000 fails while everything is restarted again and again', async () => {
  const [sent, repeats] = [traffic.sent(), traffic.repeats()];
  let rounds = 0;
  for (; traffic.sent() - sent < REQUESTS; rounds += 1)
    expect(await Promise.all(PROCESSES.map((name) => deployment.roll(name)))).toEqual(PROCESSES.map(() => [0, 0]));
  process.stdout.write(
    `${JSON.stringify({ requests: traffic.sent() - sent, failed: traffic.repeats() - repeats, rounds, ...traffic.failures() })}\n`,
  );
  expect(traffic.repeats()).toBe(repeats);
});

test('of two replicas one relays, and each event is sent and taken in once', async () => {
  const holders = `select from lease where name = 'relay' and until > now()`;
  for (const service of SERVICES)
    await eventually(`one relays for ${service}`, async () => (await deployment.sql(service, holders)).length === 1);
  await everythingIsThere(deployment, traffic);
});
