import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { AppError } from '../errors.ts';
import { texts } from '../texts.ts';
import type { Reader } from './open.ts';
import { row, rows } from './sql.ts';

/** Above this count, `total` may be up to a minute old. */
const EXACT_UP_TO = 100_000;
const COUNT_AGE_MS = 60_000;
const KEPT_COUNTS = 500;
const FEW = 10_000;
/** Searches across all users: how many run at once, whatever the size of the pool, and how many more may wait. */
const SEARCHES_AT_ONCE = 2;
const SEARCHES_WAITING = 10;

/** The rows of a list. `where` knows the table as `t`; `searches`: by text, among the rows of one user or of all. */
export interface Wanted {
  where: string;
  values: unknown[];
  searches: 'none' | 'one' | 'all';
}

const searches = bulkhead(SEARCHES_AT_ONCE, SEARCHES_WAITING);

/** Throws unavailable when too many are waiting. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  searches.execute(work).catch((error: unknown) => {
    throw error instanceof BulkheadRejectedError
      ? new AppError('unavailable', texts.searchesBusy, { retryAfter: 1 })
      : error;
  });

/** Pages of a large table with their total number, newest first. */
export function createListing({ table, columns }: { table: string; columns: string }) {
  const counts = new Map<string, { total: number; at: number }>();

  async function count(reader: Reader, { where, values }: Wanted): Promise<number> {
    const key = JSON.stringify([where, values]);
    const known = counts.get(key);
    if (known && Date.now() - known.at < COUNT_AGE_MS) return known.total;
    const counted = await row<{ total: number }>(reader, `select count(*) as total from ${table} t ${where}`, values);
    const total = counted?.total ?? 0;
    counts.delete(key);
    if (total > EXACT_UP_TO) counts.set(key, { total, at: Date.now() });
    if (counts.size > KEPT_COUNTS) counts.delete(counts.keys().next().value as string);
    return total;
  }

  async function page<Item>(reader: Reader, wanted: Wanted, window: { limit: number; offset: number }) {
    const { where, values } = wanted;
    const total = await count(reader, wanted);
    // Few matches: use the text's index. OFFSET 0 keeps the planner from walking all rows in the wanted order.
    const few = wanted.searches !== 'none' && total <= FEW;
    const items = await rows<Item>(
      reader,
      `select ${columns} from ${few ? `(select * from ${table} t ${where} offset 0) t` : `${table} t ${where}`}
       order by t.id desc limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, window.limit, window.offset],
    );
    return { items, total };
  }

  return <Item>(reader: Reader, wanted: Wanted, window: { limit: number; offset: number }) =>
    wanted.searches === 'all' ? inTurn(() => page<Item>(reader, wanted, window)) : page<Item>(reader, wanted, window);
}
