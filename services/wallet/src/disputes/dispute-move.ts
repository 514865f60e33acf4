import type { Claim } from '../providers/provider.ts';
import type { DisputeRow, DisputeStatus } from './dispute.ts';

/** A later status replaces an earlier one, whatever the order in which the provider's events arrive. */
const ORDER: DisputeStatus[] = ['inquiry', 'needs_response', 'under_review', 'lost', 'won'];
/** The provider has taken the money. */
const TAKEN: DisputeStatus[] = ['needs_response', 'under_review', 'lost'];
/** The reason of a refund that was made at the provider. */
export const REFUND = 'refund';
/** Disputes that are not decided. */
export const OPEN_DISPUTES: DisputeStatus[] = ['inquiry', 'needs_response', 'under_review'];

/**
 * What a status that a provider reports does to a dispute. `contradiction`: the provider holds money of a dispute that
 * it had decided for us, which an administrator must look into. A report that was not read from the provider at this
 * moment may simply be late: of a refund `lost` then comes before `won`, of a dispute nothing follows `won`.
 */
export function disputeMove(
  from: DisputeStatus | undefined,
  to: DisputeStatus,
  { isCurrent, reason }: Pick<Claim, 'isCurrent' | 'reason'>,
): 'move' | 'none' | 'contradiction' {
  if (from === undefined || ORDER.indexOf(to) > ORDER.indexOf(from)) return 'move';
  if (from !== 'won' || to === 'won') return 'none';
  const isFinal = to === 'lost' && reason !== REFUND;
  return isFinal || (isCurrent && TAKEN.includes(to)) ? 'contradiction' : 'none';
}

/**
 * The movement of money that is due. `isCredited`: the deposit is in success; before that the provider has nothing to
 * take back from the student.
 */
export function disputeEffect(
  { status, taken_at, returned_at }: Pick<DisputeRow, 'status' | 'taken_at' | 'returned_at'>,
  isCredited: boolean,
): 'take' | 'return' | 'none' {
  if (taken_at === null) return isCredited && TAKEN.includes(status) ? 'take' : 'none';
  return returned_at === null && status === 'won' ? 'return' : 'none';
}

/** The parts of an amount that the provider takes: from the student's available money, and the platform's loss. */
export function splitTaking(amount: number, available: number): { taken: number; lost: number } {
  const taken = Math.min(amount, Math.max(available, 0));
  return { taken, lost: amount - taken };
}

/** The parts of a returned amount: first the platform's loss that nobody has paid, the rest is the student's. */
export const splitReturn = ({
  taken,
  owed,
  recovered,
  written_off,
}: Pick<DisputeRow, 'taken' | 'owed' | 'recovered' | 'written_off'>) => ({
  toPlatform: owed + written_off,
  toStudent: taken + recovered,
});

/** What each debt gets from `amount`, in the order of the debts. */
export function splitRecovery<Debt extends Pick<DisputeRow, 'owed'>>(
  debts: Debt[],
  amount: number,
): { debt: Debt; part: number }[] {
  let left = amount;
  return debts.flatMap((debt) => {
    const part = Math.min(debt.owed, left);
    left -= part;
    return part > 0 ? [{ debt, part }] : [];
  });
}

/** The difference between a claim and the deposit or earlier dispute that it is about; undefined: none. */
export function claimDifference(
  claim: Pick<Claim, 'amount' | 'currency' | 'status'>,
  deposit: { amount: number; currency: string },
  known: Pick<DisputeRow, 'amount'> | undefined,
): 'amount' | 'status' | undefined {
  if (claim.status === undefined) return 'status';
  const isOtherCurrency =
    claim.currency !== undefined && claim.currency.toLowerCase() !== deposit.currency.toLowerCase();
  const isTooMuch = claim.amount !== undefined && claim.amount > deposit.amount;
  const isAnother = claim.amount !== undefined && known !== undefined && claim.amount !== known.amount;
  return isOtherCurrency || isTooMuch || isAnother ? 'amount' : undefined;
}
