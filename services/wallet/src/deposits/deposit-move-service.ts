import type { Tx } from '@tutoring/shared/database/open';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { assertThat } from '@tutoring/shared/errors';
import { accountClosing } from '../errors.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import { post } from '../ledger/ledger-service.ts';
import { accountStanding, creditedBy, lockAccounts } from '../ledger/ledger-store.ts';
import { mirrorPayment } from '../payments/payment-store.ts';
import { records } from '../texts.ts';
import type { Change, Status } from '../records/record.ts';
import { depositEffect, type DepositRow } from './deposit.ts';
import { depositStore, PAID } from './deposit-store.ts';

/** Publishes a deposit's new state; updates its payment row. */
export async function publishDeposit(tx: Tx, deposit: DepositRow): Promise<void> {
  await mirrorPayment(tx, 'deposit', deposit.id);
  await publish(tx, 'deposit.changed', deposit);
}

const clearingAccount = (provider: string) =>
  provider === 'stripe' ? SYSTEM_ACCOUNTS.stripe : SYSTEM_ACCOUNTS.sandbox;

/** The account that a paid deposit credits; the user's is locked. Throws unavailable while it is being closed. */
async function payeeOf(tx: Tx, user: number): Promise<number> {
  const standing = await accountStanding(tx, user);
  assertThat(standing !== 'closing', accountClosing);
  return standing === 'closed' ? SYSTEM_ACCOUNTS.unclaimed : user;
}

/**
 * Moves a locked deposit to `to`, with its postings. Throws conflict when money to take back is no longer available,
 * and unavailable while the account is being closed. After the closing the money is credited to `unclaimed`, and the
 * details say so.
 */
export async function moveDeposit(
  tx: Tx,
  currency: string,
  deposit: DepositRow,
  to: Status,
  change: Change<Pick<DepositRow, 'details' | 'ref'>> & { paid?: boolean } = {},
): Promise<DepositRow> {
  const effect = depositEffect(deposit.status, to);
  const entries = effect === 'credit' ? deposit.entries + 1 : deposit.entries;
  const reference = `deposit:${deposit.id}:${entries}`;
  const clearing = clearingAccount(deposit.provider);
  const { user_id: user, amount } = deposit;
  const { ref, paid } = change;
  let { details } = change;
  if (effect === 'credit') {
    const locked = await lockAccounts(tx, [user]);
    const payee = await payeeOf(tx, user);
    await post(tx, currency, { kind: 'deposit', reference, debit: clearing, credit: payee, amount }, locked);
    if (payee !== user) details ??= records.paidAfterClosing;
  }
  if (effect === 'reverse') {
    const payee = await creditedBy(tx, 'deposit', reference);
    await post(tx, currency, { kind: 'deposit_reversal', reference, debit: payee, credit: clearing, amount });
  }
  const moved = await depositStore.update(tx, deposit.id, { ref, details, status: to, entries }, paid ? PAID : []);
  await publishDeposit(tx, moved);
  return moved;
}
