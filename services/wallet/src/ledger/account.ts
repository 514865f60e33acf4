import { z } from 'zod';
import { timestamp } from '@tutoring/shared/http/fields';

/**
 * Accounts that are not a user's: numbers below zero, whose balances are sums of transfers. `unclaimed` has what was paid
 * in for accounts that had been closed.
 */
export const SYSTEM_ACCOUNTS = {
  revenue: -1,
  forfeits: -2,
  unclaimed: -3,
  sandbox: -10,
  stripe: -11,
  payouts: -20,
} as const;

export const TRANSFER_KINDS = [
  'deposit',
  'deposit_reversal',
  'withdrawal',
  'withdrawal_reversal',
  'call',
  'commission',
  'refund',
  'commission_refund',
  'forfeit',
] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** A movement of `amount` (smallest unit, positive) from one account to another; (reference, kind) is unique. */
export interface Posting {
  kind: TransferKind;
  reference: string;
  debit: number;
  credit: number;
  amount: number;
}

export interface Balance {
  user_id: number;
  balance: number;
  held: number;
  /** balance - held */
  available: number;
  version: number;
}

export const walletSchema = z.strictObject({
  balance: z.int().meta({ example: 5000 }),
  available: z.int().meta({ example: 4800 }),
  held: z.int().meta({ example: 200 }),
  currency: z.string().meta({ example: 'XOF' }),
});

/** A line of a user's statement. */
export const transactionSchema = z.strictObject({
  id: z.int().meta({ example: 12 }),
  type: z.enum(TRANSFER_KINDS),
  direction: z.enum(['in', 'out']),
  amount: z.int().meta({ example: 5000 }),
  ref: z.string().meta({ example: 'BANK-77' }),
  created_at: timestamp(),
});
export type Transaction = z.infer<typeof transactionSchema>;
