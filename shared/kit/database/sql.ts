import { SpanKind, traced } from '../process/context.ts';
import { dynamic, textOf, type Dynamic, type Sql } from './statement.ts';

export { dynamic, type Dynamic, type Sql };

/** A statement with the values of its parameters. */
export interface Statement {
  sql: Sql;
  values: unknown[];
}

/** Runs statements on any connection of the pool, or in a transaction. Use it through `rows`, `row` and the like. */
export interface Reader {
  /** In a transaction the statement is sent before this returns, so that statements run in the order of the calls. */
  send(statement: Statement): Promise<object[]>;
}

declare const transaction: unique symbol;

/** A transaction, for writing and publishing. Only `transact` and `autocommit` create one. */
export interface Tx extends Reader {
  readonly [transaction]: true;
  /** Undefined in `autocommit`, where each statement commits by itself. */
  readonly commit?: {
    /** Streams whose events the transaction has written. */
    published: Set<string>;
    /** Sent together with the COMMIT. */
    lastWrites: { sql: Sql; parameters: unknown[]; done: (rows: object[]) => void }[];
    /** Called after the commit. */
    hints: (() => void)[];
  };
}

/**
 * The rows of a statement, including those of RETURNING. The statement is prepared; see `dynamic`. Array parameters
 * should have a cast, such as `$1::bigint[]`, so that its plan is kept.
 */
export const rows = <Row>(reader: Reader, sql: Sql, values: unknown[] = []): Promise<Row[]> =>
  traced('sql', { kind: SpanKind.CLIENT, attributes: { 'db.query.text': textOf(sql) } }, () =>
    reader.send({ sql, values }),
  ) as Promise<Row[]>;

/** The first row, if any. */
export async function row<Row>(reader: Reader, sql: Sql, parameters: unknown[] = []): Promise<Row | undefined> {
  return (await rows<Row>(reader, sql, parameters))[0];
}

/** The row of a statement that always returns one. Throws otherwise. */
export async function requiredRow<Row>(reader: Reader, sql: Sql, parameters: unknown[] = []): Promise<Row> {
  const found = await row<Row>(reader, sql, parameters);
  if (found === undefined) throw new Error('a statement returned no row');
  return found;
}

/** Whether a statement returns a row. */
export const exists = async (reader: Reader, sql: Sql, parameters: unknown[] = []): Promise<boolean> =>
  (await row(reader, sql, parameters)) !== undefined;

/** The first column of each row. */
export const column = async <Value>(reader: Reader, sql: Sql, parameters: unknown[] = []): Promise<Value[]> =>
  (await rows<object>(reader, sql, parameters)).map((found) => Object.values(found)[0] as Value);

/** The first column of the first row. If there may be no row, `Value` must include undefined. */
export const value = async <Value>(reader: Reader, sql: Sql, parameters: unknown[] = []): Promise<Value> =>
  (await column<Value>(reader, sql, parameters))[0] as Value;

/** One array per column, for `unnest`. */
export const columnsOf = <Row>(table: Row[], ...names: (keyof Row)[]) =>
  names.map((name) => table.map((record) => record[name]));

/** Assignments `column = $n` (from `$first` on) for the defined fields of `changes`, and their values. */
export function assignments(changes: object, first: number): { sets: string[]; values: unknown[] } {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const sets = given.map(([column], index) => `${column} = $${first + index}`);
  return { sets, values: given.map(([, value]) => value as unknown) };
}

/**
 * Inserts one row with the defined fields. Reads the clock once, so that created_at and updated_at are equal. `rest`:
 * `on conflict …`, `returning …`.
 */
export function insert<Row>(tx: Reader, table: string, fields: object, rest = ''): Promise<Row | undefined> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const parameters = given.map((_field, index) => `$${index + 1}`);
  return row<Row>(
    tx,
    dynamic(
      `insert into ${table} (${given.map(([column]) => column).join(', ')}, created_at, updated_at)
       select ${parameters.join(', ')}, at, at from (select app_now() as at) moment ${rest}`,
    ),
    given.map(([, value]) => value as unknown),
  );
}

/**
 * Updates the defined fields of the row with this id, increments its version and sets updated_at. `more`: further
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
  const sql = dynamic(`update ${table} set ${all} where id = $1 returning ${returning}`);
  return requiredRow<Row>(tx, sql, [id, ...values]);
}

/** Most rows that one statement deletes: far fewer than fit into the statement timeout. */
const SWEEP_ROWS = 2_000;

/**
 * Deletes at most `limit` rows that match `where`, oldest by `age` first; skips locked rows. Returns true when there
 * may be more. `age` must have an index, which the order makes the planner use.
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
