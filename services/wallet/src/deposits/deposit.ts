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

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Ages in seconds at which the provider is asked about a deposit. After the last one: hourly, for three days. */
const ASKED_AT = [MINUTE, 5 * MINUTE, 30 * MINUTE];
const ASKED_UNTIL = 72 * HOUR;

/**
 * The age in seconds at which the provider is asked next about a deposit of this age; undefined: never again. After a
 * request without an answer the schedule continues beyond the three days.
 */
export function nextAskAge(age: number, hasAnswer: boolean): number | undefined {
  const early = ASKED_AT.find((at) => at > age);
  if (early !== undefined) return early;
  const last = ASKED_AT.at(-1)!;
  const next = last + HOUR * (Math.floor((age - last) / HOUR) + 1);
  return next > ASKED_UNTIL && hasAnswer ? undefined : next;
}
