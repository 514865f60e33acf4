import { z } from 'zod';
import { amount } from '@tutoring/shared/money';
import { commissionOf } from '../charges/charge-step.ts';

export const refundBody = z.object({
  amount: amount().optional().meta({ example: 5000 }),
});

/** What a call has moved so far, by its transfers. */
export interface CallTotals {
  student: number;
  teacher: number;
  charged: number;
  commission: number;
  refunded: number;
  commissionRefunded: number;
  refunds: number;
}

/**
 * How much of a refund the platform gives back of its commission; the teacher gives the rest. Pro rata of what was
 * charged, rounded down on the sum of all refunds, so that a call refunded in parts ends where one refunded at once does.
 * A step charged after a refund changes the rate: neither side then takes anything back.
 */
export function commissionOfRefund(totals: CallTotals, refund: number): number {
  const rate = { part: totals.commission, of: totals.charged };
  const proRata = commissionOf(totals.refunded + refund, rate) - totals.commissionRefunded;
  return Math.min(Math.max(proRata, 0), refund);
}
