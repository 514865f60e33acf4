import { z } from 'zod';
import { assertThat } from '@tutoring/shared/errors';
import { route } from '@tutoring/shared/http/declare/route';
import { providerNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { receiveWebhook } from './webhook-service.ts';

export const webhookRoutes = (parts: Parts) => [
  route('post /api/webhooks/payments/{provider}', {
    summary: 'What a payment provider tells about deposits',
    description:
      'For payment providers; no bearer. The raw body is signed: a bad or stale signature is a 400. The sandbox ' +
      'sends `{"id", "type": "deposit.succeeded", "deposit_id"}` with `X-Signature: t=<unix seconds>,v1=<hex ' +
      'HMAC-SHA256 of "<t>.<body>">`. An event that was heard before, or of an unknown deposit, gets the same ' +
      'answer.',
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
