import type { z } from 'zod';
import { createListing, talliedConditions, type Wanted, type Window } from '@tutoring/shared/database/listing';
import type { Reader } from '@tutoring/shared/database/open';
import { containing } from '@tutoring/shared/database/search';
import { row } from '@tutoring/shared/database/sql';
import type { User, userFilter } from './user.ts';
import { USER } from './user-store.ts';

type UserFilter = z.output<typeof userFilter>;

/** A text as names are searched, and the digits of what may be a phone number. */
const formsOf = async (reader: Reader, given: string) =>
  (await row<{ normalised: string; digits: string | null }>(
    reader,
    'select normalised($1) as normalised, phone_digits($1) as digits',
    [given],
  ))!;

/** The conditions of the list as SQL, with the values of its parameters. */
async function conditions(reader: Reader, filter: UserFilter): Promise<Wanted> {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const others: string[] = [];
  if (filter.filter_value !== undefined) {
    const given = filter.filter_value;
    const forms = await formsOf(reader, given);
    const find = { table: 'account', as: 't', text: 't.find' };
    const phone = { table: 'account', as: 't', text: 'phone_digits(t.phone_number)' };
    const found = [
      ...(forms.normalised ? [await containing(reader, find, forms.normalised, value)] : []),
      ...(forms.digits ? [await containing(reader, phone, forms.digits, value)] : []),
      ...(/^\d{1,15}$/.test(given) ? [`t.id = ${value(given)}`] : []),
    ];
    others.push(`(${found.join(' or ') || 'false'})`);
  }
  return { tallied: talliedConditions(filter, ['status', 'platform', 'verified'], value), others, values };
}

/** Pages of all students and teachers with their total number, newest first. */
export function createUserList() {
  const only = { rows: 't.deleted_at is null', tally: 'not t.deleted' };
  const listing = createListing({ table: 'account', only, select: USER, key: 'a.id' });
  return (reader: Reader, filter: UserFilter, window: Window) =>
    listing<User>(
      reader,
      { wanted: () => conditions(reader, filter), searches: filter.filter_value === undefined ? 'none' : 'all' },
      window,
    );
}
