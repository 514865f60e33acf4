import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { configuredProviders } from '../src/providers/configured.ts';
import { FEDAPAY_ENV, startFedapay } from './fedapay-stand-in.ts';
import { startStripe, STRIPE_ENV } from './stripe-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

/* With several providers, the method of a deposit or payout chooses one of them. */

const METHODS = { mtn_open: 'fedapay', play: 'sandbox', toString: 'fedapay' };

let stripe: Awaited<ReturnType<typeof startStripe>>;
let fedapay: Awaited<ReturnType<typeof startFedapay>>;
let wallet: Wallet;

beforeAll(async () => {
  stripe = await startStripe();
  fedapay = await startFedapay();
  wallet = await startWallet({
    ...{ ...STRIPE_ENV, STRIPE_API_URL: stripe.url, ...FEDAPAY_ENV, FEDAPAY_API_URL: fedapay.url },
    PAYMENT_METHODS: JSON.stringify(METHODS),
  });
});
afterAll(async () => {
  await wallet.stop();
  await stripe.stop();
  await fedapay.stop();
});

test.each([
  [undefined, 'stripe'],
  ['card', 'stripe'],
  ['mtn_open', 'fedapay'],
  ['MTN_OPEN', 'stripe'],
  ['play', 'sandbox'],
  ['toString', 'fedapay'],
  ['valueOf', 'stripe'],
  ['__proto__', 'stripe'],
])('a deposit by the method %s is opened at %s, which alone can credit it', async (method, provider) => {
  const student = wallet.newUser();
  const { body } = await wallet.service.api.student(student).post('/api/deposits', { amount: 5_000, method });
  const [row] = await wallet.service.rows('select provider, method from deposit where id = $1', [body.id]);
  expect(row).toEqual({ provider, method: method ?? null });
  await wallet.provider(body.id, 'succeeded');
  expect((await wallet.balance(student)).balance).toBe(provider === 'sandbox' ? 5_000 : 0);
});

const common = { PUBLIC_URL: 'http://public.test', NODE_ENV: 'test' as const, CURRENCY: 'XOF' };
const chosenFor = async (config: object, method: string | null) => {
  const providers = await configuredProviders({ ...common, ...config }, new Registry());
  return [providers.forDeposit(method).name, providers.forPayout(method)?.name];
};

test('Stripe alone takes every deposit and pays nothing out', async () => {
  for (const method of [null, 'card', 'mtn_open'])
    expect(await chosenFor(STRIPE_ENV, method)).toEqual(['stripe', undefined]);
});

test('FedaPay alone takes every deposit and every payout', async () => {
  for (const method of [null, 'card', 'mtn_open'])
    expect(await chosenFor(FEDAPAY_ENV, method)).toEqual(['fedapay', 'fedapay']);
});

test('a payout whose method names a provider that pays nothing out goes to the first that does', async () => {
  const both = { ...STRIPE_ENV, ...FEDAPAY_ENV, PAYMENT_METHODS: { card: 'stripe', togocel: 'fedapay' } };
  expect(await chosenFor(both, 'card')).toEqual(['stripe', 'fedapay']);
  expect(await chosenFor(both, 'togocel')).toEqual(['fedapay', 'fedapay']);
  expect(await chosenFor(both, null)).toEqual(['stripe', 'fedapay']);
});
