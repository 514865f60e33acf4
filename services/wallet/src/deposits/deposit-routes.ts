import { z } from 'zod';
import { assertThat } from '@tutoring/shared/kit/errors';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { providerNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { PROVIDERS } from '../providers/registry.ts';
import { adminRecordRoutes, ownRecordRoutes } from '../records/record-routes.ts';
import { depositSchema, newDeposit } from './deposit.ts';
import { createDeposit, decideDeposit } from './deposit-service.ts';
import { depositKind } from './deposit-store.ts';
import { receiveWebhook } from './payment-service.ts';

export const depositRoutes = (parts: Parts) => [
  route('post /api/deposits', {
    summary: 'Top up: create a deposit and a payment link',
    description:
      'For students. Open `checkout_url` to pay; only this response contains it. The balance is credited when the ' +
      'provider confirms the payment; the live event `wallet.balance` announces it. 422 below the setting ' +
      '`min_deposit`, above 1,000,000,000, or for an amount that the payment provider does not accept. An unpaid ' +
      'deposit is canceled after 24 hours. Send an `Idempotency-Key`, so that a retry does not create a second ' +
      'deposit.',
    auth: 'student',
    idempotent: true,
    body: newDeposit,
    response: depositSchema
      .extend({
        checkout_url: z.string().meta({ example: 'https://checkout.example.com/pay/cs_8a51' }),
      })
      .meta({ id: 'NewDeposit' }),
    errors: ['conflict'],
    handle: ({ caller, body, once }) => createDeposit(parts, caller, body, once),
  }),
  ...ownRecordRoutes(depositKind, parts),
  ...adminRecordRoutes(
    depositKind,
    {
      needs: { auth: 'su' },
      description:
        'For super administrators. A move into `success` credits the user; a move out of it takes the money back, or ' +
        'is a 409 if the user no longer has it. Repeating the current status changes nothing. Send ' +
        '`expected_status`, the status that you saw, so that two administrators cannot both decide: 409 if the ' +
        'status has changed.',
      run: decideDeposit(parts),
    },
    parts,
  ),
  route('post /api/webhooks/payments/{provider}', {
    summary: 'Webhook of a payment provider',
    description:
      'For payment providers; no bearer token. The raw body is signed: a wrong or old signature is a 400. ' +
      PROVIDERS.map(({ webhookNote }) => (webhookNote ? `${webhookNote} ` : '')).join('') +
      'A duplicate event, an event of an unknown deposit, or of a payment that was not opened for the deposit that ' +
      'it names gets the same response and credits nothing more. An event about a payout makes the wallet ask the provider; ' +
      'its body is not believed.',
    auth: 'public',
    params: z.object({ provider: z.string().meta({ example: 'sandbox' }) }),
    notFound: providerNotFound,
    raw: true,
    response: z.strictObject({ received: z.literal(true) }).meta({ id: 'WebhookReceipt' }),
    errors: ['malformed'],
    handle: async ({ params, request }) => {
      const provider = parts.providers.all.find(({ name }) => name === params.provider);
      assertThat(provider, providerNotFound);
      await receiveWebhook(parts, provider, request.rawBody, request.header);
      return { received: true as const };
    },
  }),
];
