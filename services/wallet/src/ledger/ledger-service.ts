import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { publish } from '@tutoring/shared/contract/publish';
import { accountClosing } from '../errors.ts';
import { accountsAfter, balanceEvents, nextVersion, SYSTEM_ACCOUNTS, type Accounts, type Posting } from './account.ts';
import { accountStanding, lockAccounts, saveLedger, type LedgerChange } from './ledger-store.ts';

/** Writes the next version of locked accounts and holds, writes the postings, and publishes the balances. */
export async function save(tx: Tx, currency: string, { accounts, holds = [], postings }: LedgerChange): Promise<void> {
  const changed = accounts.map(nextVersion);
  await saveLedger(tx, { accounts: changed, holds: holds.map(nextVersion), postings }, currency);
  publish(
    tx,
    changed.flatMap((account) => balanceEvents(account, currency)),
  );
}

/**
 * Posts a transfer and publishes the balances. Locks the accounts unless the caller passes them as `locked`. Throws
 * conflict when the debited user does not have the amount available.
 */
export async function post(tx: Tx, currency: string, posting: Posting, locked?: Accounts): Promise<void> {
  const accounts = locked ?? (await lockAccounts(tx, [posting.debit, posting.credit]));
  await save(tx, currency, { accounts: accountsAfter(posting, accounts), postings: [posting] });
}

/**
 * The account to credit with a user's money from a provider; call with the user's account locked. Throws unavailable
 * while it is closing.
 */
export async function payeeOf(tx: Tx, user: number): Promise<number> {
  const standing = await accountStanding(tx, user);
  assertThat(standing !== 'closing', accountClosing);
  return standing === 'closed' ? SYSTEM_ACCOUNTS.unclaimed : user;
}
