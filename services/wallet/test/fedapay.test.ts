import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { fedapayDeposits } from './fedapay-deposits.ts';
import { FEDAPAY_ENV, startFedapay, type Transaction } from './fedapay-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

let fedapay: Awaited<ReturnType<typeof startFedapay>>;
let wallet: Wallet;
let deposits: ReturnType<typeof fedapayDeposits>;

beforeAll(async () => {
  fedapay = await startFedapay();
  wallet = await startWallet({ ...FEDAPAY_ENV, FEDAPAY_API_URL: fedapay.url });
  deposits = fedapayDeposits(wallet, fedapay);
});
afterEach(async () => {
  fedapay.reset();
  await wallet.service.shiftClock(0);
  await wallet.service.asOwner('update deposit set ask_at = null');
});
afterAll(async () => {
  await wallet.stop();
  await fedapay.stop();
});

const CREATE = /^POST \/v1\/transactions$/;
const TOKEN = /^POST .*\/token$/;
const READ = /^GET \/v1\/transactions\/\d+$/;

describe('a deposit at FedaPay', () => {
  test('opens a transaction that carries the id and the random key of the deposit', async () => {
    const { deposit, transaction } = await deposits.opened('mtn_open');
    const [row] = await wallet.service.rows<{ payment_key: string; provider: string }>(
      'select payment_key, provider from deposit where id = $1',
      [deposit.id],
    );
    expect(deposit).toMatchObject({
      status: 'pending',
      method: 'mtn_open',
      checkout_url: `https://process.fedapay.test/tok_${transaction.id}`,
    });
    expect(row!.provider).toBe('fedapay');
    expect(row!.payment_key).toMatch(/^[\w-]{32}$/);
    expect(fedapay.asked(CREATE)[0]!.body).toEqual({
      description: 'Balance top-up',
      amount: 5_000,
      currency: { iso: 'XOF' },
      callback_url: 'http://public.test/api/checkout/returned',
      merchant_reference: row!.payment_key,
      custom_metadata: { deposit_id: String(deposit.id), deposit_key: row!.payment_key },
      mode: 'mtn_open',
    });
  });

  test.each([undefined, 'mobile_money'])('leaves the mode to the payment page for the method %s', async (method) => {
    await deposits.opened(method);
    expect(fedapay.asked(CREATE)[0]!.body).not.toHaveProperty('mode');
  });

  test.each(['approved', 'transferred'])(
    'is credited once when it is %s, however often FedaPay says it',
    async (now) => {
      const one = await deposits.opened();
      one.transaction.status = now;
      for (const id of [1, 1, 2].map((event) => 70_000 + 10 * one.deposit.id + event))
        expect((await deposits.deliver(`transaction.${now}`, one.transaction, { id })).body).toEqual({
          received: true,
        });
      expect(await deposits.state(one)).toEqual(['success', 5_000]);
    },
  );

  test.each(['declined', 'canceled'])(
    'that was %s has failed, is asked about again, and a late approval credits it',
    async (end) => {
      const one = await deposits.opened();
      one.transaction.status = end;
      await deposits.deliver(`transaction.${end}`, one.transaction);
      expect(await deposits.state(one)).toEqual(['failed', 0]);
      expect([await deposits.ask(one.deposit.id), ...(await deposits.state(one))]).toEqual([true, 'failed', 0]);
      one.transaction.status = 'approved';
      expect([await deposits.ask(one.deposit.id), ...(await deposits.state(one))]).toEqual([false, 'success', 5_000]);
    },
  );

  test('is credited by asking when the webhook is lost, and once when the webhook arrives later', async () => {
    const one = await deposits.opened();
    one.transaction.status = 'approved';
    await deposits.ask(one.deposit.id);
    expect(await deposits.state(one)).toEqual(['success', 5_000]);
    await deposits.deliver('transaction.approved', one.transaction);
    expect(await deposits.state(one)).toEqual(['success', 5_000]);
  });

  test('is decided by the fetched transaction, not by the content of a signed webhook', async () => {
    const one = await deposits.opened();
    await deposits.deliver('transaction.approved', { ...one.transaction, status: 'approved' });
    expect(await deposits.state(one)).toEqual(['pending', 0]);
  });

  test('takes events in any order', async () => {
    const one = await deposits.opened();
    one.transaction.status = 'approved';
    for (const name of ['transaction.approved', 'transaction.declined', 'transaction.created'])
      await deposits.deliver(name, { ...one.transaction, status: name.split('.')[1] });
    expect(await deposits.state(one)).toEqual(['success', 5_000]);
  });

  test.each<[string, Partial<Transaction>]>([
    ['another amount', { amount: 50 }],
    ['an amount that cannot be read', { amount: 'all' as unknown as number }],
    ['another currency', { currency: { iso: 'GNF' } }],
    ['a currency that is not shown', { currency: null as never, currency_id: null as never }],
  ])('is not credited by its transaction with %s', async (_what, change) => {
    const one = await deposits.opened();
    Object.assign(one.transaction, change, { status: 'approved' });
    expect((await deposits.deliver('transaction.approved', one.transaction)).status).toBe(200);
    await deposits.ask(one.deposit.id);
    expect(await deposits.state(one)).toEqual(['pending', 0]);
  });

  test.each([1, 2])('is credited when the transaction has the id of its currency alone: %i', async (currency_id) => {
    const one = await deposits.opened();
    Object.assign(one.transaction, { status: 'approved', currency_id });
    fedapay.settings.includesCurrency = false;
    await deposits.deliver('transaction.approved', one.transaction);
    expect(await deposits.state(one)).toEqual(['success', 5_000]);
  });

  test.each(['pending', 'refunded', 'a status of tomorrow'])('stays open while its transaction is %s', async (now) => {
    const one = await deposits.opened();
    one.transaction.status = now;
    await deposits.deliver('transaction.updated', one.transaction);
    expect(await deposits.state(one)).toEqual(['pending', 0]);
  });

  test.each(['refunded', 'approved_partially_refunded'])('that is credited and then %s makes a break', async (now) => {
    const one = await deposits.opened();
    for (const status of ['approved', now]) {
      one.transaction.status = status;
      await deposits.deliver('transaction.updated', one.transaction);
    }
    expect(await deposits.state(one)).toEqual(['success', 5_000]);
    const found = await wallet.service.rows('select kind from break where reference = $1', [one.deposit.ref]);
    expect(found).toEqual([{ kind: 'status' }]);
  });

  test('is not credited by a foreign transaction that names it', async () => {
    const one = await deposits.opened();
    const deposit_id = String(one.deposit.id);
    for (const deposit_key of ['', 'k'.repeat(32)])
      await deposits.deliver('transaction.approved', fedapay.foreign({ custom_metadata: { deposit_id, deposit_key } }));
    expect(await deposits.state(one)).toEqual(['pending', 0]);
  });

  test.each([403, 404])('ignores a transaction that our key cannot read (%i)', async (refused) => {
    const one = await deposits.opened();
    fedapay.answer(READ, { status: refused, body: { message: 'no' } });
    expect((await deposits.deliver('transaction.approved', one.transaction)).body).toEqual({ received: true });
    expect(await deposits.state(one)).toEqual(['pending', 0]);
  });

  test.each<[string, string | { status: number; body: unknown }]>([
    ['refuses our key', { status: 401, body: { message: 'no' } }],
    ['breaks the connection', 'lost'],
    ['is broken', { status: 500, body: {} }],
    ['has too many requests', { status: 429, body: {} }],
    ['answers without end', { status: 200, body: { id: 1, text: 'x'.repeat(1_000_001) } }],
    ['answers nonsense', { status: 200, body: { 'v1/transaction': 'paid' } }],
  ])('is credited by a repeated webhook after FedaPay %s', async (_what, how) => {
    const one = await deposits.opened();
    one.transaction.status = 'approved';
    fedapay.answer(READ, how as 'lost');
    const event = { id: 90_000 + one.deposit.id };
    expect((await deposits.deliver('transaction.approved', one.transaction, event)).status).toBe(503);
    fedapay.reset();
    expect((await deposits.deliver('transaction.approved', one.transaction, event)).status).toBe(200);
    expect(await deposits.state(one)).toEqual(['success', 5_000]);
  });
});

