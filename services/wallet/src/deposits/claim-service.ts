import type { Tx } from '@tutoring/shared/kit/database/open';
import { recordBreak } from '../breaks/break-service.ts';
import { applyEcho, findEcho } from '../deposit-refunds/provider-refund-service.ts';
import { applyClaim } from '../disputes/dispute-service.ts';
import type { Parts } from '../parts.ts';
import type { ClaimOutcome } from '../providers/count.ts';
import type { Claim, PaymentProvider, ProviderEvent } from '../providers/provider.ts';
import { isOwnPayment } from './deposit.ts';
import { lockPayable, recordWebhook } from './deposit-store.ts';

/** Applies a dispute or refund to the deposit that it is about, if we opened its payment. */
async function applyToDeposit(
  tx: Tx,
  parts: Parts,
  provider: PaymentProvider,
  { claim, event }: { claim: Claim; event: ProviderEvent },
): Promise<ClaimOutcome> {
  const { payment, ref: reference, status: theirs = 'unknown', amount: amount_theirs = null } = claim;
  const deposit = payment.depositId === undefined ? undefined : await lockPayable(tx, payment.depositId);
  if (deposit?.provider !== provider.name || !isOwnPayment(deposit, payment)) {
    if (provider.isOwnAccount)
      await recordBreak(tx, { kind: 'only_theirs', provider: provider.name, reference, theirs, amount_theirs });
    return 'foreign';
  }
  await recordWebhook(tx, provider.name, event, deposit.id);
  const own = claim.refund && (await findEcho(tx, deposit, claim));
  if (own) return applyEcho(tx, parts, own, claim);
  return applyClaim(tx, parts, deposit, claim);
}

/**
 * Handles the disputes and refunds of an event, each in its own transaction: repeated, they change nothing. Throws
 * unavailable while the account is closing.
 */
export async function receiveClaims(
  parts: Parts,
  provider: PaymentProvider,
  event: ProviderEvent,
  claims: Claim[],
): Promise<void> {
  const { database, logger, providers } = parts;
  for (const claim of claims) {
    const outcome = await database.transact((tx) => applyToDeposit(tx, parts, provider, { claim, event }));
    providers.countClaim(provider.name, outcome);
    const about = { provider: provider.name, event: event.id, ref: claim.ref, deposit_id: claim.payment.depositId };
    if (outcome === 'foreign') logger.warn(about, 'a dispute or refund of a payment that is not ours moved no money');
    if (outcome === 'differs') logger.warn(about, 'a dispute or refund does not fit our records: see the breaks');
  }
  if (claims.length === 0)
    logger.warn({ provider: provider.name, event: event.id }, 'the provider does not know what an event is about');
}
