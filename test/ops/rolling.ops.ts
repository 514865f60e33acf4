import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SERVICES } from '@tutoring/shared/process/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { deploy, PROCESSES, type Deployment } from '../cluster/replicas.ts';
import { everythingIsThere, startTraffic, type Traffic } from '../cluster/traffic.ts';
import { checkOut, raise } from './release.ts';

/* Rolling restarts as Kubernetes makes them: the signal first, and new connections still come for a while. */

const REQUESTS = Number(process.env['OPS_REQUESTS'] ?? 5_000);
/** What is upgraded from and rolled back to. */
const FROM = process.env['OPS_FROM'] ?? 'HEAD';

let folder: string;
/** The checkout that the next replicas run. */
let root = resolve(import.meta.dirname, '../..');
let deployment: Deployment;
let traffic: Traffic;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'releases-'));
  deployment = await deploy(2, { unwarned: true, root: () => root });
  traffic = await startTraffic(deployment);
});
afterAll(async () => {
  await deployment.stop();
  await rm(folder, { recursive: true });
});

/** Replaces everything again and again, each time with what `next` says, until there were enough requests. */
async function rollOn(next: (round: number) => string): Promise<void> {
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

test('no request of 5,000 fails while everything is restarted again and again', () => rollOn(() => root));

test('none fails during the upgrade to the next minor release and the way back, again and again', async () => {
  const [old, next] = [join(folder, 'old'), join(folder, 'next')];
  await checkOut(FROM, old);
  await checkOut('HEAD', next);
  await raise(next);
  root = old;
  await Promise.all(PROCESSES.map((name) => deployment.roll(name)));
  await deployment.migrate(next);
  await rollOn((round) => (round % 2 === 0 ? next : old));
});

test('of two replicas one relays, and each event is sent and taken in once', async () => {
  const holders = `select from lease where name = 'relay' and until > now()`;
  for (const service of SERVICES)
    await eventually(`one relays for ${service}`, async () => (await deployment.sql(service, holders)).length === 1);
  await everythingIsThere(deployment, traffic);
});
