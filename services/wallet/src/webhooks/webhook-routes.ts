import { z } from 'zod';
import { assertThat } from '@tutoring/shared/errors';
import { route } from '@tutoring/shared/http/declare/route';
import { providerNotFound } from '../errors.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import type { Webhooks } from './webhook-service.ts';

export function webhookRoutes({ webhooks, providers }: { webhooks: Webhooks; providers: PaymentProvider[] }) {
  return [
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
        const provider = providers.find(({ name }) => name === params.provider);
        assertThat(provider, providerNotFound);
        await webhooks.receive(provider, request.rawBody, request.header);
        return { received: true as const };
      },
    }),
  ];
}
