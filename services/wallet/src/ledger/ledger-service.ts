import type { Tx } from '@tutoring/shared/database/open';
import { publishInOrder } from '@tutoring/shared/events/publish/outbox';
import { accountsAfter, balanceEvents, nextVersion, type Account, type Posting } from './account.ts';
import { lockAccounts, saveLedger } from './ledger-store.ts';

/** `currency`: what the events name. */
export function createLedger(currency: string) {
  return {
    currency,

    /**
     * Posts a transfer and publishes the balances; locks the accounts unless they are given, locked. Throws conflict
     * when the debited user lacks the available money.
     */
    async post(tx: Tx, posting: Posting, locked?: ReadonlyMap<number, Account>): Promise<void> {
      const accounts = locked ?? (await lockAccounts(tx, [posting.debit, posting.credit]));
      const changed = accountsAfter(posting, accounts).map(nextVersion);
      await saveLedger(tx, { accounts: changed, postings: [posting] }, currency);
      await publishInOrder(
        tx,
        changed.flatMap((account) => balanceEvents(account, currency)),
      );
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
