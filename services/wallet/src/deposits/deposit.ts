import { z } from 'zod';
import { text } from '@tutoring/shared/http/fields';
import { amount } from '@tutoring/shared/money';
import type { ProviderOutcome } from '../providers/provider.ts';
import { recordFields, status, type Status } from '../records/record.ts';

const { id, user_id, amount: money, currency, ref, details, created_at, updated_at, user } = recordFields;

export const depositSchema = z.strictObject({
  id,
  user_id,
  amount: money,
  currency,
  status: status(),
  method: z.string().nullable().meta({ example: 'mobile_money' }),
  ref,
  details,
  created_at,
  updated_at,
  user,
});
export type Deposit = z.infer<typeof depositSchema>;

/** As the database has it. */
export interface DepositRow extends Omit<Deposit, 'user'> {
  provider: string;
  provider_ref: string | null;
  entries: number;
  paid_at: string | null;
  version: number;
}

/** Without what is nobody's business outside this service. */
export function publicDeposit(row: DepositRow): Omit<Deposit, 'user'> {
  const { provider: _p, provider_ref: _r, entries: _e, paid_at: _a, version: _v, ...shown } = row;
  return shown;
}

export const newDeposit = z
  .object({
    amount: amount().meta({ example: 5000 }),
    method: text(64).optional().meta({ example: 'mobile_money' }),
  })
  .meta({ example: { amount: 5000, method: 'mobile_money' } });

/** What entering `to` means for the ledger. */
export function depositEffect(from: Status, to: Status): 'credit' | 'reverse' | 'none' {
  if (from === to) return 'none';
  if (to === 'success') return 'credit';
  return from === 'success' ? 'reverse' : 'none';
}

/**
 * Where a provider's event moves a deposit; undefined: nowhere. Any end from an open one, and a late success after
 * failed or canceled; but the provider is paid once, so its second success changes nothing, nor does anything it says
 * after success.
 */
export function providerMove(
  deposit: { status: Status; paid_at: string | null },
  outcome: ProviderOutcome,
): Status | undefined {
  if (deposit.status === 'success') return undefined;
  if (outcome === 'success') return deposit.paid_at === null ? 'success' : undefined;
  return deposit.status === 'initiated' || deposit.status === 'pending' ? outcome : undefined;
}
