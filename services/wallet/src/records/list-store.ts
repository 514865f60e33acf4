import { createListing, type Wanted } from '@tutoring/shared/database/listing';
import type { Reader } from '@tutoring/shared/database/open';
import { pageWindow } from '@tutoring/shared/http/page';
import type { ListBody } from './record.ts';

interface MoneyTable {
  table: 'deposit' | 'withdrawal' | 'payment';
  columns: string;
}

const SEARCHED = `fold(coalesce(t.ref, '') || ' ' || coalesce(t.details, '') || ' ' || coalesce(t.method, ''))`;

/** `type` and `direction` are those of payments. */
type Filter = ListBody & { type?: string | undefined; direction?: string | undefined };

/** The conditions of a list as SQL, with the values of its parameters. */
function conditions(filter: Filter): Wanted {
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
  const among = user === undefined ? 'all' : 'one';
  return {
    where: parts.length > 0 ? `where ${parts.join(' and ')}` : '',
    values,
    searches: filter.filter_value === undefined ? 'none' : among,
  };
}

/** Pages of a money table for the `...all` lists, newest first. */
export function createMoneyList(of: MoneyTable) {
  const listing = createListing(of);
  return async <Item>(reader: Reader, filter: Filter) => {
    const { page, perPage, ...window } = pageWindow(filter);
    return { ...(await listing<Item>(reader, conditions(filter), window)), page, perPage };
  };
}
