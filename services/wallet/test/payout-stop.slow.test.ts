import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReplica } from '@tutoring/shared/testing/replica';
import { eventually } from '@tutoring/shared/testing/wait';
import { FEDAPAY_ENV, startFedapay } from './fedapay-stand-in.ts';
import { payoutsOf } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

/* A deployment in the middle of a batch. The replicas are processes of their own, so that what is cut stays cut. */

const PAYOUTS = 12;
const MAIN = new URL('../src/main.ts', import.meta.url);

let fedapay: Awaited<ReturnType<typeof startFedapay>>;
let wallet: Wallet;
beforeAll(async () => {
  fedapay = await startFedapay();
  // Only the replicas send payouts.
  wallet = await startWallet({ ...FEDAPAY_ENV, FEDAPAY_API_URL: fedapay.url }, { jobless: true });
});
afterAll(async () => {
  await wallet.stop();
  await fedapay.stop();
});

test('a replica that is told to stop ends what it is sending, and the next one sends the rest', async () => {
  const payouts = payoutsOf(wallet);
  const ids = await payouts.manyWithdrawals(PAYOUTS, { method: 'togocel' });
  const count = async (where: string) =>
    (await wallet.service.rows(`select from payout_item where withdrawal_id = any($1::bigint[]) and ${where}`, [ids]))
      .length;
  const first = await startReplica(wallet.service, MAIN);
  wallet.service.ask(first.url);
  // A payout takes four requests.
  fedapay.settings.answersAfterMs = 1_000;
  await payouts.exported(ids, { format: 'provider' });
  wallet.service.ask(undefined);
  await eventually('payouts are being sent', () => fedapay.asked(/^GET \/v1\/payouts\/merchant\//).length > 0);
  first.terminate();
  expect(await first.exited).toEqual([0, null]);
  expect([await count(`status = 'sent'`), await count('sending_at is not null and provider_ref is null')]).toEqual([
    PAYOUTS,
    0,
  ]);

  fedapay.settings.answersAfterMs = 0;
  const next = await startReplica(wallet.service, MAIN);
  await eventually('the rest is sent', async () => (await count('provider_ref is not null')) === PAYOUTS);
  next.terminate();
  await next.exited;
  const started = fedapay.asked(/^PUT \/v1\/payouts\/start$/).map(({ body }) => JSON.stringify(body));
  expect([fedapay.asked(/^POST \/v1\/payouts$/).length, started.length, new Set(started).size]).toEqual([
    PAYOUTS,
    PAYOUTS,
    PAYOUTS,
  ]);
  expect(await count(`status = 'sent'`)).toBe(PAYOUTS);
});
