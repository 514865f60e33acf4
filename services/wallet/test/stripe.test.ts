import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
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

test('a signed event about a dispute that cannot be read is malformed', async () => {
  expect((await deliver('charge.dispute.created', { id: '' })).status).toBe(400);
});

describe('a refund that was sent', () => {
  const decide = (refund: number, body: Record<string, unknown>) =>
    wallet.service.api.admin().put(`/api/admin/deposit-refunds/${refund}`, body);
  const change = (refund: number, sql: string) =>
    wallet.service.asOwner(`update deposit_refund set ${sql} where id = ${refund}`);
  /** A refund of 2,000 of a deposit, which is paid at Stripe or credited by hand. */
  async function sent({ isPaid = true } = {}) {
    await wallet.service.receive('setting.changed', { name: 'deposit_refunds', value: 1, version: 1 });
    const { student, deposit, session } = await opened();
    if (isPaid) await deliver('checkout.session.completed', pay(session));
    else await wallet.service.api.admin('su').put(`/api/admin/deposits/${deposit.id}`, { status: 'success' });
    const asked = await wallet.service.api
      .student(student)
      .post(`/api/deposits/${deposit.id}/refunds`, { amount: 2_000 });
    const refund = asked.body.id as number;
    await decide(refund, { status: 'sent' });
    return { student, refund, intent: session.payment_intent };
  }
  /** Runs the job until this holds for the refund. */
  const becomes = (refund: number, condition: string) =>
    eventually(condition, async () => {
      await wallet.service.runJob('ask-providers');
      const sql = `select ${condition} as holds from deposit_refund where id = $1`;
      const [row] = await wallet.service.rows<{ holds: boolean }>(sql, [refund]);
      return row?.holds === true;
    });
  const ASKED_LATER = "ask_at = sent_at + interval '60 seconds' and status = 'sent'";

  test('is settled by hand only when Stripe is no longer asked', async () => {
    stripe.claims.willMake('pending');
    const { student, refund } = await sent();
    await becomes(refund, ASKED_LATER);
    stripe.claims.willMake('success');
    for (const status of ['failed', 'success']) expect((await decide(refund, { status })).status).toBe(409);
    expect((await decide(refund, { status: 'sent', details: 'Soon' })).status).toBe(200);
    await change(refund, 'ask_at = null');
    expect((await decide(refund, { status: 'failed' })).body.status).toBe('failed');
    expect((await wallet.balance(student)).available).toBe(5_000);
  });

  test('is not made when the asking has ended meanwhile', async () => {
    stripe.claims.made.length = 0;
    stripe.claims.beforeLists(() => wallet.service.asOwner('update deposit_refund set ask_at = null'));
    const { refund } = await sent();
    await becomes(refund, ASKED_LATER);
    stripe.claims.beforeLists(() => Promise.resolve());
    expect(stripe.claims.made).toEqual([]);
    await change(refund, 'ask_at = null');
  });

  test('of a deposit that was credited by hand is never made by Stripe, and settled by hand at once', async () => {
    const { student, refund } = await sent({ isPaid: false });
    stripe.claims.made.length = 0;
    await becomes(refund, 'ask_at is null');
    expect((await decide(refund, { status: 'success', ref: 'BANK-1' })).body.status).toBe('success');
    expect([stripe.claims.made, (await wallet.balance(student)).balance]).toEqual([[], 3_000]);
  });

  test.each([
    ['before its webhook', false],
    ['after its webhook', true],
  ])('and made in the dashboard of Stripe is taken once when it is settled %s', async (_name, isLate) => {
    const { student, refund, intent } = await sent({ isPaid: false });
    await becomes(refund, 'ask_at is null');
    const made = stripe.claims.addRefund({ payment_intent: intent, amount: 2_000 });
    if (isLate) await deliver('refund.created', { id: made.id });
    const settled = await decide(refund, { status: 'success', ref: made.id });
    expect(settled.status).toBe(isLate ? 409 : 200);
    await deliver('refund.updated', { id: made.id });
    expect((await wallet.balance(student)).balance).toBe(3_000);
    if (isLate) expect((await decide(refund, { status: 'failed' })).status).toBe(200);
  });
});
