import type { Reader } from '@tutoring/shared/database/open';
import type { Snapshots } from '@tutoring/shared/events/operate/resync';
import { publicDeposit } from './deposits/deposit.ts';
import { depositStore } from './deposits/deposit-store.ts';
import { allBalances } from './ledger/statement-store.ts';
import { allRefunds } from './refunds/refund-store.ts';
import { publicWithdrawal } from './withdrawals/withdrawal.ts';
import { withdrawalStore } from './withdrawals/withdrawal-store.ts';

/** This service's snapshots, for `events resync`. */
export const snapshots = (currency: string): Snapshots => ({
  'balance.changed': (reader) => allBalances(reader, currency),
  'refunds.changed': allRefunds,
  'deposit.changed': async function* (reader: Reader) {
    for await (const deposit of depositStore.all(reader)) yield { ...publicDeposit(deposit), version: deposit.version };
  },
  'withdrawal.changed': async function* (reader: Reader) {
    for await (const withdrawal of withdrawalStore.all(reader))
      yield { ...publicWithdrawal(withdrawal), version: withdrawal.version };
  },
});
