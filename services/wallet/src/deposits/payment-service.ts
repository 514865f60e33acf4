import type { Tx } from '@tutoring/shared/database/open';
import type { Parts } from '../parts.ts';
import type { Heard } from '../providers/count.ts';
import type { Payment, PaymentProvider, ProviderEvent } from '../providers/provider.ts';
import { changeRecord } from '../records/record-service.ts';
import { paymentVerdict, providerMove, type PayableDeposit } from './deposit.ts';
import { moveDeposit } from './deposit-service.ts';
import { depositKind, lockPayable, PAID, recordWebhook } from './deposit-store.ts';

/** What the log says of a payment that moves no money, and what to do. */
const WARNINGS: { [Outcome in Heard]?: string } = {
  foreign: 'a payment that we did not open for the deposit that it names was not credited',
  other_money:
    'a payment of another amount or currency than its deposit was not credited: compare both at the provider',
  unknown: 'a payment that the provider does not know under our credentials was not credited',
};

/** Moves a locked deposit as its own payment says. */
async function follow(tx: Tx, currency: string, deposit: PayableDeposit, payment: Payment): Promise<Heard> {
  const { outcome, ref } = payment;
  if (outcome === undefined) return 'unchanged';
  // Once the row knows a payment no other one counts.
  const known = deposit.provider_ref === null ? { provider_ref: ref } : {};
  const to = providerMove(deposit, outcome);
  const paid = outcome === 'success';
  if (to) {
    await moveDeposit(tx, currency, deposit, to, { ...known, paid });
    return paid ? 'credited' : 'ended';
  }
  if (paid && deposit.paid_at === null) await changeRecord(tx, depositKind, deposit.id, known, PAID);
  return 'unchanged';
}

/**
 * Applies what a provider says of a payment to the deposit with this id, if it is that deposit's own; `event`: once per
 * event, in any order. Throws unavailable while the account is being closed.
 */
export async function applyPayment(
  tx: Tx,
  parts: Parts,
  provider: PaymentProvider,
  { depositId, payment, event }: { depositId: number | undefined; payment: Payment; event?: ProviderEvent },
): Promise<Heard> {
  const deposit = depositId === undefined ? undefined : await lockPayable(tx, depositId);
  if (deposit?.provider !== provider.name) return 'foreign';
  const verdict = paymentVerdict(deposit, payment);
  if (verdict !== 'ours') return verdict;
  // What was not ours is not written down: once it is known to be ours, the same event counts.
  if (event && !(await recordWebhook(tx, provider.name, event, deposit.id))) return 'repeated';
  return follow(tx, parts.currency, deposit, payment);
}

/** Counts and logs what came of a payment. */
export function tell(
  { logger, providers }: Parts,
  provider: PaymentProvider,
  {
    by,
    outcome,
    ...about
  }: { by: 'webhook' | 'ask'; outcome: Heard; ref: string; deposit_id?: number | undefined; event?: string },
): void {
  providers.heard(provider.name, by, outcome);
  const warning = WARNINGS[outcome];
  const details = { provider: provider.name, by, outcome, ...about };
  if (warning !== undefined) logger.warn(details, warning);
  else if (by === 'webhook' && outcome === 'unchanged') logger.info(details, 'a webhook changed nothing');
}

/** Handles a provider's webhook. Throws malformed when it is not genuine, and unavailable while it cannot be decided. */
export async function receiveWebhook(
  parts: Parts,
  provider: PaymentProvider,
  rawBody: Buffer,
  header: (name: string) => string | undefined,
): Promise<void> {
  const event = await provider.read(rawBody, header);
  if (!event) return;
  const { payment, ref } = event;
  const depositId = payment?.depositId;
  const outcome = payment
    ? await parts.database.transact((tx) => applyPayment(tx, parts, provider, { depositId, payment, event }))
    : 'unknown';
  tell(parts, provider, { by: 'webhook', outcome, ref, deposit_id: depositId, event: event.id });
}
