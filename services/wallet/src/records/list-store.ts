import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import type { Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { pageWindow } from '@tutoring/shared/http/page';
import { searchesBusy } from '../errors.ts';
import type { ListBody } from './record.ts';

/** Above this count, `total` may be up to a minute old. */
const EXACT_UP_TO = 100_000;
const COUNT_AGE_MS = 60_000;
const KEPT_COUNTS = 500;
const FEW = 10_000;
/** Searches across all users: how many run at once, whatever the size of the pool, and how many more may wait. */
const SEARCHES_AT_ONCE = 2;
const SEARCHES_WAITING = 10;

interface Listing {
  table: 'deposit' | 'withdrawal' | 'payment';
  columns: string;
}

const SEARCHED = `fold(coalesce(t.ref, '') || ' ' || coalesce(t.details, '') || ' ' || coalesce(t.method, ''))`;

/** `type` and `direction` are those of payments. */
type Filter = ListBody & { type?: string | undefined; direction?: string | undefined };

/** The conditions of a list as SQL, with the values of its parameters. */
function conditions(filter: Filter): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const parts: string[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const user = filter.user_id === undefined ? undefined : value(filter.user_id);
  if (user !== undefined) parts.push(`t.user_id = ${user}`);
  if (filter.type !== undefined) parts.push(`t.type = ${value(filter.type)}`);
  if (filter.direction !== undefined) parts.push(`t.direction = ${value(filter.direction)}`);
  if (filter.status !== undefined) parts.push(`t.status = ${value(filter.status)}`);
  if (filter.from !== undefined) parts.push(`t.created_at >= ${value(filter.from)}::date`);
  if (filter.to !== undefined) parts.push(`t.created_at < ${value(filter.to)}::date + 1`);
  if (filter.filter_value !== undefined) {
    const text = value(filter.filter_value);
    const like = `'%' || regexp_replace(fold(${text}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;
    const exact = `case when ${text} ~ '^[0-9]{1,15}$' then ${text}::bigint end`;
    // The list of one person reads that person's rows alone.
    const among = user === undefined ? '' : `u.id = ${user} and `;
    parts.push(`(${SEARCHED} like ${like} or t.id = ${exact} or t.user_id = any(array(
      select u.id from user_copy u where ${among}(fold(u.name || ' ' || u.email || ' ' || u.phone_number) like ${like}
        or phone_digits(u.phone_number) like '%' || phone_digits(${text}) || '%'))))`);
  }
  return { where: parts.length > 0 ? `where ${parts.join(' and ')}` : '', values };
}

const searches = bulkhead(SEARCHES_AT_ONCE, SEARCHES_WAITING);

/** Throws unavailable when too many are waiting. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  searches.execute(work).catch((error: unknown) => {
    throw error instanceof BulkheadRejectedError ? searchesBusy() : error;
  });

/** Pages of a money table for the `...all` lists, newest first. */
export function createListing({ table, columns }: Listing) {
  const counts = new Map<string, { total: number; at: number }>();

  async function count(reader: Reader, where: string, values: unknown[]): Promise<number> {
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

  async function page<Item>(reader: Reader, filter: Filter) {
    const { where, values } = conditions(filter);
    const { limit, offset, page: number, perPage } = pageWindow(filter);
    const total = await count(reader, where, values);
    // Few matches: use the text's index. OFFSET 0 keeps the planner from walking all rows in the wanted order.
    const source =
      filter.filter_value !== undefined && total <= FEW ? `(select * from ${table} t ${where} offset 0)` : table;
    const items = await rows<Item>(
      reader,
      `select ${columns} from ${source} t ${source === table ? where : ''} order by t.id desc
       limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, limit, offset],
    );
    return { items, total, page: number, perPage };
  }

  return <Item>(reader: Reader, filter: Filter) =>
    filter.filter_value !== undefined && filter.user_id === undefined
      ? inTurn(() => page<Item>(reader, filter))
      : page<Item>(reader, filter);
}
