import type { Tx } from '@tutoring/shared/kit/database/open';
import { recordBreak } from '../breaks/break-service.ts';
import { REFUND_KEY_SECONDS } from '../deadlines.ts';
import { lockAccounts } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { nextAskAge } from '../providers/asking.ts';
import type { Claim, ProviderRefund, RefundOutcome } from '../providers/provider.ts';
import type { DepositRefundRow, DueRefund, RefundStatus } from './deposit-refund.ts';
import { moveRefund } from './deposit-refund-service.ts';
import * as store from './deposit-refund-store.ts';

/** What a provider's word does to a refund. `contradiction`: it makes a refund that we did not send or ended. */
export function refundReport(
  status: RefundStatus,
  outcome: RefundOutcome,
): 'success' | 'returned' | 'none' | 'contradiction' {
  const isSent = status === 'sent';
  if (outcome === 'failed') return isSent || status === 'success' ? 'returned' : 'none';
  if (isSent) return outcome === 'success' ? 'success' : 'none';
  return status === 'success' ? 'none' : 'contradiction';
}

/** Applies a provider's word to a locked refund of a locked account. A contradiction makes a break. */
export async function applyReport(
  tx: Tx,
  parts: Parts,
  refund: DepositRefundRow,
  { ref, outcome, details }: ProviderRefund,
): Promise<'applied' | 'unchanged' | 'differs'> {
  const report = refundReport(refund.status, outcome);
  const reference = `deposit-refund:${refund.id}`;
  if (report === 'contradiction') {
    await recordBreak(tx, {
      kind: 'status',
      provider: refund.provider,
      reference,
      ours: refund.status,
      theirs: outcome,
    });
    return 'differs';
  }
  if (report !== 'none') {
    await moveRefund(tx, parts, refund, report, { ref: ref ?? refund.ref ?? undefined, details });
    return 'applied';
  }
  if (ref !== undefined && refund.ref === null) await store.updateRefund(tx, refund.id, { ref });
  return 'unchanged';
}

/** The refund of ours that a claim on this deposit echoes, locked with its account; undefined: it is not ours. */
export async function findEcho(
  tx: Tx,
  deposit: { id: number; user_id: number },
  { ref, refund: { key, id } = { outcome: 'pending' } }: Pick<Claim, 'ref' | 'refund'>,
): Promise<DepositRefundRow | undefined> {
  await lockAccounts(tx, [deposit.user_id]);
  if (key !== undefined) return store.lockRefundByKey(tx, deposit.id, key);
  const named = id === undefined ? undefined : await store.lockRefund(tx, id);
  if (named?.deposit_id === deposit.id) return named;
  // Made by hand at the provider, for a refund that an administrator settles here with its reference.
  return store.lockRefundByRef(tx, deposit.id, ref);
}

/** Applies a claim that echoes a refund of ours, which `findEcho` has locked. One of other money makes a break. */
export async function applyEcho(tx: Tx, parts: Parts, own: DepositRefundRow, claim: Claim) {
  const { ref, amount = own.amount, currency = own.currency } = claim;
  if (amount !== own.amount || currency.toLowerCase() !== own.currency.toLowerCase()) {
    const found = { kind: 'amount' as const, provider: own.provider, reference: `deposit-refund:${own.id}` };
    await recordBreak(tx, { ...found, theirs: ref, amount_ours: own.amount, amount_theirs: amount });
    return 'differs';
  }
  return applyReport(tx, parts, own, { ref, outcome: claim.refund?.outcome ?? 'pending' });
}

/** Applies the answer about a refund, and schedules the next request; none if it is finished. */
const recordAnswer = (parts: Parts, due: DueRefund, answer: ProviderRefund | undefined) =>
  parts.database.transact(async (tx) => {
    const owner = await store.refundOwner(tx, due.id);
    await lockAccounts(tx, [owner!]);
    const refund = (await store.lockRefund(tx, due.id))!;
    if (answer) await applyReport(tx, parts, refund, answer);
    const isDone = answer !== undefined && answer.outcome !== 'pending';
    const age = isDone ? undefined : nextAskAge(await store.refundAge(tx, due.id), true);
    await store.setNextRefundAsk(tx, due.id, age ?? null);
  });

/**
 * Whether a due refund may still be made: an administrator or the provider may have settled it since it was claimed.
 * While it is due, nobody settles it by hand.
 */
const isStillDue = ({ database }: Parts, { id }: DueRefund) =>
  database.transact(async (tx) => {
    const refund = await store.lockRefund(tx, id);
    return refund?.status === 'sent' && refund.ask_at !== null;
  });

/** Ends the asking about a refund that the provider cannot make, so that an administrator can settle it. */
const endAsking = ({ database }: Parts, { id }: DueRefund) =>
  database.transact(async (tx) => void (await store.setNextRefundAsk(tx, id, null)));

/**
 * Asks the provider about a refund that was sent. One that it does not know is made, under the refund's key: the
 * provider makes it once, also when an earlier answer was lost. After the time for which a provider keeps keys, a
 * refund is never made again. Without an answer it is asked about again.
 */
export async function askAboutRefund(parts: Parts, due: DueRefund): Promise<void> {
  const { database, logger, providers } = parts;
  const { id, deposit_id, amount, refund_key: key, payment_ref, may_make: mayMake } = due;
  const refunds = providers.all.find(({ name }) => name === due.provider)?.refunds;
  if (!refunds || payment_ref === null || due.status !== 'sent') return endAsking(parts, due);
  const wanted = { id, deposit_id, amount, key, payment_ref };
  try {
    const known = await refunds.find(wanted);
    const makes = !known && mayMake && (await isStillDue(parts, due));
    await recordAnswer(parts, due, makes ? await refunds.make(wanted) : known);
  } catch (error) {
    logger.warn(
      { err: error, provider: due.provider, refund_id: id },
      'the outcome of a refund is unknown; the payment provider will be asked again',
    );
    await database.transact(async (tx) =>
      store.setNextRefundAsk(tx, id, nextAskAge(await store.refundAge(tx, id), false) ?? null),
    );
  }
}

/** Due refunds of these providers, claimed for a while. */
export const claimRefunds = (tx: Tx, providers: string[], lease: { limit: number; leaseSeconds: number }) =>
  store.claimDueRefunds(tx, providers, { ...lease, keySeconds: REFUND_KEY_SECONDS });
