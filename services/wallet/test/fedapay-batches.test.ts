import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { FEDAPAY_ENV, startFedapay } from './fedapay-stand-in.ts';
import { payoutsOf } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

/* Whole batches of payouts by FedaPay. */

let fedapay: Awaited<ReturnType<typeof startFedapay>>;
let wallet: Wallet;
let payouts: ReturnType<typeof payoutsOf>;

beforeAll(async () => {
  fedapay = await startFedapay();
  wallet = await startWallet({ ...FEDAPAY_ENV, FEDAPAY_API_URL: fedapay.url });
  payouts = payoutsOf(wallet);
});
afterEach(async () => {
  fedapay.reset();
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
});
afterAll(async () => {
  await wallet.stop();
  await fedapay.stop();
});

const CREATE = /^POST \/v1\/payouts$/;
const START = /^PUT \/v1\/payouts\/start$/;

const exported = async (count = 1) =>
  payouts.exported(await payouts.manyWithdrawals(count, { method: 'togocel' }), { format: 'provider' });
const statuses = async (batch: number) =>
  (await payouts.items(batch)).map(({ status }: { status: string }) => status) as string[];
const become = (batch: number, expected: string) =>
  eventually(`the payouts are ${expected}`, async () => (await statuses(batch)).every((status) => status === expected));
/** Lets the job ask about the payouts of a batch at once. */
async function ask(batch: number) {
  await wallet.service.asOwner(
    `update payout_item set ask_at = app_now() where ask_at is not null and batch_id = ${batch}`,
  );
  await wallet.service.runJob('ask-providers');
}
const ofBatch = (batch: number) =>
  [...fedapay.payouts.values()].filter(({ description }) => description?.endsWith(`-${batch}`));

test('a batch is accepted, and each payout is paid by its webhook or by asking', async () => {
  const batch = await exported(3);
  await eventually('all are started', () =>
    Promise.resolve(ofBatch(batch).every(({ status }) => status === 'started') && ofBatch(batch).length === 3),
  );
  for (const payout of ofBatch(batch)) payout.status = 'sent';
  const { payload, signature } = fedapay.webhook('payout.sent', ofBatch(batch)[0]!);
  await eventually('the webhook is understood', async () => {
    await wallet.service.api.anonymous.post('/api/webhooks/payments/fedapay', payload, {
      'x-fedapay-signature': signature,
    });
    return (await statuses(batch)).includes('paid');
  });
  await eventually('the payouts are paid', async () => {
    await ask(batch);
    return (await statuses(batch)).every((status) => status === 'paid');
  });
  expect([fedapay.asked(CREATE).length, fedapay.asked(START).length]).toEqual([3, 3]);
});

test('a refused payout has failed with the message of FedaPay', async () => {
  fedapay.answer(CREATE, { status: 422, body: { message: 'Refusé', errors: { mode: ['est inconnu'] } } });
  const batch = await exported();
  await become(batch, 'failed');
  expect((await payouts.items(batch))[0].message).toBe('Refusé; mode: est inconnu');
});

test.each([
  ['creation', CREATE],
  ['start', START],
])('a payout without an answer to its %s is uncertain, and never sent again', async (_what, match) => {
  fedapay.answer(match, 'lost');
  const batch = await exported();
  await become(batch, 'uncertain');
  fedapay.reset();
  await ask(batch);
  await eventually('FedaPay is asked', () => Promise.resolve(fedapay.asked(/^GET \/v1\/payouts\//).length > 0));
  expect([fedapay.asked(CREATE), fedapay.asked(START), await statuses(batch)]).toEqual([[], [], ['uncertain']]);
  for (const payout of ofBatch(batch)) payout.status = 'sent';
  await eventually('it is paid', async () => {
    await ask(batch);
    return (await statuses(batch))[0] === 'paid';
  });
  expect([fedapay.asked(CREATE), fedapay.asked(START)]).toEqual([[], []]);
});

test('a payout whose look-up got no answer is not uncertain: it is sent when FedaPay answers again', async () => {
  fedapay.answer(/^GET \/v1\/payouts\//, 'lost');
  const batch = await exported();
  await eventually('its sending is taken back', async () => {
    if (fedapay.asked(/^GET \/v1\/payouts\//).length === 0) return false;
    return (await wallet.service.rows(`select from payout_item where batch_id = ${batch} and sending_at is null`))[0];
  });
  expect([fedapay.asked(CREATE), await statuses(batch)]).toEqual([[], ['sent']]);
  fedapay.reset();
  await ask(batch);
  await eventually('it is started', () => Promise.resolve(ofBatch(batch)[0]?.status === 'started'));
  ofBatch(batch)[0]!.status = 'sent';
  await eventually('it is paid', async () => {
    await ask(batch);
    return (await statuses(batch))[0] === 'paid';
  });
  expect([fedapay.asked(CREATE).length, fedapay.asked(START).length]).toEqual([1, 1]);
});

test('takes no withdrawal to another account than a phone number', async () => {
  const [id] = await payouts.manyWithdrawals(1, { method: 'sepa' });
  await wallet.service.asOwner(`update withdrawal set account = 'FR7630006000011234567890189' where id = ${id!}`);
  const { status, body } = await payouts.make([id!], { format: 'provider' });
  expect([status, body.message]).toEqual([409, expect.stringContaining(`withdrawal ${id!}`)]);
  expect(await payouts.status(id!)).toBe('initiated');
});
