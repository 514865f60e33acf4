import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { NotSent, type PaymentProvider, type Payouts, type WantedPayout } from '../src/providers/provider.ts';
import { createFedapay } from '../src/providers/fedapay/transaction.ts';
import { FEDAPAY_ENV, startFedapay, type Payout } from './fedapay-stand-in.ts';

/* The adapter alone, over HTTP to the stand-in. */

let fedapay: Awaited<ReturnType<typeof startFedapay>>;
let provider: PaymentProvider;
let payouts: Payouts;
let last = 0;

const connect = (secretKey: string, apiUrl = fedapay.url) =>
  createFedapay({
    secretKey,
    webhookSecret: FEDAPAY_ENV.FEDAPAY_WEBHOOK_SECRET,
    apiUrl,
    publicUrl: 'http://public.test',
  });

beforeAll(async () => {
  fedapay = await startFedapay();
  provider = connect(FEDAPAY_ENV.FEDAPAY_SECRET_KEY);
  payouts = provider.payouts!;
});
afterEach(() => fedapay.reset());
afterAll(() => fedapay.stop());

const CREATE = /^POST \/v1\/payouts$/;
const START = /^PUT \/v1\/payouts\/start$/;
const FIND = /^GET \/v1\/payouts\/merchant\//;

const wanted = (change: Partial<WantedPayout> = {}): WantedPayout => ({
  key: `key-${(last += 1)}`,
  reference: `W${last}-1`,
  amount: 5_000,
  currency: 'XOF',
  method: 'togocel',
  account: '+22890112233',
  holder_name: 'Awa Koffi Mensah',
  provider_ref: null,
  ...change,
});
const kept = ({ key }: WantedPayout) => [...fedapay.payouts.values()].filter((one) => one.merchant_reference === key);
const money = { amount: 5_000, currency: 'XOF' };

