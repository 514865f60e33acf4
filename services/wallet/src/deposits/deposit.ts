import { z } from 'zod';
import { amount, pickFields, text } from '@tutoring/shared/kit/http/declare/fields';
import type { Payment, ProviderOutcome } from '../providers/provider.ts';
import { amountFields, noteFields, ownerFields, type Status } from '../records/record.ts';

export const depositSchema = z
  .strictObject({
    ...ownerFields,
    ...amountFields,
    method: z.string().nullable().meta({ example: 'mobile_money' }),
    ...noteFields,
  })
  .meta({ id: 'Deposit' });
const ofRow = depositSchema.omit({ user: true });
type PublicDeposit = z.infer<typeof ofRow>;

/** The row in the database. */
export interface DepositRow extends PublicDeposit {
  provider: string;
  provider_ref: string | null;
  entries: number;
  paid_at: string | null;
  version: number;
}

/** A deposit with its payment key, which proves that a payment is its own. Only the provider may get the key. */
export interface PayableDeposit extends DepositRow {
  /** Random; sent to the provider when the payment is opened. Null: opened by a release without keys. */
  payment_key: string | null;
}

/** The fields of a deposit that users and administrators see. */
export const publicDeposit = (row: DepositRow): PublicDeposit => pickFields(ofRow, row);

export const newDeposit = z
  .object({
    amount: amount().meta({ example: 5000 }),
    method: text(64).optional().meta({ example: 'mobile_money' }),
  })
  .meta({ example: { amount: 5000, method: 'mobile_money' } });

export type NewDeposit = z.output<typeof newDeposit>;

/** The posting that a move from `from` to `to` needs. */
export function depositEffect(from: Status, to: Status): 'credit' | 'reverse' | 'none' {
  if (from === to) return 'none';
  if (to === 'success') return 'credit';
  return from === 'success' ? 'reverse' : 'none';
}

/**
 * The status to which a provider's event moves a deposit; undefined: no change. An open deposit takes any outcome, a
 * failed or canceled one only a late success. A deposit is paid only once: after a success no event changes it.
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
 * Whether a payment belongs to the deposit that it names. `ours`: the row has the id of this payment, or has no id yet
 * and the payment carries the row's random key. `other_money`: ours, but paid in another amount or currency than the
 * row's.
 */
export function paymentVerdict(
  deposit: Pick<PayableDeposit, 'provider_ref' | 'payment_key' | 'amount' | 'currency'>,
  { ref, key, money, outcome }: Payment,
): 'ours' | 'foreign' | 'other_money' {
  const { provider_ref: ownRef, payment_key: ownKey } = deposit;
  const isOurs = ownRef === null ? ownKey !== null && key === ownKey : ref === ownRef;
  if (!isOurs) return 'foreign';
  if (outcome !== 'success' || money === undefined) return 'ours';
  const isSame = money.amount === deposit.amount && money.currency?.toLowerCase() === deposit.currency.toLowerCase();
  return isSame ? 'ours' : 'other_money';
}

/** Whether a payment that a dispute or refund is about was opened for this deposit: it has the row's key or id. */
export const isOwnPayment = (
  { provider_ref: ownRef, payment_key: ownKey }: Pick<PayableDeposit, 'provider_ref' | 'payment_key'>,
  { ref, key }: { ref?: string | undefined; key?: string | undefined },
): boolean => (ownKey !== null && key === ownKey) || (ownRef !== null && ref === ownRef);

/** A user's balance, open deposits, and successful deposits of this UTC month. */
export interface DepositTotals {
  balance: number;
  open: number;
  month: number;
}
/** The settings that bound prepaid money; 0: no bound. */
export type Bounds = Record<'max_balance' | 'max_deposits_month', number>;

/** The largest amount of a new deposit; Infinity without a bound, below 1 when none fits. */
export function largestDeposit({ balance, open, month }: DepositTotals, bounds: Bounds): number {
  const left = (bound: number, used: number) => (bound === 0 ? Infinity : bound - used - open);
  return Math.min(left(bounds.max_balance, balance), left(bounds.max_deposits_month, month));
}

/** The bound that a credited deposit has passed, if any. */
export function exceededBound({ balance, month }: Omit<DepositTotals, 'open'>, bounds: Bounds) {
  const reached = { max_balance: balance, max_deposits_month: month };
  const bound = (['max_balance', 'max_deposits_month'] as const).find(
    (name) => bounds[name] > 0 && reached[name] > bounds[name],
  );
  return bound && { bound, limit: bounds[bound], reached: reached[bound] };
}
