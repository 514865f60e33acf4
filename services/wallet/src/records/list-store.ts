import { createListing } from '@tutoring/shared/database/listing';
import { containing, ofPerson } from '@tutoring/shared/database/search';
import { one } from '@tutoring/shared/database/sql';
import type { ListBody } from './record.ts';

/** `type` and `direction` are those of payments. */
type Filter = ListBody & { type?: string | undefined; direction?: string | undefined };

/** Pages of a money table for the `...all` lists, newest first. */
export const createMoneyList = <Item>(table: 'deposit' | 'withdrawal' | 'payment', columns: string) =>
  createListing<Item, Filter>({
    table,
    select: `select ${columns} from ${table}`,
    key: 'id',
    tallied: ['type', 'direction', 'status'],
    others: ({ user_id: user }, value) => (user === undefined ? [] : [`t.user_id = ${value(user)}`]),
    search: {
      people: ['user_id'],
      texts: async (given, value, reader) => {
        const { folded } = await one<{ folded: string }>(reader, 'select fold($1) as folded', [given]);
        const text = await containing(reader, { table, as: 't', text: 't.find' }, folded, value);
        return /^\d{1,15}$/.test(given) ? [text, `t.id = ${value(given)}`] : [text];
      },
      isPerson: async (given, value, reader, { user_id: user }) => {
        const person = await ofPerson(given, value, reader);
        // The list of one person reads that person's rows alone.
        return user === undefined ? person : `u.id = ${value(user)} and ${person}`;
      },
    },
    isOfOne: (filter) => filter.user_id !== undefined,
  });
