import { z } from 'zod';
import { isStorable } from '@tutoring/shared/kit/http/read/validation';
import type { ServiceConfig } from '@tutoring/shared/kit/process/config';
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

/** Money that a provider takes back from a payment, or asks about: a dispute of the payer, or a refund. */
export interface Claim {
  /** The provider's own id of the dispute or refund. */
  ref: string;
  /** `refund` for a refund, else the provider's reason of the dispute. */
  reason: string;
  /** A refund is `lost`, one that failed is `won`. Undefined: a status that this release does not know. */
  status: 'inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost' | undefined;
  /** Undefined: the whole payment. */
  amount?: number;
  currency?: string;
  evidenceDueAt?: string | null;
  /** Whether the status was read from the provider now; else it is that of an event, which may be late. */
  isCurrent: boolean;
  /** The payment that it is about. This is no proof: `isOwnPayment` decides. */
  payment: Pick<Payment, 'depositId' | 'key'> & { ref?: string | undefined };
  /** Of a refund, which may be one of ours: its key, or its id where the provider returns that. */
  refund?: { key?: string | undefined; id?: number | undefined; outcome: RefundOutcome };
}

/** `pending`: the provider has accepted the refund and not finished it. */
export type RefundOutcome = 'pending' | 'success' | 'failed';

/** A refund as its provider reports it. */
export interface ProviderRefund {
  /** The provider's own id of it; absent when the provider has refused it. */
  ref?: string;
  outcome: RefundOutcome;
  /** Why it failed. */
  details?: string;
}

/** A refund of ours to make at a provider. `key` is random and the same in each try. */
export interface WantedRefund {
  id: number;
  key: string;
  amount: number;
  deposit_id: number;
  /** The provider's own id of the payment. */
  payment_ref: string;
}

/** A provider that makes refunds itself. Both reject when the outcome is unknown. */
export interface Refunds {
  /** Makes the refund, once per key. `failed`: the provider has refused it for good. */
  make(refund: WantedRefund): Promise<ProviderRefund>;
  /** The refund with this key; undefined when the provider has none. */
  find(refund: WantedRefund): Promise<ProviderRefund | undefined>;
}

/** `pending`: accepted and not finished. `returned`: paid, and the money has come back. */
export type PayoutOutcome = 'pending' | 'paid' | 'failed' | 'returned';

/** A payout as its provider reports it. */
export interface ProviderPayout {
  /** The provider's own id of it; absent when the provider has refused it. */
  ref?: string;
  /** Undefined: a status that this release does not know. */
  outcome: PayoutOutcome | undefined;
  /** Why it failed. */
  message?: string;
  /** Amount and currency, if the provider reports them. */
  money?: { amount: number | null; currency: string | null };
  /** Of a provider inside this process: the webhooks that it sends after its answer. */
  webhooks?: SignedWebhook[];
}

/** A payout to make at a provider. `key` is random and its own; the provider keeps it, so that `find` finds it. */
export interface WantedPayout {
  key: string;
  /** `W<withdrawal>-<batch>` */
  reference: string;
  amount: number;
  currency: string;
  /** The method of the payout account, and its number or address. */
  method: string | null;
  account: string;
  holder_name: string;
  /** The provider's own id of it, once it is known. */
  provider_ref: string | null;
  /** Seconds since it was sent; absent before. */
  age?: number;
}

/** The provider was not asked to pay: it does not answer, or does not accept our credentials or more requests now. */
export class NotSent extends Error {}

/** A provider that pays out. Both reject when the outcome is unknown. */
export interface Payouts {
  /**
   * Sends the payout; called once per key, or again after it threw NotSent. `failed`: the provider has refused it for
   * good, and no money moves.
   */
  send(payout: WantedPayout): Promise<ProviderPayout>;
  /** False for a payout account to which the provider cannot pay. Absent: it pays to all. */
  pays?(account: string): boolean;
  /** The payout with this key; undefined when the provider has none. NotSent is no answer here. */
  find(payout: WantedPayout): Promise<ProviderPayout | undefined>;
  /** Money available for payouts, in minor units of the currency; absent when the provider does not say it. */
  balance?(): Promise<number>;
}

