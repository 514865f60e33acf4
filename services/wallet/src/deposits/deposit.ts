import { z } from 'zod';
import { amount, fieldsOf, text } from '@tutoring/shared/http/declare/fields';
import type { PaymentProvider, ProviderOutcome } from '../providers/provider.ts';
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
