import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import type { NewBreak } from '../breaks/break.ts';
import { recordBreak } from '../breaks/break-service.ts';
import { cancelRequested } from '../deposit-refunds/deposit-refund-service.ts';
import { disputeNotFound } from '../errors.ts';
import { lockAccounts } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import type { Claim } from '../providers/provider.ts';
import type { DisputeRow } from './dispute.ts';
import { giveBack, recoverDebts, takeBack, type ClaimedDeposit } from './dispute-ledger-service.ts';
import { claimDifference, disputeEffect, disputeMove, REFUND } from './dispute-move.ts';
import * as store from './dispute-store.ts';

export type ClaimResult = 'applied' | 'unchanged' | 'differs';

/** Moves the money of a dispute as its status and the deposit require. The user's account must be locked. */
async function settle(tx: Tx, currency: string, dispute: DisputeRow, deposit: ClaimedDeposit): Promise<void> {
  const effect = disputeEffect(dispute, deposit.status === 'success');
  if (effect === 'take') await takeBack(tx, currency, dispute, deposit);
  if (effect === 'return') await giveBack(tx, currency, dispute, deposit);
}

/** The break that a claim makes instead of moving money; undefined: it fits. */
function breakOf(claim: Claim, deposit: ClaimedDeposit, known: DisputeRow | undefined): NewBreak | undefined {
  const found = { provider: deposit.provider, reference: claim.ref };
  const theirs = claim.status ?? 'unknown';
  if (known && known.deposit_id !== deposit.id)
    return { ...found, kind: 'only_theirs', ours: `deposit:${known.deposit_id}`, theirs: `deposit:${deposit.id}` };
  const kind = claimDifference(claim, deposit, known);
  if (kind === 'amount')
    return { ...found, kind, amount_ours: known?.amount ?? deposit.amount, amount_theirs: claim.amount ?? null };
  if (claim.status === undefined) return { ...found, kind: 'status', ours: known?.status ?? null, theirs };
  const isContradiction = disputeMove(known?.status, claim.status, claim) === 'contradiction';
  return isContradiction ? { ...found, kind: 'status', ours: known?.status ?? null, theirs } : undefined;
}

/** The break of a new refund by which more than the deposit would be refunded; undefined: it fits. */
async function excessOf(tx: Tx, claim: Claim, deposit: ClaimedDeposit): Promise<NewBreak | undefined> {
  if (claim.reason !== REFUND || claim.status !== 'lost') return undefined;
  const { ref: reference, amount = deposit.amount } = claim;
  const refunded = (await store.refundedOf(tx, deposit.id)) + amount;
  if (refunded <= deposit.amount) return undefined;
  const found = { kind: 'amount' as const, provider: deposit.provider, reference };
  return { ...found, ours: `deposit:${deposit.id}`, amount_ours: deposit.amount, amount_theirs: refunded };
}

/** The dispute after a claim that fits; `isMoved`: its status is new. */
async function recordClaim(tx: Tx, claim: Claim, deposit: ClaimedDeposit, known: DisputeRow | undefined) {
  const status = claim.status!;
  const evidence_due_at = claim.evidenceDueAt ?? known?.evidence_due_at ?? null;
  if (known) {
    const isMoved = disputeMove(known.status, status, claim) === 'move';
    const isLater = claim.isCurrent && Date.parse(evidence_due_at ?? '') !== Date.parse(known.evidence_due_at ?? '');
    if (!isMoved && (!isLater || evidence_due_at === null)) return { dispute: known, isMoved };
    const change = isMoved ? { status, evidence_due_at } : { evidence_due_at };
    return { dispute: await store.updateDispute(tx, known.id, change), isMoved };
  }
  const { id: deposit_id, user_id, provider, amount, currency } = deposit;
  const dispute = await store.insertDispute(tx, {
    ...{ deposit_id, user_id, provider, currency, status, evidence_due_at },
    provider_ref: claim.ref,
    amount: claim.amount ?? amount,
    reason: claim.reason,
  });
  return { dispute, isMoved: true };
}

/**
 * Applies a provider's claim to its locked deposit. Claims may arrive in any order and repeatedly; the result is the
 * same. A claim that does not fit makes a break and moves no money. Throws unavailable while the account is closing.
 */
export async function applyClaim(tx: Tx, parts: Parts, deposit: ClaimedDeposit, claim: Claim): Promise<ClaimResult> {
  const { currency } = parts;
  await lockAccounts(tx, [deposit.user_id]);
  const known = await store.findByRef(tx, deposit.provider, claim.ref);
  const broken = breakOf(claim, deposit, known) ?? (known ? undefined : await excessOf(tx, claim, deposit));
  if (broken) {
    await recordBreak(tx, broken);
    return 'differs';
  }
  const { dispute, isMoved } = await recordClaim(tx, claim, deposit, known);
  if (isMoved) await store.insertStep(tx, dispute.id, dispute.status);
  if (!known) await cancelRequested(tx, parts, deposit.id);
  // Also for a repeat: the previous release credits a deposit without settling its disputes.
  await settle(tx, currency, dispute, deposit);
  return isMoved ? 'applied' : 'unchanged';
}

/**
 * Settles what a new credit of a deposit owes: older debts of the user, if `recovers`, then disputes that arrived
 * before the credit. Call it in the transaction of the credit, with the account locked.
 */
export async function settleCredit(
  tx: Tx,
  currency: string,
  deposit: ClaimedDeposit,
  recovers: boolean,
): Promise<void> {
  if (recovers) await recoverDebts(tx, currency, deposit.user_id, deposit.amount);
  for (const dispute of await store.findOfDeposit(tx, deposit.id)) await settle(tx, currency, dispute, deposit);
}

/** Writes off the debt of a dispute; repeated, it changes nothing. Throws not_found. */
export const writeOffDebt = (
  { database }: Parts,
  admin: AdminCaller,
  id: number,
  reason: string,
): Promise<DisputeRow> =>
  database.transact(async (tx) => {
    const found = await store.findDispute(tx, id);
    assertThat(found, disputeNotFound);
    await lockAccounts(tx, [found.user_id]);
    const before = (await store.findDispute(tx, id)) as DisputeRow;
    if (before.owed === 0) return before;
    const after = await forgive(tx, before);
    recordAdminAction(tx, admin, {
      action: 'dispute.written_off',
      subject: `dispute:${id}`,
      before: { owed: before.owed },
      after: { owed: 0, reason },
      at: after.updated_at,
    });
    return after;
  });

async function forgive(tx: Tx, { id, owed, written_off }: DisputeRow): Promise<DisputeRow> {
  await store.insertStep(tx, id, 'written_off');
  return store.updateDispute(tx, id, { owed: 0, written_off: written_off + owed });
}

/** Writes off the debts of a closed account, which must be locked. */
export async function writeOffDebts(tx: Tx, userId: number): Promise<void> {
  for (const debt of await store.findDebts(tx, userId)) await forgive(tx, debt);
}
