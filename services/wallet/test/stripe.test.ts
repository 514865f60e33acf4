import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startStripe, STRIPE_ENV } from './stripe-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

let stripe: Awaited<ReturnType<typeof startStripe>>;
let wallet: Wallet;

beforeAll(async () => {
  stripe = await startStripe();
  wallet = await startWallet({ ...STRIPE_ENV, STRIPE_API_URL: stripe.url });
});
afterAll(async () => {
  await wallet.stop();
  await stripe.stop();
});

async function opened() {
  const student = wallet.newUser();
  const { body } = await wallet.service.api.student(student).post('/api/deposits', { amount: 5000 });
  return { student, deposit: body, session: stripe.sessions.get(body.ref)! };
}
const status = async (id: number) => (await wallet.service.api.admin().get(`/api/admin/deposits/${id}`)).body.status;
const deliver = (...event: Parameters<typeof stripe.webhook>) => {
  const { payload, signature } = stripe.webhook(...event);
  return wallet.service.api.anonymous.post('/api/webhooks/payments/stripe', payload, { 'stripe-signature': signature });
};
const pay = (session: { payment_status: string; status: string }) =>
  Object.assign(session, { payment_status: 'paid', status: 'complete' });

describe('deposits at Stripe', () => {
  test('open a Checkout session under a random key that session and payment carry', async () => {
    const { deposit, session } = await opened();
    expect(deposit).toMatchObject({ status: 'pending', ref: session.id, checkout_url: session.url });
    const { key, form } = stripe.requests.at(-1)!;
    expect(key).toMatch(/^[\w-]{32,}$/);
    const [stored] = await wallet.service.rows<{ payment_key: string }>(
      'select payment_key from deposit where id = $1',
      [deposit.id],
    );
    expect(key).toBe(stored!.payment_key);
    expect(Object.fromEntries(form)).toMatchObject({
      'metadata[deposit_key]': key,
      'payment_intent_data[metadata][deposit_key]': key,
      'payment_intent_data[metadata][deposit_id]': String(deposit.id),
      mode: 'payment',
      client_reference_id: String(deposit.id),
      'line_items[0][price_data][unit_amount]': '5000',
      'line_items[0][price_data][currency]': 'xof',
      success_url: 'http://public.test/api/checkout/returned',
    });
  });

  test('are credited once by a paid session, however often Stripe sends the event', async () => {
    const { student, deposit, session } = await opened();
    pay(session);
    for (const id of ['evt_a', 'evt_a', 'evt_b'])
      expect((await deliver('checkout.session.completed', session, { id })).body).toEqual({ received: true });
    expect(await status(deposit.id)).toBe('success');
    expect((await wallet.balance(student)).balance).toBe(5000);
  });

  test('are decided by the fetched session, not by the content of the webhook', async () => {
    const { student, deposit, session } = await opened();
    await deliver('checkout.session.completed', { ...session, payment_status: 'paid' });
    expect([await status(deposit.id), (await wallet.balance(student)).balance]).toEqual(['pending', 0]);
  });

  test.each<[string, { amount_total?: number; currency?: string; metadata?: Record<string, string> }]>([
    ['amount', { amount_total: 50 }],
    ['amount that its metadata repeats', { amount_total: 50, metadata: { amount: '50' } }],
    ['currency', { currency: 'eur' }],
    ['currency that its metadata repeats', { currency: 'eur', metadata: { currency: 'EUR' } }],
    ['amount, which is null', { amount_total: null as unknown as number }],
  ])('are not credited by a paid session with another %s', async (_what, { metadata, ...change }) => {
    const { student, deposit, session } = await opened();
    pay(Object.assign(session, change));
    Object.assign(session.metadata, metadata);
    expect((await deliver('checkout.session.completed', session)).status).toBe(200);
    expect([await status(deposit.id), (await wallet.balance(student)).balance]).toEqual(['pending', 0]);
  });

  test('are not credited by the session of another deposit', async () => {
    const [one, other] = [await opened(), await opened()];
    pay(other.session);
    other.session.metadata['deposit_id'] = String(one.deposit.id);
    await deliver('checkout.session.completed', other.session);
    expect(await status(one.deposit.id)).toBe('pending');
  });

  test.each([
    ['checkout.session.expired', { status: 'expired' }, 'canceled'],
    ['checkout.session.async_payment_failed', { status: 'complete' }, 'failed'],
    ['checkout.session.completed', { status: 'complete' }, 'pending'],
    ['payment_intent.created', {}, 'pending'],
  ])('move to the right status after the event %s', async (type, change, expected) => {
    const { deposit, session } = await opened();
    Object.assign(session, change);
    expect((await deliver(type, session)).status).toBe(200);
    expect(await status(deposit.id)).toBe(expected);
  });

  test('reject a webhook with a wrong, stale or missing signature with a 400', async () => {
    const { session } = await opened();
    const old = Math.floor(Date.now() / 1000) - 305;
    expect((await deliver('checkout.session.completed', session, { secret: 'whsec_other' })).status).toBe(400);
    expect((await deliver('checkout.session.completed', session, { at: old })).status).toBe(400);
    expect((await wallet.service.api.anonymous.post('/api/webhooks/payments/stripe', '{}')).status).toBe(400);
  });

  test.each([
    ['a NUL in its id', 'checkout.session.completed', { id: 'evt\u0000' }, {}],
    ['half a character in its id', 'checkout.session.completed', { id: 'evt\ud800' }, {}],
    ['a NUL in its type', 'checkout.session.completed\u0000', {}, {}],
    ['a NUL in the id of its session', 'checkout.session.completed', {}, { id: 'cs\u0000' }],
    ['a number for the id of its session', 'checkout.session.completed', {}, { id: 5 as unknown as string }],
  ])('reject a signed event with %s with a 400', async (_what, type, event, change) => {
    const { session } = await opened();
    pay(session);
    const answer = await deliver(type, { ...session, ...change }, event);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed']);
  });

  test('cannot be changed by a webhook of the sandbox', async () => {
    const { deposit } = await opened();
    await wallet.provider(deposit.id, 'succeeded');
    expect(await status(deposit.id)).toBe('pending');
  });

  test('answer a webhook about an unknown session with a 200 without effect', async () => {
    const { deposit, session } = await opened();
    const unknown = { ...session, id: 'cs_unknown', payment_status: 'paid', status: 'complete' };
    expect((await deliver('checkout.session.completed', unknown)).body).toEqual({ received: true });
    expect(await status(deposit.id)).toBe('pending');
  });

  test('are a 503 and failed while Stripe is unavailable, and the same key works afterwards', async () => {
    const student = wallet.newUser();
    const api = wallet.service.api.student(student);
    const key = { 'idempotency-key': 'again' };
    stripe.break(true);
    const refused = await api.post('/api/deposits', { amount: 5000 }, key);
    stripe.break(false);
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
    expect((await api.get('/api/deposits')).body).toEqual([expect.objectContaining({ status: 'failed' })]);
    expect((await api.post('/api/deposits', { amount: 5000 }, key)).status).toBe(200);
  });

  test('answer a webhook with a 503 while Stripe is unavailable, so that Stripe sends it again', async () => {
    const { deposit, session } = await opened();
    pay(session);
    stripe.break(true);
    expect((await deliver('checkout.session.completed', session, { id: 'evt_late' })).status).toBe(503);
    stripe.break(false);
    expect((await deliver('checkout.session.completed', session, { id: 'evt_late' })).status).toBe(200);
    expect(await status(deposit.id)).toBe('success');
  });
});
