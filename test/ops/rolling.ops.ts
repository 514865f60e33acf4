import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SERVICES } from '@tutoring/shared/contract/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { PROCESSES } from '@tutoring/shared/contract/names';
import { deploy, type Deployment } from '../cluster/replicas.ts';
import { checkNothingIsLost, startTraffic, type Traffic } from '../cluster/traffic.ts';
import { exportSources, bumpRelease } from './release.ts';

/* Rolling restarts as in Kubernetes: after the signal, new connections still arrive for a while. */

const REQUESTS = Number(process.env['OPS_REQUESTS'] ?? 5_000);
/** The commit to upgrade from and to roll back to. */
const FROM = process.env['OPS_FROM'] ?? 'HEAD';

let folder: string;
/** The checkout that the next replicas run. */
let root = resolve(import.meta.dirname, '../..');
let deployment: Deployment;
let traffic: Traffic;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'releases-'));
  deployment = await deploy(2, { removesLate: true, root: () => root });
  traffic = await startTraffic(deployment);
});
afterAll(async () => {
  await deployment.stop();
  await rm(folder, { recursive: true });
});

/**
 * Replaces all replicas repeatedly, each time with the checkout that `next` returns, until enough requests were sent.
 */
async function rollRepeatedly(next: (round: number) => string): Promise<void> {
  const [sent, repeats] = [traffic.sent(), traffic.repeats()];
  let rounds = 0;
  for (; traffic.sent() - sent < REQUESTS || rounds % 2 === 1; rounds += 1) {
    root = next(rounds);
    expect(await Promise.all(PROCESSES.map((name) => deployment.roll(name)))).toEqual(PROCESSES.map(() => [0, 0]));
  }
  const figures = { requests: traffic.sent() - sent, failed: traffic.repeats() - repeats, rounds };
  process.stdout.write(`${JSON.stringify({ ...figures, ...traffic.failures() })}\n`);
  expect(figures.failed).toBe(0);
}

test('no request fails while all replicas are restarted repeatedly', () => rollRepeatedly(() => root));

test('no request fails during repeated upgrades to the next minor release and rollbacks', async () => {
  const [old, next] = [join(folder, 'old'), join(folder, 'next')];
  await exportSources(FROM, old);
  await exportSources('HEAD', next);
  await bumpRelease(next);
  root = old;
  await Promise.all(PROCESSES.map((name) => deployment.roll(name)));
  await deployment.migrate(next);
  await rollRepeatedly((round) => (round % 2 === 0 ? next : old));
});

test('one of two replicas is the relay, and each event is published and consumed', async () => {
  const holders = `select from lease where name = 'relay' and until > now()`;
  for (const service of SERVICES)
    await eventually(
      `one relay leads for ${service}`,
      async () => (await deployment.sql(service, holders)).length === 1,
    );
  await checkNothingIsLost(deployment, traffic);
});
