import { z } from 'zod';
import { amount, text } from '@tutoring/shared/http/declare/fields';
import { commissionOf } from '../charges/charge-step.ts';

export const refundBody = z.object({
  amount: amount().optional().meta({ example: 5000 }),
  /** For the audit log only. */
  reason: text(500).optional().meta({ example: 'The teacher could not be heard.' }),
});
export type RefundBody = z.infer<typeof refundBody>;

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
 * The part of a refund that the platform gives back from its commission; the teacher gives the rest. Pro rata of the
 * charges, rounded down on the sum of all refunds, so that partial refunds end like a single one. A step charged after
 * a refund changes the rate: neither side then takes anything back.
 */
export function commissionOfRefund(totals: CallTotals, refund: number): number {
  const rate = { part: totals.commission, of: totals.charged };
  const proRata = commissionOf(totals.refunded + refund, rate) - totals.commissionRefunded;
  return Math.min(Math.max(proRata, 0), refund);
}
