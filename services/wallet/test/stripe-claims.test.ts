import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { startStripe, STRIPE_ENV } from './stripe-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

/* Disputes and refunds at Stripe: an event is only a hint, what it is about is fetched. */

let stripe: Awaited<ReturnType<typeof startStripe>>;
let wallet: Wallet;

beforeAll(async () => {
  stripe = await startStripe();
  wallet = await startWallet({ ...STRIPE_ENV, STRIPE_API_URL: stripe.url });
  await wallet.service.receive('setting.changed', { name: 'deposit_refunds', value: 1, version: 1 });
});
afterEach(async () => {
  stripe.claims.willMake('success');
  stripe.claims.made.length = 0;
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
});
afterAll(async () => {
  await wallet.stop();
  await stripe.stop();
});

async function deliver(type: string, object: object, id?: string) {
  const { payload, signature } = stripe.webhook(type, object, id === undefined ? {} : { id });
  return wallet.service.api.anonymous.post('/api/webhooks/payments/stripe', payload, { 'stripe-signature': signature });
}

/** A paid deposit of 5,000; `isOld`: its payment intent has no metadata. */
async function paid({ isOld = false } = {}) {
  const student = wallet.newUser();
  await wallet.tellUser(student);
  const { body } = await wallet.service.api.student(student).post('/api/deposits', { amount: 5_000 });
  const session = Object.assign(stripe.sessions.get(body.ref as string)!, {
    payment_status: 'paid',
    status: 'complete',
  });
  if (isOld) stripe.claims.intents.get(session.payment_intent)!.metadata = {};
  await deliver('checkout.session.completed', session);
  return { student, id: body.id as number, intent: session.payment_intent };
}

const disputesOf = async (student: number) =>
  (await wallet.service.api.admin().post('/api/admin/disputesall', { user_id: student })).body.data;
const balanceOf = async (student: number) => (await wallet.balance(student)).balance;
const breaksAbout = async (reference: string) =>
  (await wallet.service.api.admin().post('/api/admin/breaksall', { filter_value: reference })).body.data;

