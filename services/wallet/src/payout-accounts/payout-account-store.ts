import { exists, requiredRow, row, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { AccountParts, PayoutAccountRow } from './payout-account.ts';

const COLUMNS = 'id, user_id, method, kind, account, holder_name, usable_at, last_used_at, created_at';
const SELECT = `select ${COLUMNS} from payout_account`;

/** A person's accounts, newest first. */
export const listAccounts = (
  reader: Reader,
  userId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
) =>
  rows<PayoutAccountRow>(reader, `${SELECT} where user_id = $1 and id < $2 order by id desc limit $3`, [
    userId,
    before,
    limit,
  ]);

export const countAccounts = (reader: Reader, userId: number) =>
  value<number>(reader, 'select count(*) as accounts from payout_account where user_id = $1', [userId]);

/** The account with the same method, number and holder. */
export const findSame = (reader: Reader, { user_id, method, account, holder_name }: AccountParts) =>
  row<PayoutAccountRow>(reader, `${SELECT} where user_id = $1 and method = $2 and account = $3 and holder_name = $4`, [
    user_id,
    method,
    account,
    holder_name,
  ]);

/** Violates payout_account_same when another transaction has added the same one first. */
export const insertAccount = (
  tx: Tx,
  { user_id, method, kind, account, holder_name }: AccountParts,
  holdHours: number,
): Promise<PayoutAccountRow> =>
  requiredRow(
    tx,
    `insert into payout_account (user_id, method, kind, account, holder_name, usable_at, created_at, updated_at)
     select $1, $2, $3, $4, $5, n.at + make_interval(hours => $6), n.at, n.at from (select app_now() as at) n
     returning ${COLUMNS}`,
    [user_id, method, kind, account, holder_name, holdHours],
  );

/** Locked until `tx` ends. */
export const lockOwnAccount = (tx: Tx, id: number, userId: number) =>
  row<PayoutAccountRow & { is_usable: boolean }>(
    tx,
    `select ${COLUMNS}, usable_at <= app_now() as is_usable from payout_account
     where id = $1 and user_id = $2 for update`,
    [id, userId],
  );

export const markUsed = (tx: Tx, id: number) =>
  rows(tx, 'update payout_account set last_used_at = app_now(), updated_at = app_now() where id = $1', [id]);

export const hasOpenWithdrawal = (reader: Reader, id: number) =>
  exists(reader, `select from withdrawal where payout_account_id = $1 and status in ('initiated', 'pending')`, [id]);

export const removeAccount = (tx: Tx, id: number) => rows(tx, 'delete from payout_account where id = $1', [id]);

export const removeAccountsOf = (tx: Tx, userId: number) =>
  rows(tx, 'delete from payout_account where user_id = $1', [userId]);
