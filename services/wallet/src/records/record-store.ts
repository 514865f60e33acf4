import { inPages } from '@tutoring/shared/database/pages';
import { insert, row, rows, update, value, type Reader, type Tx } from '@tutoring/shared/database/sql';
import type { Change } from './record.ts';

/** What deposits and withdrawals read and write in the same way. */
export function createRecordStore<Row extends { id: number }>(table: 'deposit' | 'withdrawal', columns: string) {
  const select = `select ${columns} from ${table}`;
  return {
    columns,

    insert: async (tx: Tx, fields: Partial<Row>): Promise<Row> =>
      (await insert<Row>(tx, table, { status: 'initiated', ...fields }, `returning ${columns}`))!,

    /** Writes the fields that are not undefined, what `more` sets by SQL, and the next version. */
    update: (tx: Tx, id: number, change: Change<Row>, more?: string[]) =>
      update<Row>(tx, table, { id, returning: columns, ...(more && { more }) }, change),

    find: (reader: Reader, id: number) => row<Row>(reader, `${select} where id = $1`, [id]),

    findOf: (reader: Reader, id: number, userId: number) =>
      row<Row>(reader, `${select} where id = $1 and user_id = $2`, [id, userId]),

    /** Locked until `tx` ends. */
    lock: (tx: Tx, id: number) => row<Row>(tx, `${select} where id = $1 for no key update`, [id]),

    /** The same, if it is that user's. */
    lockOf: (tx: Tx, id: number, userId: number) =>
      row<Row>(tx, `${select} where id = $1 and user_id = $2 for no key update`, [id, userId]),

    listOf: (reader: Reader, userId: number, { before, limit }: { before: number; limit: number }) =>
      rows<Row>(reader, `${select} where user_id = $1 and id < $2 order by id desc limit $3`, [userId, before, limit]),

    /** How many of a user's are neither paid nor over. */
    countOpen: (reader: Reader, userId: number): Promise<number> =>
      value<number>(
        reader,
        `select count(*) as open from ${table} where user_id = $1 and status in ('initiated', 'pending')`,
        [userId],
      ),

    /** Every one, in pages by id, for `events resync`. */
    all: (reader: Reader) => inPages<Row>(reader, `${select} where id > $1 order by id limit $2`, 'id', 0 as Row['id']),
  };
}

export type RecordStore<Row extends { id: number }> = ReturnType<typeof createRecordStore<Row>>;