describe('a payout by FedaPay', () => {
  test('is created under our key for the phone number of the account, and started', async () => {
    const payout = wanted();
    const made = await payouts.send(payout);
    const [{ id } = { id: 0 }] = kept(payout);
    expect(made).toEqual({ ref: String(id), outcome: 'pending', money });
    expect(fedapay.asked(CREATE)[0]!.body).toEqual({
      amount: 5_000,
      currency: { iso: 'XOF' },
      mode: 'togocel',
      description: `Payout ${payout.reference}`,
      merchant_reference: payout.key,
      custom_metadata: { reference: payout.reference },
      customer: {
        firstname: 'Awa',
        lastname: 'Koffi Mensah',
        phone_number: { number: '+22890112233', country: 'tg' },
      },
    });
    expect(fedapay.asked(START).map(({ body }) => body)).toEqual([{ payouts: [{ id }] }]);
  });

  test.each([
    ['', ''],
    ['', '/'],
    ['/v1', ''],
    ['/v1', '/'],
  ])('is created at an address with the path "%s%s"', async (path, end) => {
    const { origin } = new URL(fedapay.url);
    const payout = wanted();
    await connect(FEDAPAY_ENV.FEDAPAY_SECRET_KEY, `${origin}${path}${end}`).payouts!.send(payout);
    expect(kept(payout)).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    ['Awa', 'Awa', 'Awa'],
    [`${'é'.repeat(300)} ${'ñ'.repeat(300)}`, 'é'.repeat(255), 'ñ'.repeat(255)],
    ['😀'.repeat(256), '😀'.repeat(255), '😀'.repeat(255)],
  ])('has the names of the holder, cut to their length: %#', async (holder_name, firstname, lastname) => {
    await payouts.send(wanted({ holder_name }));
    expect(fedapay.asked(CREATE)[0]!.body).toMatchObject({ customer: { firstname, lastname } });
  });

  test.each<[string, Partial<WantedPayout>]>([
    ['an IBAN', { account: 'FR7630006000011234567890189' }],
    ['a number without a country', { account: '90112233' }],
    ['no method', { method: null }],
  ])('to %s has failed without a request', async (_what, change) => {
    const made = await payouts.send(wanted(change));
    expect([made.outcome, made.ref, fedapay.requests]).toEqual(['failed', undefined, []]);
  });

  test.each<[string, Partial<Payout>, object]>([
    ['scheduled', {}, { outcome: 'pending' }],
    ['started', {}, { outcome: 'pending' }],
    ['processing', {}, { outcome: 'pending' }],
    ['sent', {}, { outcome: 'paid' }],
    ['failed', { last_error_message: 'Compte inactif' }, { outcome: 'failed', message: 'Compte inactif' }],
    ['a status of tomorrow', {}, { outcome: undefined }],
    ['failed', { deleted_at: '2026-11-01T00:00:00Z' }, { outcome: undefined }],
  ])('that is %s is found by its key and by its id: %#', async (status, change, expected) => {
    const payout = wanted();
    const { ref } = await payouts.send(payout);
    Object.assign(kept(payout)[0]!, { status, ...change });
    const answer = { ref, money, ...expected };
    expect(await payouts.find(payout)).toEqual(answer);
    expect(await payouts.find({ ...payout, provider_ref: ref! })).toEqual(answer);
  });

  test('that was created by a call without an answer and not started is left to a person', async () => {
    const payout = wanted();
    fedapay.answer(START, 'lost');
    await expect(payouts.send(payout)).rejects.toThrow();
    kept(payout)[0]!.status = 'pending';
    const { ref } = (await payouts.find(payout))!;
    expect(await payouts.find(payout)).toEqual({ ref, money, outcome: undefined });
    // Its answer was recorded: FedaPay has accepted the start.
    expect(await payouts.find({ ...payout, provider_ref: ref! })).toMatchObject({ outcome: 'pending' });
  });

  test('is for phone numbers alone', () => {
    expect(['+22890112233', 'FR7630006000011234567890189', 'Awa'].map((account) => payouts.pays!(account))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('that FedaPay pays at once is paid', async () => {
    fedapay.settings.startedAs = 'sent';
    expect(await payouts.send(wanted())).toMatchObject({ outcome: 'paid', money });
  });

  test('that was never sent is not found', async () => {
    expect(await payouts.find(wanted())).toBeUndefined();
  });

  test('whose fields FedaPay refuses has failed with the reasons', async () => {
    const errors = { amount: ['est trop petit'], mode: ['est inconnu'] };
    fedapay.answer(CREATE, { status: 422, body: { message: 'Refusé', errors } });
    const payout = wanted();
    expect(await payouts.send(payout)).toEqual({
      outcome: 'failed',
      message: 'Refusé; amount: est trop petit; mode: est inconnu',
    });
    expect([kept(payout), fedapay.asked(START)]).toEqual([[], []]);
  });

  test('that FedaPay refuses without reasons has failed', async () => {
    for (const [body, message] of [
      [{ message: 'Refusé' }, 'Refusé'],
      [{}, 'FedaPay answered 400'],
    ] as const) {
      fedapay.answer(CREATE, { status: 400, body });
      expect(await payouts.send(wanted())).toEqual({ outcome: 'failed', message });
    }
    expect(fedapay.asked(START)).toEqual([]);
  });

  test('is started when FedaPay does not find it by our key', async () => {
    fedapay.answer(FIND, { status: 404, body: { message: 'no' } });
    const payout = wanted();
    expect(await payouts.send(payout)).toMatchObject({ outcome: 'pending', ref: String(kept(payout)[0]!.id) });
    expect(fedapay.asked(START)).toHaveLength(1);
  });

  const turnedAway: [string, { status: number; body: unknown }][] = [
    ['a 401', { status: 401, body: { message: 'no' } }],
    ['a 403', { status: 403, body: { message: 'no', errors: { amount: ['no'] } } }],
    ['a 429', { status: 429, body: { message: 'no' } }],
  ];
  const unclear: [string, 'lost' | { status: number; body: unknown }][] = [
    ['no answer', 'lost'],
    ['a 404', { status: 404, body: { message: 'no' } }],
    ['a 409', { status: 409, body: { message: 'no' } }],
    ['a 422 about our key', { status: 422, body: { errors: { merchant_reference: ['taken'], amount: ['no'] } } }],
    ['a 500 with fields', { status: 500, body: { errors: { amount: ['no'] } } }],
    ['a page', { status: 502, body: '<html>' }],
  ];
  test.each(unclear)(
    'has an unknown outcome after %s to its creation, and is made once when sent again',
    async (_what, how) => {
      const payout = wanted();
      fedapay.answer(CREATE, how);
      await expect(payouts.send(payout)).rejects.not.toBeInstanceOf(NotSent);
      expect(fedapay.asked(START)).toEqual([]);
      fedapay.reset();
      expect(await payouts.send(payout)).toMatchObject({ outcome: 'pending' });
      expect([kept(payout).length, fedapay.asked(START).length]).toEqual([1, 1]);
    },
  );

  test.each([...unclear, ...turnedAway])(
    'has an unknown outcome after %s to its start, and is never made twice',
    async (_what, how) => {
      const payout = wanted();
      fedapay.answer(START, how);
      await expect(payouts.send(payout)).rejects.not.toBeInstanceOf(NotSent);
      fedapay.reset();
      const again = await payouts.send(payout);
      expect(again).toMatchObject({ outcome: 'pending', ref: String(kept(payout)[0]!.id) });
      expect([kept(payout).length, kept(payout)[0]!.status, fedapay.asked(CREATE).length]).toEqual([1, 'started', 0]);
    },
  );

  test('is not made while FedaPay does not say whether it exists', async () => {
    for (const status of [401, 403, 500]) {
      fedapay.answer(FIND, { status, body: { message: 'no' } });
      await expect(payouts.send(wanted())).rejects.toThrow();
      await expect(payouts.find(wanted())).rejects.toThrow();
    }
    expect(fedapay.asked(CREATE)).toEqual([]);
  });

  test('that was sent is neither made nor started again when it is sent again', async () => {
    const payout = wanted();
    fedapay.settings.startedAs = 'sent';
    const { ref } = await payouts.send(payout);
    fedapay.reset();
    for (const provider_ref of [null, ref!])
      expect(await payouts.send({ ...payout, provider_ref })).toMatchObject({ ref, outcome: 'paid' });
    expect([fedapay.asked(CREATE), fedapay.asked(START)]).toEqual([[], []]);
  });

  test('that FedaPay no longer knows by its id is not made again', async () => {
    await expect(payouts.send(wanted({ provider_ref: '999' }))).rejects.toThrow('does not know');
    expect(fedapay.asked(CREATE)).toEqual([]);
  });

  test('that has another amount or currency at FedaPay is not started', async () => {
    for (const change of [{ amount: 50_000 }, { currency: { iso: 'GNF' } }]) {
      const payout = wanted();
      fedapay.answer(START, 'lost');
      await expect(payouts.send(payout)).rejects.toThrow();
      fedapay.reset();
      Object.assign(kept(payout)[0]!, { status: 'pending' }, change);
      await expect(payouts.send(payout)).rejects.toThrow('another amount or currency');
      expect(fedapay.asked(START)).toEqual([]);
    }
  });

  test.each(['merchant_reference', 'base'])(
    'that is created three times at once is started once (%s)',
    async (field) => {
      fedapay.settings.takenField = field;
      const payout = wanted();
      const sent = await Promise.allSettled([payouts.send(payout), payouts.send(payout), payouts.send(payout)]);
      const outcomes = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value.outcome] : []));
      expect(new Set(outcomes)).toEqual(new Set(['pending']));
      expect(kept(payout).map(({ status }) => status)).toEqual(['started']);
    },
  );

  test('under a key of another account is not a refusal', async () => {
    const other = connect('sk_sandbox_other').payouts!;
    await expect(other.send(wanted())).rejects.toThrow("Erreur d'authentification");
    await expect(other.balance!()).rejects.toThrow();
  });
});

test('the balance is the sum of the balances of all operators', async () => {
  expect(await payouts.balance!()).toBe(75_000);
});

test('a request without an answer ends after five seconds', async () => {
  fedapay.answer(FIND, 'held');
  await expect(payouts.find(wanted())).rejects.toThrow('timeout');
});

test('a webhook about a payout names its key and id, and asks nothing', async () => {
  const payout = wanted();
  const { ref } = await payouts.send(payout);
  fedapay.reset();
  const { payload, signature } = fedapay.webhook('payout.sent', kept(payout)[0]!, { id: 900 });
  const header = (name: string) => (name === 'x-fedapay-signature' ? signature : undefined);
  expect(await provider.read(Buffer.from(payload), header)).toEqual({
    id: '900',
    type: 'payout.sent',
    ref,
    payment: undefined,
    payout: { ref, key: payout.key },
  });
  expect(fedapay.requests).toEqual([]);
});
