import type { Tx } from '@tutoring/shared/database/open';
import type { Snapshots } from '@tutoring/shared/events/resync';
import { publicDeposit } from './deposits/deposit.ts';
import { allDeposits } from './deposits/deposit-store.ts';
import { allHolds } from './holds/hold-store.ts';
import { allBalances } from './ledger/ledger-store.ts';
import { publicWithdrawal } from './withdrawals/withdrawal.ts';
import { allWithdrawals } from './withdrawals/withdrawal-store.ts';

/** The nouns of this service, for `events resync`. */
export const snapshots = (currency: string): Snapshots => ({
  'balance.changed': (tx) => allBalances(tx, currency),
  'hold.changed': allHolds,
  'deposit.changed': async function* (tx: Tx) {
    for await (const deposit of allDeposits(tx)) yield { ...publicDeposit(deposit), version: deposit.version };
  },
  'withdrawal.changed': async function* (tx: Tx) {
    for await (const withdrawal of allWithdrawals(tx))
      yield { ...publicWithdrawal(withdrawal), version: withdrawal.version };
  },
});
