import { SpanKind, traced } from '../process/context.ts';

/**
 * A statement that each session parses and plans once, under `name`. The text must be the same at every use of the
 * name.
 */
export interface Prepared {
  name: string;
  sql: string;
}

/** A statement for pg. */
export interface Statement {
  text: string;
  values: unknown[];
  /** Under which a session keeps its plan. */
  name?: string;
}

/** What a read takes: any connection of the pool, or a transaction. `rows`, `row` and `prepared` ask it. */
export interface Reader {
  /** In a transaction it is sent before this returns, so that statements run in the order of the calls. */
  send(statement: Statement): Promise<object[]>;
}

declare const transaction: unique symbol;

/** For writes and publishing: a transaction. Only `transact` and `autocommit` make one. */
export interface Tx extends Reader {
  readonly [transaction]: true;
  /** Undefined in `autocommit`, where nothing is committed together. */
  readonly commit?: {
    /** Streams whose events the transaction has written. */
    published: Set<string>;
    /** Sent together with the COMMIT. */
    lastWrites: { statement: Prepared; parameters: unknown[]; done: (rows: object[]) => void }[];
    /** Called afterwards. */
    hints: (() => void)[];
  };
}

const ask = <Row>(reader: Reader, statement: Statement): Promise<Row[]> =>
  traced('sql', { kind: SpanKind.CLIENT, attributes: { 'db.query.text': statement.text } }, () =>
    reader.send(statement),
  ) as Promise<Row[]>;

/** Rows of a statement, RETURNING included. */
export const rows = <Row>(reader: Reader, text: string, values: unknown[] = []): Promise<Row[]> =>
  ask(reader, { text, values });

/** The first row, if any. */
export async function row<Row>(reader: Reader, sql: string, parameters: unknown[] = []): Promise<Row | undefined> {
  return (await rows<Row>(reader, sql, parameters))[0];
}

/** The row of a statement that always has one. */
export async function one<Row>(reader: Reader, sql: string, parameters: unknown[] = []): Promise<Row> {
  const found = await row<Row>(reader, sql, parameters);
  if (found === undefined) throw new Error('a statement had no row');
  return found;
}

/** Whether a statement has a row. */
export const exists = async (reader: Reader, sql: string, parameters: unknown[] = []): Promise<boolean> =>
  (await row(reader, sql, parameters)) !== undefined;

/** The first column of each row. */
export const column = async <Value>(reader: Reader, sql: string, parameters: unknown[] = []): Promise<Value[]> =>
  (await rows<object>(reader, sql, parameters)).map((found) => Object.values(found)[0] as Value);

/** The first column of the first row; `Value` includes undefined where there may be none. */
export const value = async <Value>(reader: Reader, sql: string, parameters: unknown[] = []): Promise<Value> =>
  (await column<Value>(reader, sql, parameters))[0] as Value;

/** The values of these columns, each as an array for `unnest`. */
export const columnsOf = <Row>(table: Row[], ...names: (keyof Row)[]) =>
  names.map((name) => table.map((one) => one[name]));

/** `column = $n`, from `$first` on, for each column of `changes` that is not undefined, and the values. */
export function assignments(changes: object, first: number): { sets: string[]; values: unknown[] } {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const sets = given.map(([column], index) => `${column} = $${first + index}`);
  return { sets, values: given.map(([, value]) => value as unknown) };
}

/**
 * Inserts one row; its columns are the fields that are not undefined. It was changed when it was created: two readings of
 * the clock would differ. `rest`: `on conflict …`, `returning …`.
 */
export function insert<Row>(tx: Reader, table: string, fields: object, rest = ''): Promise<Row | undefined> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const places = given.map((_field, index) => `$${index + 1}`);
  return row<Row>(
    tx,
    `insert into ${table} (${given.map(([column]) => column).join(', ')}, created_at, updated_at)
     select ${places.join(', ')}, at, at from (select app_now() as at) moment ${rest}`,
    given.map(([, value]) => value as unknown),
  );
}

/**
 * Changes the row with this id: the fields that are not undefined, its version and when it was changed. `more`: further
 * assignments. Throws when there is no such row.
 */
export function update<Row>(
  tx: Reader,
  table: string,
  { id, returning, more = [] }: { id: number; returning: string; more?: string[] },
  change: object,
): Promise<Row> {
  const { sets, values } = assignments(change, 2);
  const all = [...sets, ...more, 'version = version + 1', 'updated_at = app_now()'].join(', ');
  return one<Row>(tx, `update ${table} set ${all} where id = $1 returning ${returning}`, [id, ...values]);
}

/** Largest number of rows that one statement removes: far below what fits into the statement's time. */
const SWEEP_ROWS = 2_000;

/**
 * Removes at most `limit` rows that match `where`, the oldest by `age` first; skips locked ones. Returns true when
 * there may be more. `age` needs an index: its order stops the planner from reading the whole table.
 */
export async function sweep(
  reader: Reader,
  { table, where, age, limit = SWEEP_ROWS }: { table: string; where: string; age: string; limit?: number },
): Promise<boolean> {
  const swept = await rows(
    reader,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${where} order by ${age} limit $1 for update skip locked))
     returning 1`,
    [limit],
  );
  return swept.length === limit;
}

const texts = new Map<string, string>();

/**
 * Hides the length of arrays from the planner. For a short one it promises itself so much of a plan of its own that it
 * would plan the statement anew each time, which takes longer than to run it.
 */
function textOf({ sql }: Prepared): string {
  const known = texts.get(sql) ?? sql.replace(/\$\d+::(\w+\[\])/g, '(select $&)::$1');
  texts.set(sql, known);
  return known;
}

/** Rows of a statement of a hot path: each session plans it once. Its parameters that are arrays have their type. */
export const prepared = <Row>(reader: Reader, statement: Prepared, values: unknown[] = []): Promise<Row[]> =>
  ask(reader, { name: statement.name, text: textOf(statement), values });
