import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { declareProvider } from '../src/providers/provider.ts';
import { PROVIDERS } from '../src/providers/registry.ts';
import type { Wallet } from './wallet.ts';

/* A provider of deposits and payouts is one declaration and one line in the registry; everything else follows. */

const KEY = 'the-key-of-the-mobile-money';
const paidOut = new Set<string>();

const mobileMoney = declareProvider({
  name: 'mobile_money',
  account: -13,
  credentials: { MOBILE_MONEY_KEY: z.string().min(8).describe('Signs the requests of mobile money') },
  problems: ({ CURRENCY }) => (CURRENCY === 'XOF' ? [] : [['CURRENCY', 'is not paid by mobile money']]),
  webhookNote: 'Mobile money sends its key in `Mobile-Money-Key`.',
  create: ({ MOBILE_MONEY_KEY: key, PUBLIC_URL }) => ({
    name: 'mobile_money',
    open: async ({ id }) => ({ ref: `mm-${id}`, checkoutUrl: `${PUBLIC_URL}/mobile/${id}` }),
    read: async (rawBody, header) => {
      if (header('mobile-money-key') !== key) return undefined;
      const { id, deposit } = z.object({ id: z.string(), deposit: z.int() }).parse(JSON.parse(rawBody.toString()));
      const payment = { ref: `mm-${deposit}`, depositId: deposit, outcome: 'success' as const };
      return { id, type: 'paid', ref: payment.ref, payment };
    },
    payouts: {
      send: async ({ key: ref }) => {
        paidOut.add(ref);
        return { ref, outcome: 'paid' };
      },
      find: async ({ key: ref }) => (paidOut.has(ref) ? { ref, outcome: 'paid' } : undefined),
    },
  }),
});

let wallet: Wallet;

beforeAll(async () => {
  PROVIDERS.unshift(mobileMoney);
  const { startWallet } = await import('./wallet.ts');
  wallet = await startWallet({ MOBILE_MONEY_KEY: KEY });
});
afterAll(() => wallet.stop());

const deliver = (deposit: number, key: string) =>
  wallet.service.api.anonymous.post(
    '/api/webhooks/payments/mobile_money',
    { id: `event-${deposit}`, deposit },
    { 'mobile-money-key': key },
  );

test('a deposit is opened at a new provider and credited once by its webhook, and the audit finds nothing', async () => {
  const { body: deposit } = await wallet.service.api.student(1).post('/api/deposits', { amount: 5_000 });
  expect(deposit).toMatchObject({ status: 'pending', checkout_url: `http://public.test/mobile/${deposit.id}` });
  for (const [key, balance] of [
    ['another key', 0],
    [KEY, 5_000],
    [KEY, 5_000],
  ] as const) {
    expect((await deliver(deposit.id, key)).body).toEqual({ received: true });
    expect((await wallet.balance(1)).balance).toBe(balance);
  }
  const transfers = await wallet.service.rows('select debit_account, credit_account, amount from transfer');
  expect(transfers).toEqual([{ debit_account: -13, credit_account: 1, amount: 5_000 }]);
  const { audit } = await import('../src/audit/audit-store.ts');
  expect(await audit(wallet.service.service.database)).toMatchObject({ transfers: 1, findings: [] });
});

test('an administrator takes the deposit back to the account of its provider', async () => {
  const { body: deposit } = await wallet.service.api.student(2).post('/api/deposits', { amount: 700 });
  await deliver(deposit.id, KEY);
  const decided = await wallet.service.api.admin('su').put(`/api/admin/deposits/${deposit.id}`, { status: 'failed' });
  expect(decided.body).toMatchObject({ status: 'failed' });
  const transfers = await wallet.service.rows(
    'select kind, credit_account from transfer where 2 in (debit_account, credit_account) order by id',
  );
  expect(transfers).toEqual([
    { kind: 'deposit', credit_account: 2 },
    { kind: 'deposit_reversal', credit_account: -13 },
  ]);
});

test('its metrics, the checks of its configuration and its part of the reference follow', async () => {
  const metrics = await wallet.service.service.metrics.registry.metrics();
  expect(metrics).toMatch(
    /payment_provider_requests_total\{[^}]*provider="mobile_money",request="open",outcome="done"/,
  );
  const { walletConfig } = await import('../src/config.ts');
  const { providerProblems } = await import('../src/providers/configuration.ts');
  expect(walletConfig.shape).toHaveProperty('MOBILE_MONEY_KEY');
  const common = { PUBLIC_URL: 'http://public.test', NODE_ENV: 'production' as const, CURRENCY: 'XOF' };
  expect(providerProblems(common)).toEqual([
    [
      'MOBILE_MONEY_KEY',
      'or STRIPE_SECRET_KEY or FEDAPAY_SECRET_KEY is required in production (the sandbox provider pays with play money)',
    ],
  ]);
  expect(providerProblems({ ...common, NODE_ENV: 'test' })).toEqual([
    ['SANDBOX_WEBHOOK_SECRET', 'is required unless MOBILE_MONEY_KEY or STRIPE_SECRET_KEY or FEDAPAY_SECRET_KEY is set'],
  ]);
  const isKeyed = { ...common, MOBILE_MONEY_KEY: KEY };
  expect(providerProblems(isKeyed)).toEqual([]);
  expect(providerProblems({ ...isKeyed, CURRENCY: 'EUR' })).toEqual([['CURRENCY', 'is not paid by mobile money']]);
  const webhook = wallet.service.service.parts.routes.find(({ path }) => path.includes('webhooks'));
  expect(webhook?.description).toContain('Mobile money sends its key in `Mobile-Money-Key`.');
});

test('it pays out what no other provider is named for', async () => {
  const { configuredProviders } = await import('../src/providers/configured.ts');
  const config = {
    ...{ PUBLIC_URL: 'http://public.test', NODE_ENV: 'test' as const, CURRENCY: 'XOF', MOBILE_MONEY_KEY: KEY },
    ...{ FEDAPAY_SECRET_KEY: 'sk_sandbox_x', FEDAPAY_WEBHOOK_SECRET: 'wh_x' },
    PAYMENT_METHODS: { mtn_open: 'fedapay' },
  };
  const providers = await configuredProviders(config, new Registry());
  const names = (methods: (string | null)[]) => methods.map((method) => providers.forPayout(method)?.name);
  expect(names([null, 'togocel', 'mtn_open'])).toEqual(['mobile_money', 'mobile_money', 'fedapay']);
  const { payouts } = providers.forPayout('togocel')!;
  const item = { reference: 'W1-1', amount: 500, currency: 'XOF', method: 'togocel', account: '+22890112233' };
  const payout = { ...item, key: 'key-1', holder_name: 'Awa Koffi', provider_ref: null };
  expect(await payouts.find(payout)).toBeUndefined();
  expect(await payouts.send(payout)).toEqual({ ref: 'key-1', outcome: 'paid' });
  expect(await payouts.find(payout)).toEqual({ ref: 'key-1', outcome: 'paid' });
});
