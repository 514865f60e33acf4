import { z } from 'zod';
import { amount, fieldsOf, text } from '@tutoring/shared/http/declare/fields';
import type { Payment, PaymentProvider, ProviderOutcome } from '../providers/provider.ts';
import { amountFields, noteFields, ownerFields, type Status } from '../records/record.ts';

export const depositSchema = z.strictObject({
  ...ownerFields,
  ...amountFields,
  method: z.string().nullable().meta({ example: 'mobile_money' }),
  ...noteFields,
});
const ofRow = depositSchema.omit({ user: true });
type PublicDeposit = z.infer<typeof ofRow>;

/** The row in the database. */
export interface DepositRow extends PublicDeposit {
  provider: PaymentProvider['name'];
  provider_ref: string | null;
  entries: number;
  paid_at: string | null;
  version: number;
}

/** A deposit with what proves whose payment it is; the key leaves this service to the provider alone. */
export interface PayableDeposit extends DepositRow {
  /** Random, sent along when the payment is opened; null: opened by a release that sent none. */
  payment_key: string | null;
}

/** Without the fields that stay inside this service. */
export const publicDeposit = (row: DepositRow): PublicDeposit => fieldsOf(ofRow, row);

export const newDeposit = z
  .object({
    amount: amount().meta({ example: 5000 }),
    method: text(64).optional().meta({ example: 'mobile_money' }),
  })
  .meta({ example: { amount: 5000, method: 'mobile_money' } });

export type NewDeposit = z.output<typeof newDeposit>;

/** The posting that entering `to` needs. */
export function depositEffect(from: Status, to: Status): 'credit' | 'reverse' | 'none' {
  if (from === to) return 'none';
  if (to === 'success') return 'credit';
  return from === 'success' ? 'reverse' : 'none';
}

/**
 * The status to which a provider's event moves a deposit; undefined: no change. Any end from an open status, and a late
 * success after failed or canceled. A deposit is paid only once: after success, no event of the provider changes it.
 */
export function providerMove(
  deposit: { status: Status; paid_at: string | null },
  outcome: ProviderOutcome,
): Status | undefined {
  if (deposit.status === 'success') return undefined;
  if (outcome === 'success') return deposit.paid_at === null ? 'success' : undefined;
  return deposit.status === 'initiated' || deposit.status === 'pending' ? outcome : undefined;
}

/**
 * Whose a payment is, whatever it says of itself: `ours` when the row knows this very payment, or knows none yet and the
 * payment has the random key of the row. A success of another amount or currency than the row's is `other_money`.
 */
export function paymentVerdict(
  deposit: Pick<PayableDeposit, 'provider_ref' | 'payment_key' | 'amount' | 'currency'>,
  { ref, key, money, outcome }: Payment,
): 'ours' | 'foreign' | 'other_money' {
  const { provider_ref: known, payment_key: ownKey } = deposit;
  const isOurs = known === null ? ownKey !== null && key === ownKey : ref === known;
  if (!isOurs) return 'foreign';
  if (outcome !== 'success' || money === undefined) return 'ours';
  const isSame = money.amount === deposit.amount && money.currency?.toLowerCase() === deposit.currency.toLowerCase();
  return isSame ? 'ours' : 'other_money';
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Ages in seconds at which the provider is asked about a deposit; hourly from the last on, for three days. */
const ASKED_AT = [MINUTE, 5 * MINUTE, 30 * MINUTE];
const ASKED_UNTIL = 72 * HOUR;

/**
 * The age in seconds at which a deposit of this age is asked about next; undefined: never again. Without an answer the
 * question is repeated after the three days, too.
 */
export function nextAsk(age: number, hasAnswer: boolean): number | undefined {
  const early = ASKED_AT.find((at) => at > age);
  if (early !== undefined) return early;
  const last = ASKED_AT.at(-1)!;
  const next = last + HOUR * (Math.floor((age - last) / HOUR) + 1);
  return next > ASKED_UNTIL && hasAnswer ? undefined : next;
}
