import type { Reader, Tx } from '@tutoring/shared/database/open';
import { inPages } from '@tutoring/shared/database/pages';
import { row, rows } from '@tutoring/shared/database/sql';
import { createMoneyList } from '../records/list-store.ts';
import type { WithdrawalRow } from './withdrawal.ts';

const PUBLIC = 'id, user_id, amount, currency, status, method, account, ref, details, created_at, updated_at';
const COLUMNS = `${PUBLIC}, holds, entries, version`;

export const createWithdrawalList = () => createMoneyList({ table: 'withdrawal', columns: PUBLIC });

export async function insertWithdrawal(
  tx: Tx,
  withdrawal: { userId: number; amount: number; currency: string; method: string; account: string },
): Promise<WithdrawalRow> {
  const inserted = await row<WithdrawalRow>(
    tx,
    `insert into withdrawal (user_id, amount, currency, status, method, account, holds)
     values ($1, $2, $3, 'initiated', $4, $5, 1) returning ${COLUMNS}`,
    [withdrawal.userId, withdrawal.amount, withdrawal.currency, withdrawal.method, withdrawal.account],
  );
  return inserted as WithdrawalRow;
}

export const findWithdrawal = (reader: Reader, id: number) =>
  row<WithdrawalRow>(reader, `select ${COLUMNS} from withdrawal where id = $1`, [id]);

export const findWithdrawalOf = (reader: Reader, id: number, userId: number) =>
  row<WithdrawalRow>(reader, `select ${COLUMNS} from withdrawal where id = $1 and user_id = $2`, [id, userId]);

/** Locked until `tx` ends. */
export const lockWithdrawal = (tx: Tx, id: number) =>
  row<WithdrawalRow>(tx, `select ${COLUMNS} from withdrawal where id = $1 for no key update`, [id]);

/** The same, if it is that user's. */
export const lockWithdrawalOf = (tx: Tx, id: number, userId: number) =>
  row<WithdrawalRow>(tx, `select ${COLUMNS} from withdrawal where id = $1 and user_id = $2 for no key update`, [
    id,
    userId,
  ]);

export function listWithdrawalsOf(
  reader: Reader,
  userId: number,
  { before, limit }: { before: number; limit: number },
) {
  return rows<WithdrawalRow>(
    reader,
    `select ${COLUMNS} from withdrawal where user_id = $1 and id < $2 order by id desc limit $3`,
    [userId, before, limit],
  );
}

/** Writes the fields of `change`, and the next version. */
export async function updateWithdrawal(
  tx: Tx,
  id: number,
  change: Partial<Pick<WithdrawalRow, 'status' | 'details' | 'ref' | 'holds' | 'entries'>>,
): Promise<WithdrawalRow> {
  const { status = null, details = null, ref = null, holds = null, entries = null } = change;
  const updated = await row<WithdrawalRow>(
    tx,
    `update withdrawal set status = coalesce($2, status), details = coalesce($3, details), ref = coalesce($4, ref),
       holds = coalesce($5, holds), entries = coalesce($6, entries), version = version + 1, updated_at = app_now()
     where id = $1 returning ${COLUMNS}`,
    [id, status, details, ref, holds, entries],
  );
  return updated as WithdrawalRow;
}

/** Removes the payout accounts of a deleted user from the withdrawals; returns the changed ones. */
export function forgetAccounts(tx: Tx, userId: number): Promise<WithdrawalRow[]> {
  return rows<WithdrawalRow>(
    tx,
    `update withdrawal set account = null, version = version + 1 where user_id = $1 and account is not null
     returning ${COLUMNS}`,
    [userId],
  );
}

export async function countOpenWithdrawals(reader: Reader, userId: number): Promise<number> {
  const counted = await row<{ open: number }>(
    reader,
    `select count(*) as open from withdrawal where user_id = $1 and status in ('initiated', 'pending')`,
    [userId],
  );
  return counted?.open ?? 0;
}

/** Every withdrawal, in pages by id, for `events resync`. */
export const allWithdrawals = (reader: Reader) =>
  inPages<WithdrawalRow>(reader, `select ${COLUMNS} from withdrawal where id > $1 order by id limit $2`, 'id', 0);
