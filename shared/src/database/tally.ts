import type { Tx } from './open.ts';
import { row, rows } from './sql.ts';

/** Rows that one step of a backlog counts. */
const COUNTED_AT_ONCE = 10_000;

/**
 * Rows that were there before their counter (migration `tally`); triggers ask `tally_has(name, id)` whether a row is in. `last` selects the key of the last of the next $2 rows
 * after the key $1, as text, null without any; `add` adds the rows after $1 up to $2 to the counters.
 */
export interface Backlog {
  name: string;
  last: string;
  add: string;
}

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
