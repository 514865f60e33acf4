import { createListing, talliedConditions, type Value, type Wanted } from '@tutoring/shared/database/listing';
import { containing, namedBy, ofPerson } from '@tutoring/shared/database/search';
import { row, type Reader } from '@tutoring/shared/database/sql';
import type { ListBody } from './record.ts';

interface MoneyTable {
  table: 'deposit' | 'withdrawal' | 'payment';
  columns: string;
}

/** `type` and `direction` are those of payments. */
type Filter = ListBody & { type?: string | undefined; direction?: string | undefined };

async function conditions(table: MoneyTable['table'], filter: Filter, value: Value, reader: Reader): Promise<Wanted> {
  const user = filter.user_id === undefined ? [] : [`t.user_id = ${value(filter.user_id)}`];
  const tallied = talliedConditions(filter, ['type', 'direction', 'status'], value);
  const given = filter.filter_value;
  if (given === undefined) return { tallied, others: user };
  const { folded } = (await row<{ folded: string }>(reader, 'select fold($1) as folded', [given]))!;
  const texts = [await containing(reader, { table, as: 't', text: 't.find' }, folded, value)];
  if (/^\d{1,15}$/.test(given)) texts.push(`t.id = ${value(given)}`);
  const named = await namedBy(reader, value, async (own) => {
    const people = await ofPerson(reader, given, own);
    // The list of one person reads that person's rows alone.
    return filter.user_id === undefined ? people : `u.id = ${own(filter.user_id)} and ${people}`;
  });
  const found = (walks: boolean) => [...user, `(${[...texts, named('t.user_id', walks)].join(' or ')})`];
  return { tallied, others: found(false), walked: found(true) };
}

/** Pages of a money table for the `...all` lists, newest first. */
export const createMoneyList = <Item>({ table, columns }: MoneyTable) =>
  createListing<Item, Filter>({
    table,
    select: `select ${columns} from ${table}`,
    key: 'id',
    wanted: (filter, value, reader) => conditions(table, filter, value, reader),
    isOfOne: (filter) => filter.user_id !== undefined,
  });

export type MoneyList<Item> = ReturnType<typeof createMoneyList<Item>>;
