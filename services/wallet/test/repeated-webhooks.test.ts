import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fedapayDeposits } from './fedapay-deposits.ts';
import { FEDAPAY_ENV, startFedapay } from './fedapay-stand-in.ts';
import { startStripe, STRIPE_ENV } from './stripe-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

/* Events that come again when the payment has changed. What a provider is asked for counts, not what it sends. */

let stripe: Awaited<ReturnType<typeof startStripe>>;
let fedapay: Awaited<ReturnType<typeof startFedapay>>;
let wallet: Wallet;
let deposits: ReturnType<typeof fedapayDeposits>;

beforeAll(async () => {
  [stripe, fedapay] = await Promise.all([startStripe(), startFedapay()]);
  wallet = await startWallet({
    ...{ ...STRIPE_ENV, STRIPE_API_URL: stripe.url, ...FEDAPAY_ENV, FEDAPAY_API_URL: fedapay.url },
    PAYMENT_METHODS: JSON.stringify({ mtn_open: 'fedapay' }),
  });
  deposits = fedapayDeposits(wallet, fedapay);
});
afterAll(async () => {
  await wallet.stop();
  await Promise.all([stripe.stop(), fedapay.stop()]);
});

/** A deposit at Stripe, with what happens to its session. */
async function atStripe() {
  const { student, deposit } = await deposits.opened();
  const session = stripe.sessions.get(deposit.ref)!;
  const id = `evt_${deposit.id}`;
  const deliver = (type: string) => {
    const { payload, signature } = stripe.webhook(type, session, { id });
    const headers = { 'stripe-signature': signature };
    return wallet.service.api.anonymous.post('/api/webhooks/payments/stripe', payload, headers);
  };
  return {
    ...{ student, deposit },
    pay: () => void Object.assign(session, { payment_status: 'paid', status: 'complete' }),
    end: () => void Object.assign(session, { status: 'expired' }),
    news: () => deliver('checkout.session.completed'),
  };
}

/** A deposit at FedaPay, with what happens to its transaction. */
async function atFedapay() {
  const { student, deposit, transaction } = await deposits.opened('mtn_open');
  return {
    ...{ student, deposit },
    pay: () => void (transaction.status = 'approved'),
    end: () => void (transaction.status = 'declined'),
    news: () => deposits.deliver('transaction.updated', transaction, { id: 80_000 + deposit.id }),
  };
}

describe.each([
  ['Stripe', atStripe],
  ['FedaPay', atFedapay],
])('an event of %s that comes again', (_provider, opened) => {
  let one: Awaited<ReturnType<typeof atStripe>>;
  beforeEach(async () => {
    one = await opened();
  });

  test('credits a deposit that was paid meanwhile, once', async () => {
    expect((await one.news()).body).toEqual({ received: true });
    expect(await deposits.state(one)).toEqual(['pending', 0]);
    one.pay();
    for (const _ of [1, 2]) {
      expect((await one.news()).body).toEqual({ received: true });
      expect(await deposits.state(one)).toEqual(['success', 5_000]);
    }
  });

  test('ends no deposit that an administrator has opened again', async () => {
    one.end();
    await one.news();
    const ended = await deposits.status(one.deposit.id);
    expect(['failed', 'canceled']).toContain(ended);
    await wallet.service.api.admin('su').put(`/api/admin/deposits/${one.deposit.id}`, { status: 'pending' });
    await one.news();
    expect(await deposits.state(one)).toEqual(['pending', 0]);
  });
});
