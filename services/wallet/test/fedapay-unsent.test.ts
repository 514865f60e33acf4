import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { NotSent, type WantedPayout } from '../src/providers/provider.ts';
import { createFedapay } from '../src/providers/fedapay/transaction.ts';
import { FEDAPAY_ENV, startFedapay } from './fedapay-stand-in.ts';

/* Payouts that FedaPay was not asked for: they are sent later, and nobody has to decide about them. */

let fedapay: Awaited<ReturnType<typeof startFedapay>>;
beforeAll(async () => {
  fedapay = await startFedapay();
});
afterEach(() => fedapay.reset());
afterAll(() => fedapay.stop());

const CREATE = /^POST \/v1\/payouts$/;
const START = /^PUT \/v1\/payouts\/start$/;
const FIND = /^GET \/v1\/payouts\/merchant\//;

let last = 0;
const wanted = (): WantedPayout => ({
  key: `key-${(last += 1)}`,
  reference: `W${last}-1`,
  amount: 5_000,
  currency: 'XOF',
  method: 'togocel',
  account: '+22890112233',
  holder_name: 'Awa Koffi Mensah',
  provider_ref: null,
});
const send = (payout: WantedPayout) =>
  createFedapay({
    secretKey: FEDAPAY_ENV.FEDAPAY_SECRET_KEY,
    webhookSecret: FEDAPAY_ENV.FEDAPAY_WEBHOOK_SECRET,
    apiUrl: fedapay.url,
    publicUrl: 'http://public.test',
  }).payouts!.send(payout);

/** Sends a payout that is not sent, and then sends it again. */
async function assertSentLater(match: RegExp, how: Parameters<typeof fedapay.answer>[1]): Promise<void> {
  fedapay.answer(match, how);
  const payout = wanted();
  await expect(send(payout)).rejects.toBeInstanceOf(NotSent);
  expect([fedapay.payouts.size, fedapay.asked(START)]).toEqual([0, []]);
  fedapay.reset();
  expect(await send(payout)).toMatchObject({ outcome: 'pending' });
  expect([fedapay.payouts.size, fedapay.asked(CREATE).length, fedapay.asked(START).length]).toEqual([1, 1, 1]);
  fedapay.payouts.clear();
}

describe('a payout by FedaPay was not sent', () => {
  test.each<[string, Parameters<typeof fedapay.answer>[1]]>([
    ['a 401', { status: 401, body: { message: 'no' } }],
    ['a 403', { status: 403, body: { message: 'no' } }],
    ['a 429', { status: 429, body: { message: 'no' } }],
    ['a 500', { status: 500, body: {} }],
    ['a page', { status: 200, body: '<html>' }],
    ['a redirect', { status: 302, body: {} }],
    ['an error in a 200', { status: 200, body: { message: 'no', errors: {} } }],
    ['the payout of somebody else', { status: 200, body: { id: 1, merchant_reference: 'other', amount: 5_000 } }],
    ['no answer', 'held'],
    ['a broken connection', 'lost'],
  ])('after %s to the look-up before its creation', (_what, how) => assertSentLater(FIND, how));

  test.each([401, 403, 429])('after a %i to its creation', (status) =>
    assertSentLater(CREATE, { status, body: { message: 'no', errors: { amount: ['no'] } } }),
  );
});
