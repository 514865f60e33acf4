import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { STATUSES, type Status } from '../records/record.ts';

export interface StatusTotals {
  count: number;
  /** Of those in success. */
  amount: number;
  by_status: Record<Status, number>;
}

export async function statusTotals(tx: Tx, table: 'deposit' | 'withdrawal'): Promise<StatusTotals> {
  const found = await rows<{ status: Status; count: number; amount: number }>(
    tx,
    `select status, count(*) as count, sum(amount) as amount from ${table} group by status`,
  );
  const by_status = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status, count } of found) by_status[status] = count;
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    amount: found.find(({ status }) => status === 'success')?.amount ?? 0,
    by_status,
  };
}

/** `revenue`: everything charged for calls, before refunds; `commission`: what the platform has kept of it. */
export async function revenueTotals(tx: Tx): Promise<{ revenue: number; commission: number }> {
  const totals = await row<{ revenue: number; commission: number }>(
    tx,
    `with counted as (
       select kind, amount from ledger_total
       union all
       select kind, amount from transfer where id > (select counted_to from ledger_mark)
     )
     select coalesce(sum(amount) filter (where kind = 'call'), 0) as revenue,
       coalesce(sum(case kind when 'commission' then amount when 'commission_refund' then -amount end), 0) as commission
     from counted`,
  );
  return totals ?? { revenue: 0, commission: 0 };
}

const COUNTED_AT_ONCE = 50_000;

/** Takes settled transfers into the totals, at most so many ids; true when there are more. */
export async function countLedger(tx: Tx, step = COUNTED_AT_ONCE): Promise<boolean> {
  const counted = await row<{ left: boolean }>(tx, 'select count_ledger($1) as left', [step]);
  return counted?.left === true;
}
