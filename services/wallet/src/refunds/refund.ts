import { z } from 'zod';
import { amount, text } from '@tutoring/shared/kit/http/declare/fields';
import { optionalNeverNull } from '@tutoring/shared/kit/http/read/validation';
import { commissionOf } from '../charges/charge-step.ts';
import { ofKind, type Posting } from '../ledger/account.ts';

export const refundBody = z.object({
  amount: optionalNeverNull(amount().meta({ example: 5000 })),
  /** For the audit log only. */
  reason: text(500).optional().meta({ example: 'The teacher could not be heard.' }),
});
export type RefundBody = z.infer<typeof refundBody>;

/** Sums of the postings of a call; undefined when it was never charged. */
export function totalsOf(postings: Posting[]) {
  const charge = postings.find(({ kind }) => kind === 'call');
  if (!charge) return undefined;
  const sum = (kind: Posting['kind']) => ofKind(postings, kind).reduce((total, posting) => total + posting.amount, 0);
  return {
    student: charge.debit,
    teacher: charge.credit,
    charged: sum('call'),
    commission: sum('commission'),
    refunded: sum('refund'),
    commissionRefunded: sum('commission_refund'),
    refunds: ofKind(postings, 'refund').length,
  };
}
export type CallTotals = NonNullable<ReturnType<typeof totalsOf>>;

/**
 * The part of a refund that the platform returns from its commission; the teacher pays the rest. The share is pro rata
 * of the charges, rounded down on the sum of all refunds, so that partial refunds add up to a full one. A step charged
 * after a refund may change the rate; the result still stays between 0 and `refund`.
 */
export function commissionOfRefund(totals: CallTotals, refund: number): number {
  const rate = { part: totals.commission, of: totals.charged };
  const proRata = commissionOf(totals.refunded + refund, rate) - totals.commissionRefunded;
  return Math.min(Math.max(proRata, 0), refund);
}
