import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { testKeys } from '@tutoring/shared/testing/keys';
import { readableAmount } from '@tutoring/shared/kit/language/money';
import { walletConfig } from '../src/config.ts';
import { depositEffect, paymentVerdict, providerMove } from '../src/deposits/deposit.ts';
import { nextAskAge } from '../src/providers/asking.ts';
import { SYSTEM_ACCOUNTS } from '../src/ledger/account.ts';
import { clearingAccount, PROVIDERS } from '../src/providers/registry.ts';
import { STATUSES, type Status } from '../src/records/record.ts';
import { commissionOfRefund } from '../src/refunds/refund.ts';
import { mayDecide, withdrawalSteps } from '../src/withdrawals/withdrawal.ts';

describe('the ledger effect of a move of a deposit', () => {
  test.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))('from %s to %s', (from, to) => {
    const expected = from === to ? 'none' : to === 'success' ? 'credit' : from === 'success' ? 'reverse' : 'none';
    expect(depositEffect(from, to)).toBe(expected);
  });
});

describe("a provider's event moves", () => {
  test.each<[string, Status, string | null, 'success' | 'failed' | 'canceled', Status | undefined]>([
    ['an open deposit to success', 'pending', null, 'success', 'success'],
    ['an initiated deposit to success', 'initiated', null, 'success', 'success'],
    ['an open deposit to failed', 'pending', null, 'failed', 'failed'],
    ['an open deposit to canceled', 'initiated', null, 'canceled', 'canceled'],
    ['a failed deposit to success, late', 'failed', null, 'success', 'success'],
    ['a canceled deposit to success, late', 'canceled', null, 'success', 'success'],
    ['no deposit out of success', 'success', 'then', 'failed', undefined],
    ['no deposit by a second success', 'success', 'then', 'success', undefined],
    ['no deposit that was paid before and reversed by an administrator', 'failed', 'then', 'success', undefined],
    ['no deposit from failed to canceled', 'failed', null, 'canceled', undefined],
    ['no deposit from canceled to failed', 'canceled', null, 'failed', undefined],
  ])('%s', (_name, status, paid_at, outcome, to) => {
    expect(providerMove({ status, paid_at }, outcome)).toBe(to);
  });
});

describe('the verdict about a payment', () => {
  const row = { provider_ref: 'cs_1', payment_key: 'k1', amount: 200, currency: 'XOF' };
  const payment = {
    ref: 'cs_1',
    depositId: 1,
    key: 'k1',
    money: { amount: 200, currency: 'xof' } as { amount: number | null; currency: string | null } | undefined,
    outcome: 'success' as 'success' | 'canceled' | undefined,
  };
  test.each([
    ['the payment that the row knows', {}, {}, 'ours'],
    ['the payment that the row knows, without a key', { payment_key: null }, { key: undefined }, 'ours'],
    ['another payment than the row knows, with its key', {}, { ref: 'cs_2' }, 'foreign'],
    ['a payment with the key of a row that knows none', { provider_ref: null }, {}, 'ours'],
    ['a payment with another key', { provider_ref: null }, { key: 'k2' }, 'foreign'],
    ['a payment without a key', { provider_ref: null }, { key: undefined }, 'foreign'],
    [
      'a payment without a key, for a row without one',
      { provider_ref: null, payment_key: null },
      { key: undefined },
      'foreign',
    ],
    ['an own payment of another amount', {}, { money: { amount: 199, currency: 'xof' } }, 'other_money'],
    ['an own payment in another currency', {}, { money: { amount: 200, currency: 'eur' } }, 'other_money'],
    ['an own payment without an amount', {}, { money: { amount: null, currency: 'xof' } }, 'other_money'],
    [
      'an own payment that ended unpaid',
      {},
      { money: { amount: 1, currency: null }, outcome: 'canceled' as const },
      'ours',
    ],
    ['an own payment of a provider that reports no amount', {}, { money: undefined }, 'ours'],
  ])('%s, with row %j and payment %j, is %s', (_what, ofRow, ofPayment, verdict) => {
    const { money, ...rest } = { ...payment, ...ofPayment };
    expect(paymentVerdict({ ...row, ...ofRow }, { ...rest, ...(money && { money }) })).toBe(verdict);
  });
});

test.each([
  [0, 60],
  [59, 60],
  [60, 300],
  [300, 1_800],
  [1_799.9, 1_800],
  [1_800, 5_400],
  [5_399, 5_400],
  [5_400, 9_000],
  [71 * 3_600 + 1_799, 71 * 3_600 + 1_800],
  [71 * 3_600 + 1_800, undefined],
  [500 * 3_600, undefined],
])('the provider is asked about a deposit with an age of %d s next at %d s', (age, next) => {
  expect(nextAskAge(age, true)).toBe(next);
  expect(nextAskAge(age, false)).toBeGreaterThan(age);
});

