import { exists, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';

const COUNT_EXPORT = `insert into export_count as known (account_id, day, exports) values ($1, app_now()::date, 1)
  on conflict (account_id) do update set day = excluded.day,
    exports = case when known.day = excluded.day then known.exports + 1 else 1 end
  where known.day <> excluded.day or known.exports < $2 returning 1`;

/** Counts an export of today; false when `limit` is reached. */
export const countExport = (tx: Tx, accountId: number, limit: number): Promise<boolean> =>
  exists(tx, COUNT_EXPORT, [accountId, limit]);

const UNCOUNT_EXPORT =
  'update export_count set exports = exports - 1 where account_id = $1 and day = app_now()::date and exports > 0';

/** Takes back the count of an export that failed. */
export const uncountExport = (tx: Tx, accountId: number) => rows(tx, UNCOUNT_EXPORT, [accountId]);

const SECONDS_LEFT_TODAY = `select ceil(extract(epoch from n.at::date + 1 - n.at))::int as left
  from (select app_now()::timestamp as at) n`;

/** Seconds until the next UTC day. */
export const secondsLeftToday = (reader: Reader): Promise<number> => value<number>(reader, SECONDS_LEFT_TODAY);
