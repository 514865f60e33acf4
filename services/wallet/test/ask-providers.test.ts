import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MORE } from '@tutoring/shared/kit/jobs';
import { eventually } from '@tutoring/shared/testing/wait';
import { ASK_MS } from '../src/deadlines.ts';
import { startStripe, STRIPE_ENV } from './stripe-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

/* The provider is asked about open deposits, so that a lost webhook delays a credit but does not lose it. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;

let stripe: Awaited<ReturnType<typeof startStripe>>;
let wallet: Wallet;

beforeAll(async () => {
  stripe = await startStripe();
  wallet = await startWallet({ ...STRIPE_ENV, STRIPE_API_URL: stripe.url });
});
beforeEach(async () => {
  await wallet.service.shiftClock(0);
  await wallet.service.asOwner('update deposit set ask_at = null');
  stripe.fetched.length = 0;
});
afterAll(async () => {
  await wallet.stop();
  await stripe.stop();
});

async function opened() {
  const student = wallet.newUser();
  const { body } = await wallet.service.api.student(student).post('/api/deposits', { amount: 5_000 });
  return { student, id: body.id as number, session: stripe.sessions.get(body.ref as string)! };
}
const pay = <Session extends object>(session: Session) =>
  Object.assign(session, { payment_status: 'paid', status: 'complete' });
const status = async (id: number) => (await wallet.service.api.admin().get(`/api/admin/deposits/${id}`)).body.status;

interface Plan {
  next: number | null;
  is_leased: boolean;
  is_settled: boolean;
}
/**
 * When the provider is asked about a deposit next, as its age in whole minutes. The deposit is leased for a minute
 * while the answer is outstanding.
 */
const plan = async (id: number) =>
  (
    await wallet.service.rows<Plan>(
      `select round(extract(epoch from ask_at - created_at) / 60)::int as next,
         coalesce(ask_at > app_now() and ask_at <= app_now() + interval '60 seconds', false) as is_leased,
         coalesce(ask_at > app_now() + interval '60 seconds', true) as is_settled
       from deposit where id = $1`,
      [id],
    )
  )[0]!;

/** Runs the job at this age of the deposit; resolves when the answer is recorded. */
async function askAt(seconds: number, id: number) {
  await wallet.service.shiftClock(seconds);
  await wallet.service.runJob('ask-providers');
  return eventually('the answer is recorded', async () => {
    const { next, is_settled: isSettled } = await plan(id);
    return isSettled && { next };
  });
}

describe('a deposit whose webhook is lost', () => {
  test('is credited when the provider is asked a minute later', async () => {
    const { student, id, session } = await opened();
    pay(session);
    await wallet.service.runJob('ask-providers');
    expect([stripe.fetched, await status(id)]).toEqual([[], 'pending']);
    expect(await askAt(MINUTE + 1, id)).toEqual({ next: null });
    expect([await status(id), (await wallet.balance(student)).balance]).toEqual(['success', 5_000]);
  });

  test('is credited once when the provider answers and the webhook arrives later', async () => {
    const { student, id, session } = await opened();
    pay(session);
    await askAt(MINUTE + 1, id);
    const { payload, signature } = stripe.webhook('checkout.session.completed', session);
    await wallet.service.api.anonymous.post('/api/webhooks/payments/stripe', payload, {
      'stripe-signature': signature,
    });
    expect((await wallet.balance(student)).balance).toBe(5_000);
  });

  test('is credited when it was paid after we canceled it', async () => {
    const { student, id, session } = await opened();
    await wallet.service.shiftClock(24 * HOUR + 1);
    await wallet.service.runJob('cancel-unpaid-deposits');
    expect(await status(id)).toBe('canceled');
    pay(session);
    await askAt(25 * HOUR, id);
    expect([await status(id), (await wallet.balance(student)).balance]).toEqual(['success', 5_000]);
  });

  test('is canceled and not asked about again when its session has expired at the provider', async () => {
    const { id, session } = await opened();
    session.status = 'expired';
    expect(await askAt(MINUTE + 1, id)).toEqual({ next: null });
    expect(await status(id)).toBe('canceled');
  });

  test('is not credited when the answer has another amount', async () => {
    const { student, id, session } = await opened();
    pay(session).amount_total = 200;
    await askAt(MINUTE + 1, id);
    expect([await status(id), (await wallet.balance(student)).balance]).toEqual(['pending', 0]);
  });
});

