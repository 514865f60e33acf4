import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { accountClosing } from '../errors.ts';
import { availableOf, SYSTEM_ACCOUNTS, type Account, type Posting } from '../ledger/account.ts';
import { payeeOf, save } from '../ledger/ledger-service.ts';
import { accountStanding, creditedBy, lockAccounts } from '../ledger/ledger-store.ts';
import { insertRefundPayment } from '../payments/payment-store.ts';
import type { PaymentRow } from '../payments/payment.ts';
import { clearingAccount } from '../providers/registry.ts';
import { records } from '../texts.ts';
import type { DisputeRow } from './dispute.ts';
import { splitRecovery, splitReturn, splitTaking } from './dispute-move.ts';
import { findDebts, insertStep, takenOf, updateDispute } from './dispute-store.ts';

/** A deposit that a provider's claim is about. */
export interface ClaimedDeposit {
  id: number;
  user_id: number;
  amount: number;
  currency: string;
  status: string;
  provider: string;
  /** How often it was credited; the last credit is `deposit:{id}:{entries}`. */
  entries: number;
}

/** A movement of a dispute. `direction`: it is the student's, and listed among the payments. */
interface Movement extends Omit<Posting, 'reference'> {
  direction?: PaymentRow['direction'];
}

/** The student's account after the movements; none when they do not touch it. */
function accountAfter(account: Account, movements: Movement[]): Account[] {
  const { user_id: user } = account;
  const change = movements.reduce(
    (sum, { debit, credit, amount }) => sum + (credit === user ? amount : 0) - (debit === user ? amount : 0),
    0,
  );
  return change === 0 ? [] : [{ ...account, balance: account.balance + change }];
}

/** Posts movements of a dispute of a locked account, with their payments; returns the new number of entries. */
async function move(tx: Tx, currency: string, dispute: DisputeRow, movements: Movement[]): Promise<number> {
  const { id, user_id, provider_ref: ref, entries } = dispute;
  const account = (await lockAccounts(tx, [user_id])).get(user_id) as Account;
  const moved = movements.filter(({ amount }) => amount > 0);
  const referenceOf = (index: number) => `dispute:${id}:${entries + index + 1}`;
  await save(tx, currency, {
    accounts: accountAfter(account, moved),
    postings: moved.map(({ direction: _, ...posting }, index) => ({ ...posting, reference: referenceOf(index) })),
  });
  for (const [index, { direction, amount }] of moved.entries())
    if (direction)
      await insertRefundPayment(tx, {
        ...{ source: referenceOf(index), user_id, direction, amount, currency, ref },
        details: direction === 'in' ? records.disputeReturned : records.disputeTaken,
      });
  return entries + moved.length;
}

/** The account that the last credit of the deposit went to: the student's, or `unclaimed`. */
const creditedAccount = (tx: Tx, { id, entries }: ClaimedDeposit) =>
  creditedBy(tx, 'deposit', `deposit:${id}:${entries}`);

/**
 * The provider takes the amount: what the student has available goes to its clearing account, the rest is the
 * platform's loss and is owed. A closed account owes nothing; of a deposit that went to `unclaimed` at most its rest is
 * there.
 */
export async function takeBack(tx: Tx, currency: string, dispute: DisputeRow, deposit: ClaimedDeposit): Promise<void> {
  const { id, user_id: user, amount } = dispute;
  const account = (await lockAccounts(tx, [user])).get(user) as Account;
  const standing = await accountStanding(tx, user);
  assertThat(standing !== 'closing', accountClosing);
  const payee = await creditedAccount(tx, deposit);
  const available = payee === user ? availableOf(account) : deposit.amount - (await takenOf(tx, deposit.id));
  const { taken, lost } = splitTaking(amount, available);
  const credit = clearingAccount(deposit.provider);
  const entries = await move(tx, currency, dispute, [
    { kind: 'deposit_reversal', debit: payee, credit, amount: taken, direction: 'out' },
    { kind: 'deposit_reversal', debit: SYSTEM_ACCOUNTS.losses, credit, amount: lost },
  ]);
  const isClosed = standing === 'closed';
  await insertStep(tx, id, 'taken');
  await updateDispute(tx, id, { taken, owed: isClosed ? 0 : lost, written_off: isClosed ? lost : 0, entries }, [
    'taken_at',
  ]);
}

/** The provider gives the amount back: first to the platform what nobody has paid, the rest to the student. */
export async function giveBack(tx: Tx, currency: string, dispute: DisputeRow, deposit: ClaimedDeposit): Promise<void> {
  const { id, user_id: user } = dispute;
  const { toPlatform, toStudent } = splitReturn(dispute);
  const credited = await creditedAccount(tx, deposit);
  const payee = credited === user ? await payeeOf(tx, user) : credited;
  const debit = clearingAccount(deposit.provider);
  const entries = await move(tx, currency, dispute, [
    { kind: 'deposit', debit, credit: SYSTEM_ACCOUNTS.losses, amount: toPlatform },
    { kind: 'deposit', debit, credit: payee, amount: toStudent, direction: 'in' },
  ]);
  await insertStep(tx, id, 'returned');
  await updateDispute(tx, id, { owed: 0, entries }, ['returned_at']);
}

/** Pays the debts of a user, oldest first, with at most `amount` of the available money. */
export async function recoverDebts(tx: Tx, currency: string, user: number, amount: number): Promise<void> {
  const account = (await lockAccounts(tx, [user])).get(user) as Account;
  const debts = await findDebts(tx, user);
  for (const { debt, part } of splitRecovery(debts, Math.min(amount, availableOf(account)))) {
    const entries = await move(tx, currency, debt, [
      { kind: 'forfeit', debit: user, credit: SYSTEM_ACCOUNTS.losses, amount: part, direction: 'out' },
    ]);
    await insertStep(tx, debt.id, 'recovered');
    await updateDispute(tx, debt.id, { owed: debt.owed - part, recovered: debt.recovered + part, entries });
  }
}
