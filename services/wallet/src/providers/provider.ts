import { z } from 'zod';
import { isStorable } from '@tutoring/shared/http/read/validation';
import { webhookMalformed } from '../errors.ts';

/** A string of a webhook. What is signed may still be no text. */
export const eventText = z.string().min(1).max(255).refine(isStorable);

/** The event that a provider has signed. Throws malformed for what `read` fails to read, or `schema` does not know. */
export function eventOf<Event>(schema: z.ZodType<Event>, read: () => unknown): Event {
  try {
    return schema.parse(read());
  } catch {
    throw webhookMalformed();
  }
}

/** How a deposit ended at the provider. */
export type ProviderOutcome = 'success' | 'failed' | 'canceled';

/** A payment as its provider knows it. */
export interface Payment {
  /** The provider's own id of the payment. */
  ref: string;
  /** The deposit that the payment names, which proves nothing: `paymentVerdict` decides whose it is. */
  depositId: number | undefined;
  /** The key that `open` was given for this payment. */
  key?: string | undefined;
  /** What was paid, of a provider that says so. */
  money?: { amount: number | null; currency: string | null };
  /** Undefined while it is open. */
  outcome: ProviderOutcome | undefined;
}

/** A provider's message about a payment. */
export interface ProviderEvent {
  id: string;
  type: string;
  /** The provider's own id of the payment. */
  ref: string;
  /** Undefined when the provider does not know it under our credentials. */
  payment: Payment | undefined;
}

/** A payment provider. */
export interface PaymentProvider {
  name: 'sandbox' | 'stripe';
  /**
   * Opens the payment of a deposit. `key` is random and the same in each try: it is the idempotency key, and comes back
   * with the payment. Throws invalid for an amount that the provider does not take; rejects with anything else when it
   * does not respond.
   */
  open(deposit: {
    id: number;
    key: string;
    amount: number;
    currency: string;
    created_at: string;
  }): Promise<{ ref: string; checkoutUrl: string }>;
  /**
   * Reads a webhook; undefined when it is not about a payment. Throws malformed for a signature that is missing, wrong
   * or more than 300 seconds old, and unavailable when the provider does not respond.
   */
  read(rawBody: Buffer, header: (name: string) => string | undefined): Promise<ProviderEvent | undefined>;
  /**
   * The present state of a payment; undefined when the provider does not know it. Rejects when it does not respond.
   * Absent where no webhook can be lost.
   */
  ask?(ref: string): Promise<Payment | undefined>;
}