describe('the ledger steps of a move of a withdrawal', () => {
  test.each<[Status, Status, string[]]>([
    ['initiated', 'pending', []],
    ['pending', 'initiated', []],
    ['initiated', 'success', ['capture']],
    ['pending', 'success', ['capture']],
    ['initiated', 'failed', ['release']],
    ['pending', 'canceled', ['release']],
    ['failed', 'canceled', []],
    ['canceled', 'failed', []],
    ['failed', 'initiated', ['hold']],
    ['canceled', 'pending', ['hold']],
    ['failed', 'success', ['hold', 'capture']],
    ['success', 'failed', ['reverse']],
    ['success', 'canceled', ['reverse']],
    ['success', 'pending', ['reverse', 'hold']],
    ['success', 'initiated', ['reverse', 'hold']],
    ['success', 'success', []],
  ])('from %s to %s are %j', (from, to, steps) => {
    expect(withdrawalSteps(from, to)).toEqual(steps);
  });
});

describe("the platform's part of a refund", () => {
  const call = { student: 1, teacher: 2, charged: 100, commission: 15, refunded: 0, commissionRefunded: 0, refunds: 0 };
  test.each([
    ['of the whole call', call, 100, 15],
    ['of a third is rounded down', call, 33, 4],
    ['of the rest makes up for the rounding', { ...call, refunded: 33, commissionRefunded: 4 }, 67, 11],
    ['of one unit', call, 1, 0],
    ['without commission is 0', { ...call, commission: 0 }, 50, 0],
    ['is the whole refund if the commission was 100 %', { ...call, commission: 100 }, 50, 50],
    [
      'takes nothing back after a later step without commission',
      { ...call, refunded: 50, commissionRefunded: 10 },
      1,
      0,
    ],
    [
      'never exceeds the refund after a later step with a high commission',
      { ...call, commission: 80, refunded: 20 },
      5,
      5,
    ],
    ['is exact though the product exceeds 2^53', { ...call, charged: 9e12, commission: 3e12 }, 6e12, 2e12],
  ])('%s', (_name, totals, refund, expected) => {
    expect(commissionOfRefund(totals, refund)).toBe(expected);
  });
});

test.each([
  [1000, 'XOF', '1,000 XOF'],
  [123456, 'EUR', '1,234.56 EUR'],
])('%d in the smallest unit of %s is shown as %s', (amount, currency, text) => {
  expect(readableAmount(amount, currency)).toBe(text);
});

test('payment providers have different names and different accounts, of their own', () => {
  const own = Object.values(SYSTEM_ACCOUNTS) as number[];
  expect(new Set(PROVIDERS.map(({ name }) => name)).size).toBe(PROVIDERS.length);
  expect(new Set([...PROVIDERS.map(({ account }) => account), ...own]).size).toBe(PROVIDERS.length + own.length);
  expect(PROVIDERS.map(({ account }) => account).filter((account) => !(account < 0))).toEqual([]);
});

