import type { Tx } from './open.ts';
import { row, rows } from './sql.ts';

/** Rows that one step of a backlog counts. */
const COUNTED_AT_ONCE = 10_000;

/**
 * Rows that were there before their counter (migration `tally`); triggers ask `tally_has(name, id)` whether a row is in.
 * `last` selects the key of the last of the next $2 rows after the key $1, up to $3, as text, null without any; `add` adds
 * the rows after $1 up to $2 to the counters.
 */
export interface Backlog {
  name: string;
  last: string;
  add: string;
}

/** The backlog of a table whose key is `id`; `add` as in Backlog. */
export const backlogOf = (table: string, add: string): Backlog => ({
  name: table,
  last: `select max(id)::text as last from (
    select id from ${table} where id > $1::bigint and id <= $3::bigint order by id limit $2::int) next
    having count(*) = $2::int`,
  add,
});

/** SQL condition: the row of `table` is in its backlog, and not counted so far. */
export const inBacklogOf = (table: string) => `id > (select after::bigint from tally_backlog where name = '${table}')
  and id <= (select until::bigint from tally_backlog where name = '${table}')`;

/** Takes the next rows into their counters; true when there may be more. */
export async function countBacklog(tx: Tx, { name, last, add }: Backlog, step = COUNTED_AT_ONCE): Promise<boolean> {
  const backlog = await row<{ after: string; until: string }>(
    tx,
    'select after, until from tally_backlog where name = $1 and after <> until for update skip locked',
    [name],
  );
  if (!backlog) return false;
  // Read after the lock: whoever changes a row that is not counted has ended.
  const next = (await row<{ last: string | null }>(tx, last, [backlog.after, step, backlog.until]))?.last;
  const upTo = next ?? backlog.until;
  await rows(tx, add, [backlog.after, upTo]);
  await rows(tx, 'update tally_backlog set after = $2 where name = $1', [name, upTo]);
  return upTo !== backlog.until;
}