describe('a dispute', () => {
  test.each([
    ['whose intent carries the key', false],
    ['of an older payment, found by its session', true],
  ])('%s takes the money, whatever the event says', async (_name, isOld) => {
    const { student, id, intent } = await paid({ isOld });
    const dispute = stripe.claims.addDispute({ payment_intent: intent, amount: 3_000 });
    await deliver('charge.dispute.created', { id: dispute.id, amount: 1, status: 'won' });
    expect(await balanceOf(student)).toBe(2_000);
    expect(await disputesOf(student)).toMatchObject([
      {
        deposit_id: id,
        provider: 'stripe',
        provider_ref: dispute.id,
        amount: 3_000,
        reason: 'fraudulent',
        status: 'needs_response',
        evidence_due_at: '2027-01-15T08:00:00.000000Z',
        taken: 3_000,
      },
    ]);
  });

  test('follows the state at Stripe through its events, repeated and backwards', async () => {
    const { student, intent } = await paid();
    const dispute = stripe.claims.addDispute({ payment_intent: intent });
    const all = ['created', 'funds_withdrawn', 'updated', 'closed', 'funds_reinstated'];
    const deliverAll = async (events: string[]) => {
      for (const event of events) await deliver(`charge.dispute.${event}`, { id: dispute.id });
    };
    await deliverAll(all.toReversed());
    expect(await balanceOf(student)).toBe(0);
    dispute.status = 'under_review';
    await deliverAll(['updated', 'created']);
    expect(await disputesOf(student)).toMatchObject([{ status: 'under_review', taken: 5_000 }]);
    dispute.status = 'won';
    await deliverAll([...all, ...all.toReversed()]);
    expect([await balanceOf(student), await disputesOf(student)]).toMatchObject([5_000, [{ status: 'won' }]]);
  });

  test('that begins as an inquiry takes nothing until it is a dispute', async () => {
    const { student, intent } = await paid();
    const dispute = stripe.claims.addDispute({ payment_intent: intent, status: 'warning_needs_response' });
    await deliver('charge.dispute.created', { id: dispute.id });
    expect([await balanceOf(student), await disputesOf(student)]).toMatchObject([5_000, [{ status: 'inquiry' }]]);
    dispute.status = 'needs_response';
    await deliver('charge.dispute.updated', { id: dispute.id });
    expect([await balanceOf(student), await disputesOf(student)]).toMatchObject([0, [{ status: 'needs_response' }]]);
  });

  test('of an inquiry that was closed and is escalated after all makes a break', async () => {
    const { student, intent } = await paid();
    const dispute = stripe.claims.addDispute({ payment_intent: intent, status: 'warning_closed' });
    await deliver('charge.dispute.closed', { id: dispute.id });
    dispute.status = 'needs_response';
    await deliver('charge.dispute.updated', { id: dispute.id });
    expect(await breaksAbout(dispute.id)).toMatchObject([{ kind: 'status', ours: 'won', theirs: 'needs_response' }]);
    expect(await balanceOf(student)).toBe(5_000);
  });

  test('of a charge that has two', async () => {
    const { student, intent } = await paid();
    const [one, two] = [1_000, 2_000].map((amount) => stripe.claims.addDispute({ payment_intent: intent, amount }));
    for (const dispute of [one!, two!, one!]) await deliver('charge.dispute.created', { id: dispute.id });
    two!.status = 'won';
    await deliver('charge.dispute.closed', { id: two!.id });
    expect(await balanceOf(student)).toBe(4_000);
  });

  test('of another installation, and one that Stripe does not know, move nothing', async () => {
    const { student, id, intent } = await paid();
    const { metadata } = stripe.claims.intents.get(intent)!;
    stripe.claims.intents.set('pi_other', {
      id: 'pi_other',
      object: 'payment_intent',
      metadata: { ...metadata, deposit_key: 'another' },
    });
    const foreign = stripe.claims.addDispute({ payment_intent: 'pi_other' });
    expect((await deliver('charge.dispute.created', { id: foreign.id })).status).toBe(200);
    expect((await deliver('charge.dispute.created', { id: 'dp_unknown', metadata })).status).toBe(200);
    const without = stripe.claims.addDispute({ payment_intent: null });
    expect((await deliver('charge.dispute.created', { id: without.id })).status).toBe(200);
    expect([id > 0, await balanceOf(student), await disputesOf(student)]).toEqual([true, 5_000, []]);
  });

  test('with another currency or an unknown status makes a break', async () => {
    const { student, intent } = await paid();
    const other = stripe.claims.addDispute({ payment_intent: intent, currency: 'eur' });
    const unknown = stripe.claims.addDispute({ payment_intent: intent, status: 'of_the_future' });
    for (const dispute of [other, unknown]) await deliver('charge.dispute.created', { id: dispute.id });
    expect(await breaksAbout(other.id)).toMatchObject([{ kind: 'amount' }]);
    expect(await breaksAbout(unknown.id)).toMatchObject([{ kind: 'status' }]);
    expect(await balanceOf(student)).toBe(5_000);
  });

  test('is delivered again by Stripe when it cannot be fetched', async () => {
    const { student, intent } = await paid();
    const dispute = stripe.claims.addDispute({ payment_intent: intent });
    stripe.break(true);
    expect((await deliver('charge.dispute.created', { id: dispute.id })).status).toBe(503);
    stripe.break(false);
    expect((await deliver('charge.dispute.created', { id: dispute.id })).status).toBe(200);
    expect(await balanceOf(student)).toBe(0);
  });
});

describe('a refund made at Stripe', () => {
  test('is a lost dispute, and is given back when it fails', async () => {
    const { student, intent } = await paid();
    const refund = stripe.claims.addRefund({ payment_intent: intent, amount: 1_500 });
    for (const type of ['charge.refunded', 'refund.updated', 'charge.refunded'])
      await deliver(type, { id: type === 'charge.refunded' ? stripe.claims.chargeOf(intent) : refund.id });
    expect(await disputesOf(student)).toMatchObject([
      { reason: 'refund', status: 'lost', amount: 1_500, taken: 1_500 },
    ]);
    expect(await balanceOf(student)).toBe(3_500);
    refund.status = 'failed';
    await deliver('refund.failed', { id: refund.id });
    expect([await balanceOf(student), await disputesOf(student)]).toMatchObject([5_000, [{ status: 'won' }]]);
  });
});

