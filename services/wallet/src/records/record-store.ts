import { createListing } from '@tutoring/shared/kit/database/listing';
import { inPages } from '@tutoring/shared/kit/database/pages';
import { containsCondition, personCondition, type AddParameter } from '@tutoring/shared/kit/database/search';
import { insert, requiredRow, row, rows, update, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { Change, Cursor, ListBody } from './record.ts';

/** Statements that deposits and withdrawals share. */
export function createRecordStore<Row extends { id: number }>(table: 'deposit' | 'withdrawal', columns: string) {
  const select = `select ${columns} from ${table}`;
  return {
    columns,

    insert: async (tx: Tx, fields: Partial<Row>): Promise<Row> =>
      (await insert<Row>(tx, table, { status: 'initiated', ...fields }, `returning ${columns}`))!,

    /** Writes the defined fields, the SQL assignments in `more`, and the next version. */
    update: (tx: Tx, id: number, change: Change<Row>, more: string[] = []) =>
      update<Row>(tx, table, { id, returning: columns, more }, change),

    /** Copies the state of records to their payment rows. */
    copyToPayments: (tx: Tx, ids: number[]) =>
      rows(
        tx,
        `insert into payment (source, user_id, type, direction, amount, currency, status, method, ref, details, created_at,
           updated_at)
         select '${table}:' || id, user_id, '${table}', '${table === 'deposit' ? 'in' : 'out'}', amount, currency, status,
           method, ref, details, created_at, updated_at
         from ${table} where id = any($1::bigint[]) order by id
         on conflict on constraint payment_source do update set status = excluded.status, ref = excluded.ref,
           details = excluded.details, updated_at = excluded.updated_at`,
        [ids],
      ),

    find: (reader: Reader, id: number) => row<Row>(reader, `${select} where id = $1`, [id]),

    findOwn: (reader: Reader, id: number, userId: number) =>
      row<Row>(reader, `${select} where id = $1 and user_id = $2`, [id, userId]),

    /** Locked until `tx` ends. */
    lock: (tx: Tx, id: number) => row<Row>(tx, `${select} where id = $1 for no key update`, [id]),

    /** Like `lock`, but only a record of this user. */
    lockOwn: (tx: Tx, id: number, userId: number) =>
      row<Row>(tx, `${select} where id = $1 and user_id = $2 for no key update`, [id, userId]),

    listOwn: (reader: Reader, userId: number, { before = Number.MAX_SAFE_INTEGER, limit }: Cursor) =>
      rows<Row>(reader, `${select} where user_id = $1 and id < $2 order by id desc limit $3`, [userId, before, limit]),

    /** The number of open records of a user. */
    countOpen: (reader: Reader, userId: number): Promise<number> =>
      value<number>(
        reader,
        `select count(*) as open from ${table} where user_id = $1 and status in ('initiated', 'pending')`,
        [userId],
      ),

    /** All records, in pages by id, for `events resync`. */
    all: (reader: Reader) => inPages<Row>(reader, `${select} where id > $1 order by id limit $2`, 'id', 0 as Row['id']),
  };
}

export type RecordStore<Row extends { id: number }> = ReturnType<typeof createRecordStore<Row>>;

/** `type` and `direction` apply to payments, `claimed_by` to withdrawals. */
type Filter = Omit<ListBody, 'claimed_by'> & {
  type?: string | undefined;
  direction?: string | undefined;
  claimed_by?: number | undefined;
};

/** Finds a payout account by a part of it; needs at least three letters or digits. */
const byAccount = (signs: string, value: AddParameter) =>
  [...signs].length < 3 ? [] : [`account_signs(t.account) like ${value(`%${signs}%`)}`];

/** Pages of a money table for the `...all` lists, newest first. */
export const createMoneyList = <Item>(table: 'deposit' | 'withdrawal' | 'payment', columns: string) =>
  createListing<Item, Filter>({
    table,
    select: `select ${columns} from ${table}`,
    key: 'id',
    tallied: ['type', 'direction', 'status'],
    others: ({ user_id: user, claimed_by: claimer }, value) => [
      ...(user === undefined ? [] : [`t.user_id = ${value(user)}`]),
      ...(claimer === undefined ? [] : [`t.claimer_id = ${value(claimer)}`]),
    ],
    search: {
      people: ['user_id'],
      texts: async (searched, value, reader, { searchesContacts }) => {
        const { folded, signs } = await requiredRow<{ folded: string; signs: string }>(
          reader,
          'select fold($1) as folded, account_signs($1) as signs',
          [searched],
        );
        const text = await containsCondition(reader, { table, as: 't', text: 't.find' }, folded, value);
        return table === 'withdrawal' && searchesContacts ? [text, ...byAccount(signs, value)] : [text];
      },
      isPerson: async (searched, value, reader, { user_id: user, searchesContacts }) => {
        const person = await personCondition(searched, value, reader, { searchesContacts });
        // The list of one user reads only the rows of that user.
        return user === undefined ? person : `u.id = ${value(user)} and ${person}`;
      },
    },
    findsById: true,
    isOfOne: (filter) => filter.user_id !== undefined,
  });

type MoneyBackFilter = Pick<ListBody, 'filter_value' | 'from' | 'to' | 'user_id'> & {
  status?: string | undefined;
  deposit_id?: number | undefined;
};

/** Pages of disputes or refunds of deposits, newest first. `text`: the SQL text of a row that is searched. */
export const createMoneyBackList = <Item>(table: 'dispute' | 'deposit_refund', select: string, text: string) =>
  createListing<Item, MoneyBackFilter>({
    table,
    select,
    key: 'id',
    tallied: ['status'],
    others: ({ user_id: userId, deposit_id: depositId }, parameter) => [
      ...(userId === undefined ? [] : [`t.user_id = ${parameter(userId)}`]),
      ...(depositId === undefined ? [] : [`t.deposit_id = ${parameter(depositId)}`]),
    ],
    search: {
      people: ['user_id'],
      texts: async (searched, parameter, reader) => {
        const folded = await value<string>(reader, 'select fold($1)', [searched]);
        return [await containsCondition(reader, { table, as: 't', text }, folded, parameter)];
      },
    },
    findsById: true,
    isOfOne: (filter) => filter.user_id !== undefined || filter.deposit_id !== undefined,
  });
