import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { createMoneyList } from '../records/list-store.ts';
import type { Change } from '../records/record.ts';
import { createRecordStore } from '../records/record-store.ts';
import type { DepositRow } from './deposit.ts';

const PUBLIC = 'id, user_id, amount, currency, status, method, ref, details, created_at, updated_at';
const COLUMNS = `${PUBLIC}, provider, provider_ref, entries, paid_at, version`;

export const depositStore = createRecordStore<DepositRow>('deposit', COLUMNS);

export const createDepositList = () => createMoneyList({ table: 'deposit', columns: PUBLIC });

export async function insertDeposit(
  tx: Tx,
  deposit: { userId: number; amount: number; currency: string; method: string | undefined; provider: string },
): Promise<DepositRow> {
  const inserted = await row<DepositRow>(
    tx,
    `insert into deposit (user_id, amount, currency, status, method, provider)
     values ($1, $2, $3, 'initiated', $4, $5) returning ${COLUMNS}`,
    [deposit.userId, deposit.amount, deposit.currency, deposit.method ?? null, deposit.provider],
  );
  return inserted as DepositRow;
}

/** Ids of deposits that were not paid in time, locked; skips locked ones. */
export async function lockUnpaid(tx: Tx, limit: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx,
    `select id from deposit
     where status in ('initiated', 'pending') and created_at < (select app_now()) - interval '24 hours'
     order by created_at limit $1 for no key update skip locked`,
    [limit],
  );
  return found.map(({ id }) => id);
}

export type DepositChange = Change<
  Pick<DepositRow, 'status' | 'details' | 'ref' | 'provider_ref' | 'entries'> & { paid: boolean }
>;

/** Writes the fields of `change`, and the next version. */
export async function updateDeposit(tx: Tx, id: number, change: DepositChange): Promise<DepositRow> {
  const { status = null, details = null, ref = null, provider_ref = null, entries = null, paid = false } = change;
  const updated = await row<DepositRow>(
    tx,
    `update deposit set status = coalesce($2, status), details = coalesce($3, details), ref = coalesce($4, ref),
       provider_ref = coalesce($5, provider_ref), entries = coalesce($6, entries),
       paid_at = case when $7 then coalesce(paid_at, app_now()) else paid_at end,
       version = version + 1, updated_at = app_now()
     where id = $1 returning ${COLUMNS}`,
    [id, status, details, ref, provider_ref, entries, paid],
  );
  return updated as DepositRow;
}
