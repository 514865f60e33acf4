import { z } from 'zod';
import { assertThat } from '@tutoring/shared/errors';
import { route } from '@tutoring/shared/http/declare/route';
import { providerNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { adminRecordRoutes, ownRecordRoutes } from '../records/record-routes.ts';
import { depositSchema, newDeposit } from './deposit.ts';
import { createDeposit, decideDeposit } from './deposit-service.ts';
import { depositKind } from './deposit-store.ts';
import { receiveWebhook } from './payment-service.ts';

export const depositRoutes = (parts: Parts) => [
  route('post /api/deposits', {
    summary: 'Top up: creates a deposit and the link to pay it',
    description:
      'For students. Open `checkout_url` to pay; it is in this answer only. The money arrives when the provider ' +
      'says so, announced by `wallet.balance`. 422 below the setting `min_deposit`, above 1,000,000,000, or for an ' +
      'amount that the payment provider does not accept. Unpaid for 24 hours it is canceled. Send an ' +
      '`Idempotency-Key`, so that a repeat makes no second deposit.',
    auth: 'student',
    idempotent: true,
    body: newDeposit,
    response: depositSchema.extend({
      checkout_url: z.string().meta({ example: 'https://checkout.example.com/pay/cs_8a51' }),
    }),
    errors: ['conflict'],
    handle: ({ caller, body, request }) =>
      createDeposit(parts, { caller, scope: 'POST /api/deposits', body, key: request.idempotencyKey }),
  }),
  ...ownRecordRoutes(depositKind, parts),
  ...adminRecordRoutes(
    depositKind,
    {
      auth: 'su',
      description:
        'For super administrators. Into `success` credits the user; out of it takes the money back, 409 when it ' +
        'is gone. The same status again changes nothing. With `expected_status`, the status that was seen, two ' +
        'administrators cannot both decide: 409 when it is another one by now.',
      run: decideDeposit(parts),
    },
    parts,
  ),
  route('post /api/webhooks/payments/{provider}', {
    summary: 'What a payment provider tells about deposits',
    description:
      'For payment providers; no bearer. The raw body is signed: a bad or stale signature is a 400. The sandbox ' +
      'sends `{"id", "type": "deposit.succeeded", "deposit_id"}` with `X-Signature: t=<unix seconds>,v1=<hex ' +
      'HMAC-SHA256 of "<t>.<body>">`. An event that was heard before, of an unknown deposit, or of a payment that was ' +
      'not opened for the deposit that it names gets the same answer and credits nothing.',
    auth: 'public',
    params: z.object({ provider: z.string().meta({ example: 'sandbox' }) }),
    notFound: providerNotFound,
    raw: true,
    response: z.strictObject({ received: z.literal(true) }),
    errors: ['malformed'],
    handle: async ({ params, request }) => {
      const provider = parts.providers.all.find(({ name }) => name === params.provider);
      assertThat(provider, providerNotFound);
      await receiveWebhook(parts, provider, request.rawBody, request.header);
      return { received: true as const };
    },
  }),
];
