import type { z } from 'zod';
import { createListing, talliedConditions, type Wanted, type Window } from '@tutoring/shared/database/listing';
import type { Reader } from '@tutoring/shared/database/open';
import { fits } from '../search-store.ts';
import type { User, userFilter } from './user.ts';
import { USER } from './user-store.ts';

type UserFilter = z.output<typeof userFilter>;

const SEARCHED = { table: 'account', text: 't.find', phone: 'phone_digits(t.phone_number)' };

/** The conditions of the list as SQL, with the values of its parameters. */
async function conditions(reader: Reader, filter: UserFilter): Promise<Wanted> {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const given = filter.filter_value;
  const others = given === undefined ? [] : [await fits(reader, given, value, SEARCHED)];
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