describe('a webhook of FedaPay', () => {
  test('with a wrong, old or missing signature, or for other bytes, is refused with a 400', async () => {
    const { transaction, ...one } = await deposits.opened();
    transaction.status = 'approved';
    const { payload, signature } = fedapay.webhook('transaction.approved', transaction);
    for (const seconds of [-305, 305]) {
      const at = Math.floor(Date.now() / 1_000) + seconds;
      expect((await deposits.deliver('transaction.approved', transaction, { at })).status).toBe(400);
    }
    expect((await deposits.deliver('transaction.approved', transaction, { secret: 'wh_other' })).status).toBe(400);
    for (const wrong of ['', 't=,s=', signature.replace(/s=.*/, 's=00'), signature.replace('s=', 'v1=')])
      expect((await deposits.post(payload, wrong)).status).toBe(400);
    expect((await deposits.post(`${payload} `, signature)).status).toBe(400);
    expect(await deposits.state(one)).toEqual(['pending', 0]);
    expect((await deposits.post(payload, signature.replace('s=', `s=${'0'.repeat(64)},s=`))).status).toBe(200);
    expect(await deposits.state(one)).toEqual(['success', 5_000]);
  });

  test.each<[string, string, object]>([
    ['a NUL in its name', 'transaction.approved\u0000', { id: 5 }],
    ['no id of its transaction', 'transaction.approved', {}],
    ['a NUL in the id of its transaction', 'transaction.approved', { id: '5\u0000' }],
    ['no name', '', { id: 5 }],
  ])('that is signed and has %s is malformed', async (_what, name, entity) => {
    const answer = await deposits.deliver(name, entity);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed']);
  });

  test('that is too large is refused', async () => {
    const { payload, signature } = fedapay.webhook('transaction.approved', { id: 5, text: 'x'.repeat(2_000_000) });
    expect((await deposits.post(payload, signature)).status).toBe(413);
  });

  test('about a customer changes nothing and asks nothing', async () => {
    expect((await deposits.deliver('customer.created', { id: 5 })).body).toEqual({ received: true });
    expect(fedapay.requests).toEqual([]);
  });
});

