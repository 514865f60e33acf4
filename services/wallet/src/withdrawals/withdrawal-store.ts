import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { Actor } from '@tutoring/shared/events/publish/admin-action';
import { createMoneyList } from '../records/list-store.ts';
import type { Change } from '../records/record.ts';
import { createRecordStore } from '../records/record-store.ts';
import type { WithdrawalRow } from './withdrawal.ts';

const COLUMNS =
  'id, user_id, amount, currency, status, method, account, ref, details, created_at, updated_at, ' +
  'holds, entries, version, claimer_id, claimer_name, claimed_at';

export const withdrawalStore = createRecordStore<WithdrawalRow>('withdrawal', COLUMNS);

export const createWithdrawalList = () => createMoneyList({ table: 'withdrawal', columns: COLUMNS });

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

/** Writes the fields of `change`, the administrator who claims it, and the next version. */
export async function updateWithdrawal(
  tx: Tx,
  id: number,
  change: Change<Pick<WithdrawalRow, 'status' | 'details' | 'ref' | 'holds' | 'entries'>>,
  claimer?: Actor,
): Promise<WithdrawalRow> {
  const { status = null, details = null, ref = null, holds = null, entries = null } = change;
  const updated = await row<WithdrawalRow>(
    tx,
    `update withdrawal set status = coalesce($2, status), details = coalesce($3, details), ref = coalesce($4, ref),
       holds = coalesce($5, holds), entries = coalesce($6, entries),
       claimer_id = coalesce($7, claimer_id), claimer_name = coalesce($8, claimer_name),
       claimed_at = case when $7::bigint is null then claimed_at else app_now() end,
       version = version + 1, updated_at = app_now()
     where id = $1 returning ${COLUMNS}`,
    [id, status, details, ref, holds, entries, claimer?.id ?? null, claimer?.name ?? null],
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
