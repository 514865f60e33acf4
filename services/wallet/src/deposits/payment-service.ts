import type { Tx } from '@tutoring/shared/kit/database/open';
import { receivePayout } from '../batches/provider-payout-service.ts';
import type { Parts } from '../parts.ts';
import type { PaymentResult } from '../providers/count.ts';
import type { Payment, PaymentProvider, ProviderEvent } from '../providers/provider.ts';
import { changeRecord } from '../records/record-service.ts';
import { receiveClaims } from './claim-service.ts';
import { paymentVerdict, providerMove, type PayableDeposit } from './deposit.ts';
import { moveDeposit } from './deposit-service.ts';
import { depositKind, lockPayable, SET_PAID_AT, recordWebhook } from './deposit-store.ts';

/** Warnings about payments that were not credited, by result. */
const WARNINGS: { [Outcome in PaymentResult]?: string } = {
  foreign: 'a payment that we did not open for the deposit that it names was not credited',
  other_money:
    'a payment of another amount or currency than its deposit was not credited: compare both at the provider',
  unknown: 'a payment that the provider does not know under our credentials was not credited',
};

/** Moves a locked deposit according to the outcome of its own payment. */
async function applyOutcome(
  tx: Tx,
  currency: string,
  deposit: PayableDeposit,
  payment: Payment,
): Promise<PaymentResult> {
  const { outcome, ref } = payment;
  if (outcome === undefined) return 'unchanged';
  // A deposit accepts one payment: once the row has its id, no other counts.
  const providerRef = deposit.provider_ref === null ? { provider_ref: ref } : {};
  const to = providerMove(deposit, outcome);
  const paid = outcome === 'success';
  if (to) {
    await moveDeposit(tx, currency, deposit, to, { ...providerRef, paid });
    return paid ? 'credited' : 'ended';
  }
  if (paid && deposit.paid_at === null) await changeRecord(tx, depositKind, deposit.id, providerRef, SET_PAID_AT);
  return 'unchanged';
}

/**
 * Applies a payment to the deposit with this id, if the payment belongs to it. An `event` is applied once, but for a
 * success that the provider was asked for: the deposit may have been paid after the event came first. Events may arrive
 * in any order. Throws unavailable while the account is closing.
 */
export async function applyPayment(
  tx: Tx,
  parts: Parts,
  provider: PaymentProvider,
  { depositId, payment, event }: { depositId: number | undefined; payment: Payment; event?: ProviderEvent },
): Promise<PaymentResult> {
  const deposit = depositId === undefined ? undefined : await lockPayable(tx, depositId);
  if (deposit?.provider !== provider.name) return 'foreign';
  const verdict = paymentVerdict(deposit, payment);
  if (verdict !== 'ours') return verdict;
  // Events of foreign payments are not recorded: if the payment later proves to be ours, its event must count.
  const isRepeat = event !== undefined && !(await recordWebhook(tx, provider.name, event, deposit.id));
  if (isRepeat && !(provider.ask && payment.outcome === 'success')) return 'repeated';
  return applyOutcome(tx, parts.currency, deposit, payment);
}

/** Counts and logs the result of a payment. */
export function reportPayment(
  { logger, providers }: Parts,
  provider: PaymentProvider,
  {
    by,
    outcome,
    ...about
  }: { by: 'webhook' | 'ask'; outcome: PaymentResult; ref: string; deposit_id?: number | undefined; event?: string },
): void {
  providers.countPayment(provider.name, by, outcome);
  const warning = WARNINGS[outcome];
  const details = { provider: provider.name, by, outcome, ...about };
  if (warning !== undefined) logger.warn(details, warning);
  else if (by === 'webhook' && outcome === 'unchanged') logger.info(details, 'a webhook changed nothing');
}

/**
 * Handles a provider's webhook. Throws malformed for an invalid signature or body, and unavailable to make it retry.
 */
export async function receiveWebhook(
  parts: Parts,
  provider: PaymentProvider,
  rawBody: Buffer,
  header: (name: string) => string | undefined,
): Promise<void> {
  const event = await provider.read(rawBody, header);
  if (!event) return;
  const { payment, ref, claims, payout } = event;
  if (payout) return receivePayout(parts, provider, payout);
  if (claims) return receiveClaims(parts, provider, event, claims);
  const depositId = payment?.depositId;
  const outcome = payment
    ? await parts.database.transact((tx) => applyPayment(tx, parts, provider, { depositId, payment, event }))
    : 'unknown';
  reportPayment(parts, provider, { by: 'webhook', outcome, ref, deposit_id: depositId, event: event.id });
}