test.each([
  ['a minute', MINUTE, 5],
  ['five minutes', 5 * MINUTE, 30],
  ['half an hour', 30 * MINUTE, 90],
  ['an hour and a half', 90 * MINUTE, 150],
  ['a day and a half', 36 * HOUR, 36 * 60 + 30],
  ['three days', 72 * HOUR, null],
])('at an age of %s the next request about a deposit is scheduled', async (_age, seconds, next) => {
  const { id } = await opened();
  expect(await askAt(seconds + 1, id)).toEqual({ next });
});

test('a deposit that the provider does not know is asked about on the same schedule', async () => {
  const { id, session } = await opened();
  stripe.sessions.delete(session.id);
  expect(await askAt(MINUTE + 1, id)).toEqual({ next: 5 });
  expect(await askAt(73 * HOUR, id)).toEqual({ next: null });
});

test('a deposit that became due while the service was down for days is asked about once', async () => {
  const { id, student, session } = await opened();
  pay(session);
  await askAt(100 * HOUR, id);
  expect((await wallet.balance(student)).balance).toBe(5_000);
});

test('while the provider is down other requests work, and the job retries beyond three days', async () => {
  const { id, student, session } = await opened();
  stripe.break(true);
  expect(await askAt(MINUTE + 1, id)).toEqual({ next: 5 });
  expect((await wallet.service.api.student(student).get('/api/wallet')).status).toBe(200);
  expect(await askAt(73 * HOUR, id)).toEqual({ next: 73 * 60 + 30 });
  stripe.break(false);
  pay(session);
  await askAt(74 * HOUR, id);
  expect((await wallet.balance(student)).balance).toBe(5_000);
});

test('missing answers do not delay other deposits, and their requests are retried', async () => {
  const slow = await Promise.all(Array.from({ length: 9 }, opened));
  for (const { session } of slow) stripe.silent.add(session.id);
  // The slow ones leave one of the ten slots free.
  const quick = await Promise.all(Array.from({ length: 3 }, opened));
  for (const { session } of quick) pay(session);
  await wallet.service.asOwner(
    `update deposit set ask_at = ask_at - interval '1 second' where id = any('{${String(slow.map(({ id }) => id))}}')`,
  );
  const start = performance.now();
  await wallet.service.shiftClock(MINUTE + 1);
  while ((await wallet.service.runJob('ask-providers')) === MORE);
  await eventually('the others are credited', async () =>
    (await Promise.all(quick.map(({ id }) => status(id)))).every((now) => now === 'success'),
  );
  const plans = await Promise.all(slow.map(({ id }) => plan(id)));
  // On a busy machine the requests without an answer may have ended.
  const isBusy = performance.now() - start > ASK_MS;
  expect(isBusy || plans.every(({ is_leased: isLeased }) => isLeased)).toBe(true);
  stripe.silent.clear();
  await eventually('the requests without an answer have ended', async () =>
    (await Promise.all(slow.map(({ id }) => plan(id)))).every(({ next }) => next === 5),
  );
});

test('two replicas ask once, and a request whose process died is repeated when its lease has expired', async () => {
  const { id, session } = await opened();
  stripe.silent.add(session.id);
  await wallet.service.shiftClock(MINUTE + 1);
  await Promise.all([wallet.service.runJob('ask-providers'), wallet.service.runJob('ask-providers')]);
  await eventually('the provider is asked', () => Promise.resolve(stripe.fetched.length > 0));
  expect(stripe.fetched).toEqual([session.id]);
  stripe.silent.clear();
  pay(session);
  // The lease has expired.
  await wallet.service.shiftClock(2 * MINUTE + 2);
  await wallet.service.runJob('ask-providers');
  await eventually('it is credited', async () => (await status(id)) === 'success');
});

test('the provider is not asked about a deposit that was never opened', async () => {
  stripe.break(true);
  const student = wallet.newUser();
  await wallet.service.api.student(student).post('/api/deposits', { amount: 5_000 });
  stripe.break(false);
  const [{ id }] = (await wallet.service.rows('select id from deposit where user_id = $1', [student])) as [
    { id: number },
  ];
  expect(await askAt(MINUTE + 1, id)).toEqual({ next: 5 });
  expect(stripe.fetched).toEqual([]);
});
