import Stripe from 'stripe';
import { z } from 'zod';
import { STRIPE_MS } from '../deadlines.ts';
import { providerUnavailable, signatureWrong, webhookMalformed } from '../errors.ts';
import { records } from '../texts.ts';
import { eventOf, eventText, type PaymentProvider, type ProviderEvent } from './provider.ts';

const WINDOW_SECONDS = 300;
/** A little less than our own 24 hours, so that nobody pays a deposit that we have canceled. */
const OPEN_SECONDS = 24 * 60 * 60 - 600;

const sessionEvent = z.object({
  id: eventText,
  type: eventText,
  data: z.object({ object: z.object({ id: eventText }) }),
});
const anyEvent = z.object({ type: eventText });

interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** Another address than Stripe's own, for a local stand-in. */
  apiUrl?: string | undefined;
  publicUrl: string;
}

function connect({ secretKey, apiUrl }: StripeOptions): Stripe {
  const address = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    timeout: STRIPE_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(address && {
      host: address.hostname,
      port: address.port || (address.protocol === 'https:' ? 443 : 80),
      protocol: address.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  });
}

/** What a session's state means for its deposit, by the type of the event. */
function outcomeOf(type: string, session: Stripe.Checkout.Session): ProviderEvent['outcome'] | undefined {
  if (session.payment_status === 'paid') return 'success';
  if (session.status === 'expired') return 'canceled';
  return type === 'checkout.session.async_payment_failed' ? 'failed' : undefined;
}

/**
 * Stripe Checkout. A webhook is only a hint: the session is fetched again, and counts when it has the deposit's id,
 * amount and currency, which Stripe stores as we sent them.
 */
export function createStripe(options: StripeOptions): PaymentProvider {
  const stripe = connect(options);
  const returned = `${options.publicUrl}/api/checkout/returned`;

  return {
    name: 'stripe',
    async open({ id, amount, currency, created_at }) {
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: String(id),
          metadata: { deposit_id: String(id), amount: String(amount), currency },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: amount,
                product_data: { name: records.depositTitle },
              },
            },
          ],
          success_url: returned,
          cancel_url: returned,
          // Not from now: Stripe refuses a repeat under the key whose parameters differ.
          expires_at: Math.floor(Date.parse(created_at) / 1000) + OPEN_SECONDS,
        },
        { idempotencyKey: `deposit-${id}` },
      );
      if (!session.url) throw new Error('Stripe answered a session without a link');
      return { ref: session.id, checkoutUrl: session.url };
    },

    async read(rawBody, header) {
      let signed: unknown;
      try {
        signed = stripe.webhooks.constructEvent(
          rawBody,
          header('stripe-signature') ?? '',
          options.webhookSecret,
          WINDOW_SECONDS,
        );
      } catch {
        throw signatureWrong();
      }
      if (!eventOf(anyEvent, () => signed).type.startsWith('checkout.session.')) return undefined;
      const { id, type, data } = eventOf(sessionEvent, () => signed);
      const session = await stripe.checkout.sessions.retrieve(data.object.id).catch((error: unknown) => {
        throw providerUnavailable(error);
      });
      const outcome = outcomeOf(type, session);
      const { metadata, amount_total: total, currency } = session;
      const sameMoney = total === Number(metadata?.['amount']) && currency === metadata?.['currency']?.toLowerCase();
      if (!outcome || !/^\d{1,15}$/.test(metadata?.['deposit_id'] ?? '')) return undefined;
      if (outcome === 'success' && !sameMoney) throw webhookMalformed();
      return { id, type, depositId: Number(metadata?.['deposit_id']), ref: session.id, outcome };
    },
  };
}
