import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, payDeposit, register } from '../journeys/people.ts';
import { systemOf } from './lesson.ts';
import { deploy, type Deployment } from './replicas.ts';
import { auditLedger } from './audit.ts';
import { startPair, type Loss, type Pair } from './postgres-pair.ts';
import { checkNothingIsLost, waitForProgress, waitUntilResumed, startTraffic, type Traffic } from './traffic.ts';

/*
 * Administrators read from a synchronous standby. When the primary is lost under load and the standby is promoted, no
 * confirmed write is lost.
 */

let pair: Pair;
let deployment: Deployment;
let traffic: Traffic;
beforeAll(async () => {
  pair = await startPair();
  deployment = await deploy(1, { databaseOf: pair.databaseOf });
});
afterAll(async () => {
  await deployment.stop();
  await pair.stop();
});

test('administrators read from the standby and see what was just written, also when the standby lags', async () => {
  await pair.addStandby();
  const system = systemOf(deployment);
  const admin = as(system, await adminToken(system));
  const student = await register(system, 'student', 'Yao Mensah');
  const readAtStandby = async () => {
    const read = `select from pg_stat_user_tables where relname = 'deposit' and seq_scan + idx_scan > 0`;
    return (await pair.sqlOnStandby('wallet', read)).length > 0;
  };
  const depositAndRead = async () => {
    const { id } = data<{ id: number }>(await as(system, student.token).post('api/deposits', { amount: 500 }));
    await retryWhile503(() => payDeposit(system, id));
    const list = await admin.post('api/admin/depositsall', { user_id: student.id, pageItems: 1 });
    expect(data<{ data: object[] }>(list).data[0]).toMatchObject({ id, status: 'success' });
  };
  await eventually('a query runs on the standby', async () => {
    await depositAndRead();
    return readAtStandby();
  });
  for (let run = 0; run < 10; run += 1) await depositAndRead();
  await pair.sqlOnStandby('wallet', 'select pg_wal_replay_pause()');
  for (let run = 0; run < 3; run += 1) await depositAndRead();
  await pair.sqlOnStandby('wallet', 'select pg_wal_replay_resume()');
});

describe('under load', () => {
  beforeAll(async () => {
    await pair.addStandby();
    traffic = await startTraffic(deployment);
  });

  test.each<Loss>(['killed', 'silent', 'relieved'])('writes and events go on after the primary is %s', async (loss) => {
    await pair.addStandby();
    await waitForProgress(traffic);
    const killOld = await pair.failOver(loss);
    try {
      await waitUntilResumed(deployment, traffic);
    } finally {
      killOld();
    }
  });

  test('no confirmed write is lost or duplicated, and the ledger adds up', async () => {
    await checkNothingIsLost(deployment, traffic);
    expect(await auditLedger(await pair.databaseOf('wallet'))).toMatch(/adds up/);
  });
});