test('the money of a provider that only a newer release knows is refused for now', () => {
  expect([clearingAccount('sandbox'), clearingAccount('stripe')]).toEqual([-10, -11]);
  expect(() => clearingAccount('of_tomorrow')).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

describe('configuration', () => {
  const base = {
    PORT: '0',
    PUBLIC_URL: 'https://example.org',
    NATS_URL: 'nats://localhost',
    IDENTITY_URL: 'http://identity',
    ...testKeys('wallet'),
    DATABASE_URL: 'postgres://localhost/wallet',
  };
  const sandbox = { SANDBOX_WEBHOOK_SECRET: 'a-secret-of-the-sandbox' };
  const stripe = { STRIPE_SECRET_KEY: 'sk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  const parse = (env: Record<string, string>) => parseConfig(walletConfig, { ...base, ...env });

  test('the sandbox needs its secret and Stripe its keys, and production refuses the sandbox', () => {
    expect(parse(sandbox).CURRENCY).toBe('XOF');
    expect(parse({ ...stripe, NODE_ENV: 'production' })).toMatchObject(stripe);
    expect(() => parse({})).toThrow(
      'SANDBOX_WEBHOOK_SECRET: is required unless STRIPE_SECRET_KEY or FEDAPAY_SECRET_KEY is set',
    );
    expect(() => parse({ STRIPE_SECRET_KEY: 'sk_1' })).toThrow('belong together');
    expect(() => parse({ ...sandbox, NODE_ENV: 'production' })).toThrow(
      'STRIPE_SECRET_KEY: or FEDAPAY_SECRET_KEY is required in production',
    );
    expect(() => parse({ ...sandbox, ...stripe, NODE_ENV: 'production' })).toThrow('would let play money in');
    expect(() => parse({ ...sandbox, CURRENCY: 'cfa' })).toThrow('CURRENCY: must be the ISO 4217 code of a currency');
  });

  test.each(['ISK', 'UGX', 'KWD', 'BHD', 'JOD', 'OMR', 'TND'])(
    '%s is refused with Stripe, which counts it in other units, but not with the sandbox',
    (CURRENCY) => {
      const problem = 'CURRENCY: is counted in other units by Stripe: people would pay another amount';
      expect(() => parse({ ...stripe, CURRENCY })).toThrow(problem);
      expect(parse({ ...sandbox, CURRENCY }).CURRENCY).toBe(CURRENCY);
    },
  );

  const fedapay = { FEDAPAY_SECRET_KEY: 'sk_live_1', FEDAPAY_WEBHOOK_SECRET: 'wh_live_1' };
  test('FedaPay needs both its keys and XOF, and production refuses a sandbox key', () => {
    expect(parse({ ...fedapay, NODE_ENV: 'production' })).toMatchObject(fedapay);
    expect(() => parse({ FEDAPAY_SECRET_KEY: 'sk_live_1' })).toThrow(
      'FEDAPAY_SECRET_KEY: and FEDAPAY_WEBHOOK_SECRET belong together',
    );
    expect(() => parse({ ...fedapay, CURRENCY: 'XAF' })).toThrow('CURRENCY: must be XOF with FedaPay');
    const test = { ...fedapay, FEDAPAY_SECRET_KEY: 'sk_sandbox_1' };
    expect(parse(test)).toMatchObject(test);
    expect(() => parse({ ...test, NODE_ENV: 'production' })).toThrow('FEDAPAY_SECRET_KEY: is a sandbox key');
  });

  test('PAYMENT_METHODS names providers with credentials by method', () => {
    const methods = (PAYMENT_METHODS: string) => parse({ ...fedapay, ...sandbox, PAYMENT_METHODS }).PAYMENT_METHODS;
    expect(parse(sandbox).PAYMENT_METHODS).toEqual({});
    expect(methods('{"mtn_open":"fedapay","play":"sandbox"}')).toEqual({ mtn_open: 'fedapay', play: 'sandbox' });
    for (const wrong of ['mtn', '[]', '{"mtn":1}', '{"":"fedapay"}', 'null'])
      expect(() => methods(wrong)).toThrow('PAYMENT_METHODS: must be a JSON object of methods');
    expect(() => methods('{"card":"stripe"}')).toThrow(
      'PAYMENT_METHODS: names stripe for card, which has no credentials',
    );
    expect(() => methods('{"card":"strip"}')).toThrow(
      'PAYMENT_METHODS: names strip for card: the providers are stripe, fedapay, sandbox',
    );
  });

  test.each(['XOF', 'XAF', 'JPY', 'MGA', 'EUR', 'USD', 'NGN', 'GHS'])('%s is accepted with Stripe', (CURRENCY) => {
    expect(parse({ ...stripe, CURRENCY }).CURRENCY).toBe(CURRENCY);
  });
});

describe('a decision on a withdrawal', () => {
  const [ME, OTHER] = [7, 8];
  const row = { status: 'pending' as Status, claimer_id: OTHER as number | null, details: null, ref: 'R' };
  const approver = ['money', 'approve'];
  test.each<[string, string[] | undefined, Partial<typeof row>, { status: Status; ref?: string }, boolean]>([
    ['with approve alone confirms what another has claimed', approver, {}, { status: 'success' }, true],
    ['with approve alone confirms it with a reference', approver, {}, { status: 'success', ref: 'S' }, true],
    ['with approve alone may repeat it', approver, { status: 'success' }, { status: 'success', ref: 'R' }, true],
    [
      'with approve alone changes nothing afterwards',
      approver,
      { status: 'success' },
      { status: 'success', ref: 'S' },
      false,
    ],
    ['with approve alone never confirms an own claim', approver, { claimer_id: ME }, { status: 'success' }, false],
    ['with approve alone confirms nothing unclaimed', approver, { claimer_id: null }, { status: 'success' }, false],
    ['with approve alone confirms nothing given back', approver, { status: 'initiated' }, { status: 'success' }, false],
    ['with approve alone revives nothing failed', approver, { status: 'failed' }, { status: 'success' }, false],
    ['with approve alone does not fail it', approver, {}, { status: 'failed' }, false],
    ['with approve alone does not cancel it', approver, {}, { status: 'canceled' }, false],
    ['with approve alone does not claim it', approver, {}, { status: 'pending' }, false],
    ['with payout is free', ['payout'], { claimer_id: ME }, { status: 'success' }, true],
    ['with payout and approve is free', ['payout', 'approve'], { claimer_id: ME }, { status: 'failed' }, true],
    ['of an identity without rights is free', undefined, { claimer_id: ME }, { status: 'canceled' }, true],
  ])('%s', (_name, rights, more, decision, allowed) => {
    const admin = { id: ME, level: 'default', ...(rights && { rights }) };
    expect(mayDecide(admin, { ...row, ...more }, decision)).toBe(allowed);
    expect(mayDecide({ ...admin, level: 'su' }, { ...row, ...more }, decision)).toBe(true);
  });
});
