import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deploy, type Deployment } from './replicas.ts';
import { auditLedger } from './audit.ts';
import { startPair, type Loss, type Pair } from './postgres-pair.ts';
import { everythingIsThere, goesOn, resumes, startTraffic, type Traffic } from './traffic.ts';

/* A primary is lost under load, and its synchronous standby promoted: no confirmed write is lost. */

let pair: Pair;
let deployment: Deployment;
let traffic: Traffic;
beforeAll(async () => {
  pair = await startPair();
  deployment = await deploy(1, { databaseOf: pair.databaseOf });
  traffic = await startTraffic(deployment);
});
afterAll(async () => {
  await deployment.stop();
  await pair.stop();
});

test.each<Loss>(['killed', 'silent', 'relieved'])('writes and events go on after the primary is %s', async (loss) => {
  await pair.addStandby();
  await goesOn(traffic);
  const bury = await pair.failOver(loss);
  try {
    await resumes(deployment, traffic);
  } finally {
    bury();
  }
});

test('nothing that was confirmed is lost or doubled, and the ledger adds up', async () => {
  await everythingIsThere(deployment, traffic);
  expect(await auditLedger(await pair.databaseOf('wallet'))).toMatch(/adds up/);
});
