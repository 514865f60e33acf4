import { z } from 'zod';
import { amount, text } from '@tutoring/shared/http/declare/fields';
import { optionalNeverNull } from '@tutoring/shared/http/read/validation';
import { commissionOf } from '../charges/charge-step.ts';
import { ofKind, type Posting } from '../ledger/account.ts';

export const refundBody = z.object({
  amount: optionalNeverNull(amount().meta({ example: 5000 })),
  /** For the audit log only. */
  reason: text(500).optional().meta({ example: 'The teacher could not be heard.' }),
});
export type RefundBody = z.infer<typeof refundBody>;

/** What a call has moved so far; undefined when it was never charged. */
export function totalsOf(postings: Posting[]) {
  const charge = postings.find(({ kind }) => kind === 'call');
  if (!charge) return undefined;
  const sum = (kind: Posting['kind']) => ofKind(postings, kind).reduce((total, { amount: one }) => total + one, 0);
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
 * The part of a refund that the platform gives back from its commission; the teacher gives the rest. Pro rata of the
 * charges, rounded down on the sum of all refunds, so that partial refunds end like a single one. A step charged after
 * a refund changes the rate: neither side then takes anything back.
 */
export function commissionOfRefund(totals: CallTotals, refund: number): number {
  const rate = { part: totals.commission, of: totals.charged };
  const proRata = commissionOf(totals.refunded + refund, rate) - totals.commissionRefunded;
  return Math.min(Math.max(proRata, 0), refund);
}
