import { z } from 'zod';
import { isStorable } from '@tutoring/shared/http/read/validation';
import { webhookMalformed } from '../errors.ts';

/** A string of a webhook. A valid signature does not guarantee that PostgreSQL can store the text. */
export const eventText = z.string().min(1).max(255).refine(isStorable);

/** Parses a signed event. Throws malformed when `read` throws or `schema` rejects its result. */
export function eventOf<Event>(schema: z.ZodType<Event>, read: () => unknown): Event {
  try {
    return schema.parse(read());
  } catch {
    throw webhookMalformed();
  }
}

/** How a deposit ended at the provider. */
export type ProviderOutcome = 'success' | 'failed' | 'canceled';

/** A payment as its provider reports it. */
export interface Payment {
  /** The provider's own id of the payment. */
  ref: string;
  /** The deposit that the payment names. This is no proof: `paymentVerdict` decides whether it is the deposit's own. */
  depositId: number | undefined;
  /** The key that was passed to `open` for this payment. */
  key?: string | undefined;
  /** Amount and currency, if the provider reports them. */
  money?: { amount: number | null; currency: string | null };
  /** Undefined while the payment is open. */
  outcome: ProviderOutcome | undefined;
}

/** A provider's message about a payment. */
export interface ProviderEvent {
  id: string;
  type: string;
  /** The provider's own id of the payment. */
  ref: string;
  /** Undefined when the provider does not know the payment under our credentials. */
  payment: Payment | undefined;
}

/** A payment provider. */
export interface PaymentProvider {
  name: 'sandbox' | 'stripe';
  /**
   * Opens the payment of a deposit. `key` is random and the same in each try: it is the idempotency key, and the
   * provider returns it with the payment. Throws invalid for an amount that the provider does not accept; rejects with
   * any other error when the provider fails.
   */
  open(deposit: {
    id: number;
    key: string;
    amount: number;
    currency: string;
    created_at: string;
  }): Promise<{ ref: string; checkoutUrl: string }>;
  /**
   * Verifies and parses a webhook; undefined when it is not about a payment. Throws malformed for a signature that is
   * missing, wrong or more than 300 seconds old, and unavailable when the provider does not respond.
   */
  read(rawBody: Buffer, header: (name: string) => string | undefined): Promise<ProviderEvent | undefined>;
  /**
   * The current state of a payment; undefined when the provider does not know it. Rejects when the provider does not
   * respond. Absent for a provider whose webhooks cannot be lost.
   */
  ask?(ref: string): Promise<Payment | undefined>;
}
