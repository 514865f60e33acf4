import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';
import type { TransferKind } from './account.ts';
import type { CallPosting } from './statement-store.ts';

/** The number at the end of `call:<identifier>:step:<n>`. */
const stepOf = (reference: string) => Number(reference.slice(reference.lastIndexOf(':') + 1));

/** A call's charges, each with its commission, and its refunds. */
export function receiptOf(postings: CallPosting[]): Pick<CommandAnswer<'call-ledger.read'>, 'charges' | 'refunds'> {
  const ofKind = (wanted: TransferKind) => postings.filter(({ kind }) => kind === wanted);
  const commissions = new Map(ofKind('commission').map(({ reference, amount }) => [reference, amount]));
  return {
    charges: ofKind('call').map(({ reference, amount, created_at }) => ({
      step: stepOf(reference),
      amount,
      commission: commissions.get(reference) ?? 0,
      reference,
      created_at,
    })),
    refunds: ofKind('refund').map(({ reference, amount, created_at }) => ({ reference, amount, created_at })),
  };
}
