import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { audit } from '../src/audit/audit-store.ts';
import { startStripe, STRIPE_ENV } from './stripe-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

let stripe: Awaited<ReturnType<typeof startStripe>>;
let wallet: Wallet;

beforeAll(async () => {
  stripe = await startStripe();
  wallet = await startWallet({ ...STRIPE_ENV, STRIPE_API_URL: stripe.url });
});
afterEach(() => stripe.refuse(undefined));
afterAll(async () => {
  await wallet.stop();
  await stripe.stop();
});

const type = 'invalid_request_error';
const param = 'line_items[0][price_data][unit_amount]';
const refuse = (error: Partial<{ type: string; code: string; param: string }>, status = 400) =>
  stripe.refuse({ status, error: { type, message: 'refused', ...error } });

describe('an amount that Stripe refuses', () => {
  test.each([
    [{ code: 'amount_too_small' }, 'The amount field is below the minimum of the payment provider.'],
    [{ code: 'amount_too_small', param }, 'The amount field is below the minimum of the payment provider.'],
    [{ code: 'amount_too_large', param }, 'The amount field is above the maximum of the payment provider.'],
    [{ code: 'parameter_invalid_integer', param }, 'The payment provider does not accept the amount field.'],
    [{ param: 'amount' }, 'The payment provider does not accept the amount field.'],
    [{ param: `${param}_decimal` }, 'The payment provider does not accept the amount field.'],
  ])('is a 422 and leaves no deposit: %j', async (error, message) => {
    const student = wallet.newUser();
    const api = wallet.service.api.student(student);
    const key = { 'idempotency-key': `refused-${student}` };
    refuse(error);
    for (const headers of [{}, {}, key, key]) {
      const answer = await api.post('/api/deposits', { amount: 100 }, headers);
      expect([answer.status, answer.body.errors]).toEqual([422, { amount: [message] }]);
    }
    expect((await api.get('/api/deposits')).body).toEqual([]);
    expect((await wallet.service.api.student(student).post('/api/paymentsall', {})).body.total).toBe(0);
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);

    stripe.refuse(undefined);
    expect((await api.post('/api/deposits', { amount: 100 }, key)).status).toBe(200);
    expect((await api.get('/api/deposits')).body).toHaveLength(1);
  });

  test('is refused in the language of the request', async () => {
    refuse({ code: 'amount_too_large' });
    const answer = await wallet.service.api
      .student(wallet.newUser())
      .post('/api/deposits', { amount: 100 }, { 'accept-language': 'fr' });
    expect(answer.body.errors.amount).toEqual([expect.stringMatching(/supérieur au maximum du prestataire/)]);
  });
});

test.each([
  ['another parameter', { param: 'success_url' }, 400],
  ['the API key', { type: 'invalid_request_error' }, 401],
  ['the number of requests', { code: 'rate_limit' }, 429],
  ['an idempotency key in use', { type: 'idempotency_error' }, 409],
])('a refusal because of %s is a 503, and the deposit has failed', async (_what, error, status) => {
  const api = wallet.service.api.student(wallet.newUser());
  refuse(error, status);
  expect((await api.post('/api/deposits', { amount: 100 })).status).toBe(503);
  expect((await api.get('/api/deposits')).body).toEqual([expect.objectContaining({ status: 'failed' })]);
});

describe('discard_unopened', () => {
  const discarded = async (id: number) =>
    (await wallet.service.rows<{ gone: boolean }>('select discard_unopened($1) as gone', [id]))[0]!.gone;

  test('keeps a deposit that is open, was opened at the provider, or was paid', async () => {
    const api = wallet.service.api.student(wallet.newUser());
    const { id } = (await api.post('/api/deposits', { amount: 100 })).body;
    expect(await discarded(id)).toBe(false);
    const su = wallet.service.api.admin('su');
    await su.put(`/api/admin/deposits/${id}`, { status: 'failed' });
    expect(await discarded(id)).toBe(false);
    await wallet.service.rows('update deposit set provider_ref = null where id = $1', [id]);
    for (const status of ['success', 'failed']) await su.put(`/api/admin/deposits/${id}`, { status });
    expect([await discarded(id), (await api.get('/api/deposits')).body.length]).toEqual([false, 1]);
  });
});
