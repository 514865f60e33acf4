import type { z } from 'zod';
import { createListing } from '@tutoring/shared/database/listing';
import { fits } from '../search-store.ts';
import type { User, userFilter } from './user.ts';
import { USER } from './user-store.ts';

type UserFilter = z.output<typeof userFilter>;

const SEARCHED = { table: 'account', text: 't.find', phone: 'phone_digits(t.phone_number)' };

/** Pages of all students and teachers with their total number, newest first. */
export const createUserList = () =>
  createListing<User, UserFilter>({
    table: 'account',
    only: { rows: 't.deleted_at is null', tally: 'not t.deleted' },
    select: USER,
    key: 'a.id',
    tallied: ['status', 'platform', 'verified'],
    others: (filter, value, reader) => fits(reader, filter, value, SEARCHED),
  });
