import { requiredRow, row, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';
import { STATUSES, type Status } from '../records/record.ts';

/** Totals of a table by status. `amount` is the sum of the records in success. */
export async function statusTotals(reader: Reader, table: 'deposit' | 'withdrawal') {
  const found = await rows<{ status: Status; count: number; amount: number }>(
    reader,
    `select status, sum(rows) as count, sum(amount) as amount from ${table}_tally group by status`,
  );
  const by_status = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status, count } of found) by_status[status] = count;
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    amount: found.find(({ status }) => status === 'success')?.amount ?? 0,
    by_status,
  };
}

/** `revenue`: all charges of calls, before refunds; `commission`: the platform's part, after refunds. */
export const revenueTotals = (reader: Reader) =>
  requiredRow<{ revenue: number; commission: number }>(
    reader,
    `with counted as (
       select kind, amount from ledger_day
       union all
       select kind, amount from transfer where id > (select counted_to from ledger_day_mark)
     )
     select coalesce(sum(amount) filter (where kind = 'call'), 0) as revenue,
       coalesce(sum(case kind when 'commission' then amount when 'commission_refund' then -amount end), 0) as commission
     from counted`,
  );

/** Sums per UTC day, without days that have no movement. A reversal counts on the day of the reversal. */
export const ledgerDays = (reader: Reader, { from, to }: { from: string; to: string }) =>
  rows<CommandAnswer<'wallet-days.read'>[number]>(
    reader,
    `with moved as (
       select day, kind, amount from ledger_day where day between $1::date and $2::date
       union all
       select (created_at at time zone 'UTC')::date, kind, amount from transfer
       where id > (select counted_to from ledger_day_mark) and created_at >= $1::date and created_at < $2::date + 1
     )
     select day::text as date,
       coalesce(sum(case kind when 'deposit' then amount when 'deposit_reversal' then -amount end), 0) as deposits,
       coalesce(sum(case kind when 'withdrawal' then amount when 'withdrawal_reversal' then -amount end), 0) as withdrawals,
       coalesce(sum(amount) filter (where kind = 'call'), 0) as charged,
       coalesce(sum(case kind when 'commission' then amount when 'commission_refund' then -amount end), 0) as commission,
       coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded
     from moved group by day order by day`,
    [from, to],
  );

const COUNTED_AT_ONCE = 50_000;

/**
 * Adds settled transfers to the daily sums, at most `step` ids; true when there are more. Ids are assigned before the
 * commit, so a lower id may become visible after a higher one; a transaction gets its xid before its transfers get ids.
 */
export async function countLedger(tx: Tx, step = COUNTED_AT_ONCE): Promise<boolean> {
  // Read before the lock assigns this transaction its xid: the writer of any lower id then has a lower xid.
  const newest = await value<number>(tx, 'select coalesce(max(id), 0) from transfer');
  // `settled`: all transactions before `next_xid` have ended, so no further id up to `next_to` can appear.
  const mark = await row<{ counted_to: number; next_to: number; settled: boolean }>(
    tx,
    `select counted_to, next_to, pg_snapshot_xmin(pg_current_snapshot()) > next_xid as settled
     from ledger_day_mark for update skip locked`,
  );
  if (!mark) return false;
  if (mark.settled && mark.next_to > mark.counted_to) {
    const upTo = Math.min(mark.next_to, mark.counted_to + step);
    await rows(
      tx,
      `insert into ledger_day as known (day, kind, count, amount, first_id, last_id)
       select (created_at at time zone 'UTC')::date, kind, count(*), sum(amount), min(id), max(id)
       from transfer where id > $1 and id <= $2 group by 1, 2
       on conflict (day, kind) do update set count = known.count + excluded.count,
         amount = known.amount + excluded.amount, first_id = least(known.first_id, excluded.first_id),
         last_id = greatest(known.last_id, excluded.last_id)`,
      [mark.counted_to, upTo],
    );
    await rows(tx, 'update ledger_day_mark set counted_to = $1', [upTo]);
    // Some ids up to `next_to` are not counted yet: keep the mark.
    if (upTo < mark.next_to) return true;
  }
  await rows(tx, 'update ledger_day_mark set next_xid = pg_current_xact_id(), next_to = greatest(next_to, $1)', [
    newest,
  ]);
  return false;
}

/** Age in seconds of the oldest open record, 0 without one. A reopened deposit that was paid does not count. */
export const oldestOpen = async (reader: Reader, table: 'deposit' | 'withdrawal') =>
  (await value<number | null>(
    reader,
    `select extract(epoch from app_now() - min(created_at))::float8 from ${table}
     where status in ('initiated', 'pending') ${table === 'deposit' ? 'and paid_at is null' : ''}`,
  )) ?? 0;

export interface PayoutFigures {
  uncertain: number;
  uncertain_age: number;
  exported: number;
  exported_age: number;
  breaks: number;
}

/** Open payouts and breaks. Reads only the rows that are open. */
export const payoutFigures = (reader: Reader) =>
  requiredRow<PayoutFigures>(
    reader,
    `select u.*, e.*, (select count(*) from break where status = 'open') as breaks
     from (select count(*) as uncertain, coalesce(extract(epoch from app_now() - min(updated_at)), 0)::float8 as uncertain_age
         from payout_item where status = 'uncertain') u,
       (select count(*) as exported, coalesce(extract(epoch from app_now() - min(exported_at)), 0)::float8 as exported_age
         from payout_batch where status = 'exported') e`,
  );
