import Stripe from 'stripe';
import { ASK_MS } from '../../deadlines.ts';
import type { ProviderRefund, Refunds, WantedRefund } from '../provider.ts';
import { outcomeOfRefund } from './claim.ts';

/* Refunds of deposits at Stripe. `deposit_refund_key` in the metadata proves that a refund is ours. */

/** One try: the outcome of a request without an answer is unknown, and the refund is asked about later. */
const QUICK = { timeout: ASK_MS, maxNetworkRetries: 0 };

function refundOf(refund: Stripe.Refund): ProviderRefund {
  const outcome = outcomeOfRefund(refund);
  if (!outcome) throw new Error(`Stripe returned a refund of the unknown status ${refund.status}`);
  return { ref: refund.id, outcome, ...(refund.failure_reason && { details: refund.failure_reason }) };
}

/** True when Stripe has read the request and refused it. */
const isRefusal = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;

export function stripeRefunds(stripe: Stripe): Refunds {
  async function intentOf({ payment_ref: session }: WantedRefund): Promise<string> {
    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session, {}, QUICK);
    const id = typeof intent === 'string' ? intent : intent?.id;
    if (id === undefined) throw new Error('Stripe returned a paid session without a payment intent');
    return id;
  }
  return {
    async make(refund) {
      const metadata = {
        deposit_id: String(refund.deposit_id),
        deposit_refund_id: String(refund.id),
        deposit_refund_key: refund.key,
      };
      const parameters = { payment_intent: await intentOf(refund), amount: refund.amount, metadata };
      return stripe.refunds
        .create(parameters, { ...QUICK, idempotencyKey: refund.key })
        .then(refundOf)
        .catch((error: unknown): ProviderRefund => {
          if (!isRefusal(error)) throw error;
          return { outcome: 'failed', details: (error as Error).message };
        });
    },
    async find(refund) {
      const payment_intent = await intentOf(refund);
      for await (const made of stripe.refunds.list({ payment_intent, limit: 100 }, QUICK))
        if (made.metadata?.['deposit_refund_key'] === refund.key) return refundOf(made);
      return undefined;
    },
  };
}
