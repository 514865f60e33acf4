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

/** A provider's message about a deposit. */
export interface ProviderEvent {
  id: string;
  type: string;
  depositId: number;
  /** The provider's own id of the deposit, if given. */
  ref?: string;
  outcome: ProviderOutcome;
}

/** A payment provider. */
export interface PaymentProvider {
  name: 'sandbox' | 'stripe';
  /** Opens a deposit; idempotent by its id. Rejects when the provider does not respond. */
  open(deposit: {
    id: number;
    amount: number;
    currency: string;
    created_at: string;
  }): Promise<{ ref: string; checkoutUrl: string }>;
  /**
   * Reads a webhook; undefined when it does not report the end of a deposit. Throws malformed for a signature that is
   * missing, wrong or more than 300 seconds old.
   */
  read(rawBody: Buffer, header: (name: string) => string | undefined): Promise<ProviderEvent | undefined>;
}
