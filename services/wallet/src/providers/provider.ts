/** How a deposit ended at the provider. */
export type ProviderOutcome = 'success' | 'failed' | 'canceled';

/** What a provider says about a deposit. */
export interface ProviderEvent {
  id: string;
  type: string;
  depositId: number;
  /** The provider's own id of the deposit, where it tells. */
  ref?: string;
  outcome: ProviderOutcome;
}

export interface DepositToPay {
  id: number;
  amount: number;
  currency: string;
}

/** Where deposits are paid. */
export interface PaymentProvider {
  name: 'sandbox' | 'stripe';
  /** Takes a deposit; the same id again is the same payment there. Rejects when the provider does not answer. */
  open(deposit: DepositToPay): Promise<{ ref: string; checkoutUrl: string }>;
  /**
   * Reads a webhook: undefined when it says nothing about a deposit's end. Throws malformed for a signature that is
   * missing, wrong or more than 300 seconds old.
   */
  read(rawBody: Buffer, header: (name: string) => string | undefined): Promise<ProviderEvent | undefined>;
}
