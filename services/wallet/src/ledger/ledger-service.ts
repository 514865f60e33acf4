import type { Tx } from '@tutoring/shared/database/open';
import { publishInOrder } from '@tutoring/shared/events/publish/outbox';
import { accountsAfter, balanceEvents, nextVersion, type Account, type Posting } from './account.ts';
import { lockAccounts, saveLedger, type LedgerChange } from './ledger-store.ts';

/** `currency`: what the events name. */
export function createLedger(currency: string) {
  /** Writes the next version of locked accounts and holds, and the postings; publishes the balances. */
  async function save(tx: Tx, { accounts, holds = [], postings }: LedgerChange): Promise<void> {
    const changed = accounts.map(nextVersion);
    await saveLedger(tx, { accounts: changed, holds: holds.map(nextVersion), postings }, currency);
    await publishInOrder(
      tx,
      changed.flatMap((account) => balanceEvents(account, currency)),
    );
  }

  return {
    currency,
    save,

    /**
     * Posts a transfer and publishes the balances; locks the accounts unless they are given, locked. Throws conflict
     * when the debited user lacks the available money.
     */
    async post(tx: Tx, posting: Posting, locked?: ReadonlyMap<number, Account>): Promise<void> {
      const accounts = locked ?? (await lockAccounts(tx, [posting.debit, posting.credit]));
      await save(tx, { accounts: accountsAfter(posting, accounts), postings: [posting] });
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
