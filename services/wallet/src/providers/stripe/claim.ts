import type Stripe from 'stripe';
import { z } from 'zod';
import { eventOf, eventText, type Claim, type ProviderEvent, type RefundOutcome } from '../provider.ts';

/* Disputes and refunds at Stripe. An event is only a hint: what it is about is fetched again. */

const claimEvent = z.object({
  id: eventText,
  type: eventText,
  data: z.object({ object: z.object({ id: eventText }) }),
});

const DISPUTE = /^charge\.dispute\./;
const REFUND = /^(?:refund\.|charge\.refund\.)/;

const isClaim = (type: string) => DISPUTE.test(type) || REFUND.test(type) || type === 'charge.refunded';

const STATUSES: Record<string, Claim['status']> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  prevented: 'won',
  lost: 'lost',
};

const OUTCOMES: Record<string, RefundOutcome> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'success',
  failed: 'failed',
  canceled: 'failed',
};

/** The outcome of a refund; undefined for a status that this release does not know. */
export const outcomeOfRefund = ({ status }: Stripe.Refund): RefundOutcome | undefined => OUTCOMES[status ?? ''];

const idOf = (named: string | { id: string } | null | undefined) => (typeof named === 'string' ? named : named?.id);

const numberOf = (text: string | undefined) => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined);

/** The payment of an intent: by the key that the intent carries; of older intents, by the session that created it. */
async function paymentOf(
  stripe: Stripe,
  intent: string | Stripe.PaymentIntent | null | undefined,
): Promise<Claim['payment']> {
  const id = idOf(intent);
  if (id === undefined) return { depositId: undefined };
  const { metadata } = typeof intent === 'object' && intent ? intent : await stripe.paymentIntents.retrieve(id);
  const { deposit_id: named, deposit_key: key } = metadata;
  if (named !== undefined && key !== undefined) return { depositId: numberOf(named), key };
  const [session] = (await stripe.checkout.sessions.list({ payment_intent: id, limit: 1 })).data;
  return { ref: session?.id, depositId: numberOf(session?.metadata?.['deposit_id'] ?? named) };
}

async function disputeClaim(stripe: Stripe, id: string): Promise<Claim> {
  const dispute = await stripe.disputes.retrieve(id, { expand: ['payment_intent'] });
  const due = dispute.evidence_details.due_by;
  return {
    ref: dispute.id,
    reason: dispute.reason,
    status: STATUSES[dispute.status],
    amount: dispute.amount,
    currency: dispute.currency,
    evidenceDueAt: due ? new Date(due * 1_000).toISOString() : null,
    isCurrent: true,
    payment: await paymentOf(stripe, dispute.payment_intent),
  };
}

async function refundClaim(stripe: Stripe, refund: Stripe.Refund): Promise<Claim> {
  const outcome = outcomeOfRefund(refund);
  const own = refund.metadata?.['deposit_refund_key'];
  return {
    ref: refund.id,
    reason: 'refund',
    status: outcome && (outcome === 'failed' ? 'won' : 'lost'),
    amount: refund.amount,
    currency: refund.currency,
    isCurrent: true,
    payment: await paymentOf(stripe, refund.payment_intent),
    refund: { key: own, outcome: outcome ?? 'pending' },
  };
}

async function claimsOf(stripe: Stripe, type: string, id: string): Promise<Claim[]> {
  if (DISPUTE.test(type)) return [await disputeClaim(stripe, id)];
  const expand = ['payment_intent'];
  if (REFUND.test(type)) return [await refundClaim(stripe, await stripe.refunds.retrieve(id, { expand }))];
  const claims: Claim[] = [];
  for await (const refund of stripe.refunds.list({ charge: id, limit: 100, expand: ['data.payment_intent'] }))
    claims.push(await refundClaim(stripe, refund));
  return claims;
}

/**
 * The disputes and refunds that a signed event is about, as they are now; undefined when it is about neither, no claims
 * when Stripe does not know it under our key.
 */
export async function readClaims(stripe: Stripe, signed: unknown, type: string): Promise<ProviderEvent | undefined> {
  if (!isClaim(type)) return undefined;
  const { id, data } = eventOf(claimEvent, () => signed);
  const ref = data.object.id;
  const claims = await claimsOf(stripe, type, ref).catch((error: unknown) => {
    if (error instanceof Error && 'statusCode' in error && error.statusCode === 404) return [];
    throw error;
  });
  return { id, type, ref, payment: undefined, claims };
}
