import Stripe from 'stripe';
import { z } from 'zod';
import { AppError } from '@tutoring/shared/kit/errors';
import { ASK_MS, PROVIDER_MS } from '../../deadlines.ts';
import { amountRefused, amountTooLarge, amountTooSmall, providerUnavailable, signatureWrong } from '../../errors.ts';
import { records } from '../../texts.ts';
import { eventOf, eventText, type Payment, type PaymentProvider } from '../provider.ts';
import { readClaims } from './claim.ts';
import { stripeRefunds } from './refund.ts';

const WINDOW_SECONDS = 300;
/** Ten minutes less than our own limit of 24 hours, so that a canceled deposit can no longer be paid. */
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
  /** Base URL of a local stand-in; Stripe's own if undefined. */
  apiUrl?: string | undefined;
  publicUrl: string;
}

function connect({ secretKey, apiUrl }: StripeOptions): Stripe {
  const address = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    timeout: PROVIDER_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(address && {
      host: address.hostname,
      port: address.port || (address.protocol === 'https:' ? 443 : 80),
      protocol: address.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  });
}

/** The outcome of a session; `type` is the type of the event that reported it. */
function outcomeOf(session: Stripe.Checkout.Session, type?: string): Payment['outcome'] {
  if (session.payment_status === 'paid') return 'success';
  if (session.status === 'expired') return 'canceled';
  return type === 'checkout.session.async_payment_failed' ? 'failed' : undefined;
}

function paymentOf(session: Stripe.Checkout.Session, type?: string): Payment {
  const { id: ref, metadata, amount_total: amount, currency } = session;
  const named = metadata?.['deposit_id'] ?? '';
  return {
    ref,
    depositId: /^\d{1,15}$/.test(named) ? Number(named) : undefined,
    key: metadata?.['deposit_key'],
    money: { amount, currency },
    outcome: outcomeOf(session, type),
  };
}

const AMOUNT_CODES = new Map([
  ['amount_too_small', amountTooSmall],
  ['amount_too_large', amountTooLarge],
]);

/** The error to return for an amount that Stripe does not accept; undefined for any other error. */
function amountRefusal(error: unknown): AppError | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined;
  const byCode = AMOUNT_CODES.get(error.code ?? '');
  if (byCode) return byCode();
  return /\b(unit_)?amount(_\w+)?\b/.test(error.param ?? '') ? amountRefused() : undefined;
}

/** The session; undefined when Stripe does not know it under our key. */
const unlessMissing = (session: Promise<Stripe.Checkout.Session>) =>
  session.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return undefined;
    throw error;
  });

/**
 * Stripe Checkout. A webhook is only a hint: the session is always fetched from Stripe. The metadata of the session and
 * of its payment intent carry the deposit's id and key.
 */
export function createStripe(options: StripeOptions): PaymentProvider {
  const stripe = connect(options);
  const { sessions } = stripe.checkout;
  const returned = `${options.publicUrl}/api/checkout/returned`;

  return {
    name: 'stripe',
    async open({ id, key, amount, currency, created_at }) {
      // The previous release reads amount and currency from the metadata.
      const metadata = { deposit_id: String(id), deposit_key: key, amount: String(amount), currency };
      const parameters: Stripe.Checkout.SessionCreateParams = {
        mode: 'payment',
        client_reference_id: String(id),
        metadata,
        payment_intent_data: { metadata },
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
        // Relative to the creation, not to now: Stripe refuses a retry under the same key with other parameters.
        expires_at: Math.floor(Date.parse(created_at) / 1000) + OPEN_SECONDS,
      };
      const session = await sessions.create(parameters, { idempotencyKey: key }).catch((error: unknown) => {
        throw amountRefusal(error) ?? error;
      });
      if (!session.url) throw new Error('Stripe returned a session without a URL');
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
      const unavailable = (error: unknown) => {
        throw error instanceof AppError ? error : providerUnavailable(error);
      };
      const named = eventOf(anyEvent, () => signed).type;
      if (!named.startsWith('checkout.session.')) return readClaims(stripe, signed, named).catch(unavailable);
      const { id, type, data } = eventOf(sessionEvent, () => signed);
      const ref = data.object.id;
      const session = await unlessMissing(sessions.retrieve(ref)).catch(unavailable);
      return { id, type, ref, payment: session && paymentOf(session, type) };
    },

    async ask(ref) {
      const session = await unlessMissing(sessions.retrieve(ref, {}, { timeout: ASK_MS, maxNetworkRetries: 0 }));
      return session && paymentOf(session);
    },

    refunds: stripeRefunds(stripe),
  };
}
