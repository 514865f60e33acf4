import { rows, type Tx } from '@tutoring/shared/kit/database/sql';
import { withdrawalNotFound } from '../errors.ts';
import { createRecordStore } from '../records/record-store.ts';
import type { Kind } from '../records/record-service.ts';
import {
  adminWithdrawal,
  adminWithdrawalSchema,
  publicWithdrawal,
  withdrawalList,
  withdrawalSchema,
} from './withdrawal.ts';
import type { WithdrawalRow } from './withdrawal.ts';

const COLUMNS =
  'id, user_id, amount, currency, status, method, account, ref, details, created_at, updated_at, ' +
  'holds, entries, version, claimer_id, claimer_name, claimed_at, decider_id, decider_name, decided_at';

export const withdrawalStore = createRecordStore<WithdrawalRow>('withdrawal', COLUMNS);

export const withdrawalKind: Kind<WithdrawalRow> = {
  noun: 'withdrawal',
  notFound: withdrawalNotFound,
  store: withdrawalStore,
  show: publicWithdrawal,
  schema: withdrawalSchema,
  showToAdmin: adminWithdrawal,
  adminSchema: adminWithdrawalSchema,
  listBody: withdrawalList,
};

/** Erases the payout accounts of a deleted user; returns the changed withdrawals. */
export const erasePayoutAccounts = (tx: Tx, userId: number) =>
  rows<WithdrawalRow>(
    tx,
    `update withdrawal set account = null, version = version + 1 where user_id = $1 and account is not null
     returning ${COLUMNS}`,
    [userId],
  );