describe('a refund of ours', () => {
  async function sent(amount: number) {
    const deposit = await paid();
    const asked = await wallet.service.api
      .student(deposit.student)
      .post(`/api/deposits/${deposit.id}/refunds`, { amount });
    const refund = asked.body.id as number;
    await wallet.service.api.admin().put(`/api/admin/deposit-refunds/${refund}`, { status: 'sent' });
    return { ...deposit, refund };
  }
  const statusOf = async (student: number, refund: number) =>
    (await wallet.service.api.student(student).get(`/api/deposit-refunds/${refund}`)).body.status;
  /** Runs the job until the condition holds; each run may start requests in the background. */
  const askUntil = (what: string, isDone: () => Promise<boolean>) =>
    eventually(what, async () => {
      await wallet.service.runJob('ask-providers');
      return isDone();
    });
  const ends = (student: number, refund: number, status: string) =>
    askUntil(`the refund is ${status}`, async () => (await statusOf(student, refund)) === status);
  const soon = (refund: number) =>
    wallet.service.asOwner(`update deposit_refund set ask_at = now() - interval '1 second' where id = ${refund}`);

  test('is made once, with its key, and its echo takes nothing', async () => {
    const { student, refund, intent } = await sent(2_000);
    await ends(student, refund, 'success');
    const [made] = [...stripe.claims.refunds.values()].filter((one) => one.payment_intent === intent);
    expect([stripe.claims.made.length, made?.amount, made?.metadata['deposit_refund_id']]).toEqual([
      1,
      2_000,
      String(refund),
    ]);
    await deliver('charge.refunded', { id: stripe.claims.chargeOf(intent) });
    await deliver('refund.updated', { id: made!.id });
    expect([await balanceOf(student), await disputesOf(student)]).toEqual([3_000, []]);
  });

  test.each(['silent', 'lost'] as const)('whose answer is missing (%s) is made once', async (how) => {
    stripe.claims.willMake(how);
    const { student, refund, intent } = await sent(2_000);
    await askUntil('it was tried', async () => Promise.resolve(stripe.claims.made.length > 0));
    stripe.claims.willMake('success');
    await eventually('the outcome is unknown', async () => {
      const [row] = await wallet.service.rows<{ due: boolean }>(
        `select ask_at < sent_at + interval '61 seconds' and ask_at > now() as due from deposit_refund where id = $1`,
        [refund],
      );
      return row?.due === true && (await statusOf(student, refund)) === 'sent';
    });
    await eventually('it is successful', async () => {
      await soon(refund);
      await wallet.service.runJob('ask-providers');
      return (await statusOf(student, refund)) === 'success';
    });
    const made = [...stripe.claims.refunds.values()].filter((one) => one.payment_intent === intent);
    expect([made.length, await balanceOf(student)]).toEqual([1, 3_000]);
  });

  test('that is refused fails, and the money is available again', async () => {
    stripe.claims.willMake('refused');
    const { student, refund } = await sent(2_000);
    await ends(student, refund, 'failed');
    expect(await wallet.balance(student)).toEqual({ balance: 5_000, held: 0, available: 5_000 });
  });

  test('that Stripe finishes later succeeds by its webhook, and one that comes back is in the balance again', async () => {
    stripe.claims.willMake('pending');
    const { student, refund, intent } = await sent(2_000);
    await askUntil('it was made', async () => Promise.resolve(stripe.claims.made.length > 0));
    const made = [...stripe.claims.refunds.values()].find((one) => one.payment_intent === intent)!;
    expect(await statusOf(student, refund)).toBe('sent');
    made.status = 'succeeded';
    await deliver('refund.updated', { id: made.id });
    expect([await statusOf(student, refund), await balanceOf(student)]).toEqual(['success', 3_000]);
    made.status = 'failed';
    for (let time = 0; time < 2; time += 1) await deliver('refund.failed', { id: made.id });
    expect([await statusOf(student, refund), await balanceOf(student)]).toEqual(['failed', 5_000]);
  });

  test('whose key the provider may have forgotten is never made again', async () => {
    stripe.claims.willMake('lost');
    const { student, refund } = await sent(2_000);
    await askUntil('it was tried', async () => Promise.resolve(stripe.claims.made.length > 0));
    await wallet.service.asOwner(
      `update deposit_refund set sent_at = sent_at - interval '23 hours', ask_at = now() - interval '1 second'
       where id = ${refund}`,
    );
    stripe.claims.willMake('success');
    stripe.claims.made.length = 0;
    await askUntil('it was asked about', async () => {
      const [row] = await wallet.service.rows<{ later: boolean }>(
        `select ask_at > now() + interval '2 minutes' as later from deposit_refund where id = $1`,
        [refund],
      );
      return row?.later === true;
    });
    expect([stripe.claims.made, await statusOf(student, refund)]).toEqual([[], 'sent']);
  });
});