describe('opening a deposit', () => {
  const begin = (student: number, key: string) =>
    wallet.service.api.student(student).post('/api/deposits', { amount: 5_000 }, { 'idempotency-key': key });

  test.each([
    ['the answer to the creation', CREATE],
    ['the answer with the token', TOKEN],
  ])('again after a crash that lost %s continues with the same transaction', async (_what, match) => {
    const student = wallet.newUser();
    const before = fedapay.transactions.size;
    fedapay.answer(match, 'held');
    const crashed = begin(student, 'again');
    await eventually('the request is at FedaPay', () => Promise.resolve(fedapay.asked(match).length === 1));
    fedapay.reset();
    await wallet.service.rows(
      `update idempotency_key set created_at = created_at - interval '31 seconds' where caller = $1`,
      [`user:${student}`],
    );
    const again = await begin(student, 'again');
    fedapay.hangUp();
    await crashed;
    expect([again.status, fedapay.transactions.size - before]).toEqual([200, 1]);
    const transaction = fedapay.transactions.get(Number(again.body.ref))!;
    transaction.status = 'approved';
    await deposits.deliver('transaction.approved', transaction);
    expect(await deposits.state({ student, deposit: again.body })).toEqual(['success', 5_000]);
  });

  test('whose answer was lost is a 503, and an approval of its transaction still credits the deposit', async () => {
    const student = wallet.newUser();
    fedapay.answer(TOKEN, 'lost');
    expect((await begin(student, 'lost')).status).toBe(503);
    const transaction = [...fedapay.transactions.values()].at(-1)!;
    transaction.status = 'approved';
    await deposits.deliver('transaction.approved', transaction);
    expect((await wallet.balance(student)).balance).toBe(5_000);
  });

  test('with an amount that FedaPay refuses is a 422 on the amount and leaves no deposit', async () => {
    const student = wallet.newUser();
    fedapay.answer(CREATE, { status: 422, body: { message: 'Échec', errors: { amount: ['trop petit'] } } });
    const refused = await begin(student, 'small');
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { amount: ['The payment provider does not accept the amount field.'] },
    ]);
    expect((await wallet.service.api.student(student).get('/api/deposits')).body).toEqual([]);
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  });

  test.each<[string, number, object]>([
    ['another field', 422, { errors: { callback_url: ['invalide'] } }],
    ['our key', 401, { message: 'no' }],
    ['the amount, in an error of its own', 500, { errors: { amount: ['?'] } }],
  ])('that FedaPay refuses because of %s is a 503, and the deposit has failed', async (_what, refused, body) => {
    const student = wallet.newUser();
    fedapay.answer(CREATE, { status: refused, body });
    expect((await begin(student, 'refused')).status).toBe(503);
    const { body: deposits } = await wallet.service.api.student(student).get('/api/deposits');
    expect(deposits).toEqual([expect.objectContaining({ status: 'failed' })]);
  });
});