/** A provider's message about a payment. */
export interface ProviderEvent {
  id: string;
  type: string;
  /** The provider's own id of the payment, dispute or refund. */
  ref: string;
  /** Undefined when the provider does not know the payment under our credentials, or the event has claims. */
  payment: Payment | undefined;
  /** Disputes and refunds. */
  claims?: Claim[];
  /** The key or the provider's own id of a payout of which there is news: a hint, `find` says what happened. */
  payout?: { key?: string | undefined; ref?: string | undefined };
}

/** A payment provider. */
export interface PaymentProvider {
  name: string;
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
    /** The student's choice. */
    method: string | null;
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
  /** Absent: refunds are made by hand. */
  refunds?: Refunds;
  /** Absent: the provider does not pay out. */
  payouts?: Payouts;
  /** Every signed event is about a payment of this installation. */
  isOwnAccount?: true;
  /** Of a provider whose payment page is ours. */
  checkout?: Checkout;
}

/** Buttons of our own payment page: of an open payment, and of a paid one. */
export const PAY_ACTIONS = ['pay', 'fail', 'cancel'] as const;
export const CLAIM_ACTIONS = ['dispute', 'win', 'lose', 'refund'] as const;
export type CheckoutAction = (typeof PAY_ACTIONS)[number] | (typeof CLAIM_ACTIONS)[number];

/** The part of a provider that our own payment page uses. */
export interface Checkout {
  /** True when `token` is that of the link of the deposit with this id and key. */
  ownsLink(depositId: number, key: string | null, token: string): boolean;
  /** The signed webhook of an action on the page. */
  webhook(deposit: { id: number; amount: number }, action: CheckoutAction): SignedWebhook;
}

export interface SignedWebhook {
  rawBody: Buffer;
  header: (name: string) => string | undefined;
}

type Shape = Record<string, z.ZodType>;
type Values<Variables extends Shape> = z.infer<z.ZodObject<Variables>>;
/** Variables of the wallet that a provider may use; those of providers are not in this type. */
export type ProviderConfig = Pick<ServiceConfig, 'NODE_ENV' | 'PUBLIC_URL'> & {
  CURRENCY: string;
  /** Names of providers by method. */
  PAYMENT_METHODS?: Record<string, string>;
};

/** The names of wrong variables, each with the problem. */
export type Problems = (readonly [variable: string, problem: string])[];

interface Declaration<Credentials extends Shape, Options extends Shape> {
  /** In the address of the webhook, in deposits and in metrics: never changes. */
  name: string;
  /** The ledger account of the money paid through the provider: negative, unique, never changes. */
  account: number;
  /** No real money is paid: production refuses the provider. */
  isPlayMoney?: true;
  /** Environment variables that switch the provider on: all of them are set, or none. */
  credentials: Credentials;
  /** Further environment variables, each optional. */
  options?: Options;
  /** Problems of a configuration that has credentials of this provider. */
  problems?(config: Partial<Values<Credentials>> & ProviderConfig): Problems;
  /** Added to the description of the webhook in the API reference. */
  webhookNote?: string;
  create(
    config: Values<Credentials> & Partial<Values<Options>> & ProviderConfig,
  ): PaymentProvider | Promise<PaymentProvider>;
}

/**
 * Declares a payment provider. Variables, checks of the configuration, the webhook and its reference, the ledger
 * account, the audit and metrics follow from the declaration and its line in `registry.ts`. During a rolling update the
 * previous release does not know a new provider: set its credentials when every replica has the new release.
 */
export function declareProvider<Credentials extends Shape, Options extends Shape = Record<never, z.ZodType>>({
  options,
  ...declaration
}: Declaration<Credentials, Options>) {
  const credentials = Object.keys(declaration.credentials);
  const variables = Object.entries({ ...declaration.credentials, ...options });
  return {
    ...declaration,
    credentials,
    variables: Object.fromEntries(variables.map(([name, schema]) => [name, schema.optional()])) as Shape,
    problems: (config: ProviderConfig) =>
      declaration.problems?.(config as ProviderConfig & Partial<Values<Credentials>>) ?? [],
    /** The provider; undefined without its credentials. */
    create: async (config: ProviderConfig) =>
      credentials.every((name) => config[name as keyof ProviderConfig] !== undefined)
        ? declaration.create(config as ProviderConfig & Values<Credentials> & Partial<Values<Options>>)
        : undefined,
  };
}

export type DeclaredProvider = ReturnType<typeof declareProvider>;
