import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startStripe, STRIPE_ENV } from './stripe-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

/* A successful payment credits a deposit only if this installation opened this payment for this deposit. */

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

type Session = ReturnType<typeof stripe.foreign>;

const post = (student: number, amount = 5_000) => wallet.service.api.student(student).post('/api/deposits', { amount });
const deliver = (session: Session, id?: string) => {
  const { payload, signature } = stripe.webhook('checkout.session.completed', session, id === undefined ? {} : { id });
  return wallet.service.api.anonymous.post('/api/webhooks/payments/stripe', payload, { 'stripe-signature': signature });
};
const pay = (session: Session) => Object.assign(session, { payment_status: 'paid', status: 'complete' });

interface Row {
  id: number;
  status: string;
  provider_ref: string | null;
  payment_key: string | null;
}
const rowOf = async (student: number) =>
  (
    await wallet.service.rows<Row>(
      'select id, status, provider_ref, payment_key from deposit where user_id = $1 order by id desc',
      [student],
    )
  )[0]!;

/** A deposit that the provider has opened; `forgotten`: its row as after a crash right after the opening. */
async function opened({ forgotten = false } = {}) {
  const student = wallet.newUser();
  const { body } = await post(student);
  const session = stripe.sessions.get(body.ref as string)!;
  if (forgotten)
    await wallet.service.rows(
      `update deposit set status = 'initiated', provider_ref = null, ref = null where id = $1`,
      [body.id],
    );
  return { student, id: body.id as number, session };
}

/** A deposit that an unavailable provider did not open. */
async function unopened() {
  const student = wallet.newUser();
  stripe.break(true);
  expect((await post(student)).status).toBe(503);
  stripe.break(false);
  return { student, ...(await rowOf(student)) };
}

const credited = async (student: number) => (await wallet.balance(student)).balance;

describe('a foreign payment', () => {
  const claims: [string, (row: { id: number }) => Partial<Session>][] = [
    ['names it, with an amount of its own', ({ id }) => ({ amount_total: 200, metadata: metadataOf(id, 200) })],
    ['names it, with the same amount', ({ id }) => ({ amount_total: 5_000, metadata: metadataOf(id, 5_000) })],
    ['names it, with an empty key', ({ id }) => ({ amount_total: 5_000, metadata: metadataOf(id, 5_000, '') })],
    [
      'names it, with a key of its own',
      ({ id }) => ({ amount_total: 5_000, metadata: metadataOf(id, 5_000, 'k'.repeat(32)) }),
    ],
    [
      'names it, with the word null as the key',
      ({ id }) => ({ amount_total: 5_000, metadata: metadataOf(id, 5_000, 'null') }),
    ],
  ];
  function metadataOf(id: number, amount: number, key?: string): Record<string, string> {
    const metadata = { deposit_id: String(id), amount: String(amount), currency: 'XOF' };
    return key === undefined ? metadata : { ...metadata, deposit_key: key };
  }

  test.each(claims)('does not credit a deposit that the provider never opened if it %s', async (_what, claim) => {
    const row = await unopened();
    expect((await deliver(stripe.foreign(claim(row)))).body).toEqual({ received: true });
    expect([(await rowOf(row.student)).status, await credited(row.student)]).toEqual(['failed', 0]);
  });

  test.each(claims)(
    'does not credit a deposit that the previous release recorded without a key if it %s',
    async (_what, claim) => {
      const { student, id } = await opened({ forgotten: true });
      await wallet.service.rows('update deposit set payment_key = null where id = $1', [id]);
      expect((await deliver(stripe.foreign(claim({ id })))).status).toBe(200);
      expect(await credited(student)).toBe(0);
    },
  );

  test.each(claims)('does not credit a deposit whose payment is known if it %s', async (_what, claim) => {
    const { student, id } = await opened();
    expect((await deliver(stripe.foreign(claim({ id })))).status).toBe(200);
    expect(await credited(student)).toBe(0);
  });

  test('does not end a deposit', async () => {
    const { student, id } = await opened({ forgotten: true });
    const foreign = stripe.foreign({ status: 'expired', payment_status: 'unpaid', metadata: metadataOf(id, 5_000) });
    const { payload, signature } = stripe.webhook('checkout.session.expired', foreign);
    const headers = { 'stripe-signature': signature };
    expect((await wallet.service.api.anonymous.post('/api/webhooks/payments/stripe', payload, headers)).status).toBe(
      200,
    );
    expect((await rowOf(student)).status).toBe('initiated');
  });

  test("leaves its event unrecorded, so that the event counts once the payment proves to be the deposit's own", async () => {
    const { student, id, session } = await opened({ forgotten: true });
    const { payment_key: key } = await rowOf(student);
    await wallet.service.rows('update deposit set payment_key = null where id = $1', [id]);
    await deliver(pay(session), `evt_again_${id}`);
    expect(await credited(student)).toBe(0);
    await wallet.service.rows('update deposit set payment_key = $2 where id = $1', [id, key]);
    await deliver(session, `evt_again_${id}`);
    expect(await credited(student)).toBe(5_000);
  });
});

test('the payment of a deposit that a restore lost does not credit the new deposit with the same id', async () => {
  const a = await opened();
  // Stands for a restored database that lost A's deposit and gave its id to B's.
  const b = await opened();
  const { payment_key: key } = await rowOf(b.student);
  a.session.metadata['deposit_id'] = String(b.id);
  for (const known of [b.session.id, null]) {
    await wallet.service.rows('update deposit set provider_ref = $2 where id = $1', [b.id, known]);
    expect((await deliver(pay(a.session))).status).toBe(200);
    expect([await credited(a.student), await credited(b.student)]).toEqual([0, 0]);
  }
  expect(b.session.metadata['deposit_key']).toBe(key);
  await deliver(pay(b.session));
  expect(await credited(b.student)).toBe(5_000);
});

test('each deposit gets a random key at the provider that does not depend on its id', async () => {
  const [one, other] = [await opened(), await opened()];
  expect(one.session.metadata['deposit_key']).not.toBe(other.session.metadata['deposit_key']);
  expect(
    stripe.requests.filter(({ key }) => key?.includes(String(one.id)) === true && key.startsWith('deposit')),
  ).toEqual([]);
});

test('an event that arrives before the payment is recorded credits the deposit, and no other payment counts afterwards', async () => {
  const { student, id, session } = await opened({ forgotten: true });
  const { payment_key: key } = await rowOf(student);
  await deliver(pay(session));
  expect(await rowOf(student)).toMatchObject({ status: 'success', provider_ref: session.id });
  expect(await credited(student)).toBe(5_000);
  await wallet.service.api.admin('su').put(`/api/admin/deposits/${id}`, { status: 'failed' });
  await wallet.service.rows('update deposit set paid_at = null where id = $1', [id]);
  const second = stripe.foreign({ amount_total: 5_000, metadata: { ...session.metadata, deposit_key: key! } });
  await deliver(second);
  expect(await credited(student)).toBe(0);
});

test('a deposit that the previous release opened is credited by the payment that its row knows', async () => {
  const { student, id, session } = await opened();
  await wallet.service.rows('update deposit set payment_key = null where id = $1', [id]);
  delete session.metadata['deposit_key'];
  await deliver(pay(session));
  expect(await credited(student)).toBe(5_000);
});
