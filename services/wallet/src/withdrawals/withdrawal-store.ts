import { rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
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
  'holds, entries, version, claimer_id, claimer_name, claimed_at, decider_id, decider_name, decided_at, ' +
  'payout_account_id, account_kind, holder_name';

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
    `update withdrawal set account = null, holder_name = null, version = version + 1 where user_id = $1 and account is not null
     returning ${COLUMNS}`,
    [userId],
  );

/** The open batch of payouts that holds a withdrawal. While the withdrawal is locked, none begins and none ends. */
export const openBatchOf = (reader: Reader, id: number) =>
  value<number | undefined>(
    reader,
    `select batch_id from payout_item where withdrawal_id = $1 and status in ('waiting', 'sent', 'uncertain')`,
    [id],
  );

/** Withdrawals, without a lock. */
export const findWithdrawals = (reader: Reader, ids: number[]) =>
  rows<WithdrawalRow>(reader, `select ${COLUMNS} from withdrawal where id = any($1::bigint[])`, [ids]);

/** Locks withdrawals in the order of their ids. */
export const lockWithdrawals = (tx: Tx, ids: number[]) =>
  rows<WithdrawalRow>(
    tx,
    `select ${COLUMNS} from withdrawal where id = any($1::bigint[]) order by id for no key update`,
    [ids],
  );

/**
 * Claims locked withdrawals for an administrator, without what was said about an earlier payout; or, without one, gives
 * them back to the list.
 */
export const claimWithdrawals = (tx: Tx, ids: number[], admin?: { id: number; name: string }) =>
  rows<WithdrawalRow>(
    tx,
    `update withdrawal set status = case when $2::bigint is null then 'initiated' else 'pending' end,
       claimer_id = $2, claimer_name = $3::text, claimed_at = case when $2 is null then null else n.at end,
       ref = case when $2 is null then ref end, details = case when $2 is null then details end,
       decider_id = null, decider_name = null, decided_at = null, version = version + 1, updated_at = n.at
     from (select app_now() as at) n where id = any($1::bigint[])
     returning ${COLUMNS}`,
    [ids, admin?.id ?? null, admin?.name ?? null],
  );
