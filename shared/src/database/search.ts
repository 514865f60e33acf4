import { column, one, value as valueOf, type Reader } from './sql.ts';

/** Adds a parameter and returns its name in SQL. */
export type Value = (given: unknown) => string;

/** More people than this are not looked up one by one. */
const FEW = 1_000;
/** Texts up to here have no trigram: `short_parts` finds them. */
const SHORT = 2;
/** Bytes of a table that are enough to see whether a text is common in it, and how common it has to be. */
const SAMPLE = 50 * 8_192;
const COMMON = 0.02;

/** What of a table is searched: `text` is SQL, an expression of its row `as`, and indexed by trigrams and short_parts. */
export interface Searched {
  table: string;
  as: string;
  text: string;
}

/** Whether many rows hold `given`: to read them all then costs less than to use an index. */
async function isCommon(reader: Reader, { table, as, text }: Searched, given: string): Promise<boolean> {
  const bytes = await valueOf<number>(reader, 'select pg_relation_size($1::regclass)', [table]);
  const percent = Math.min(100, (100 * SAMPLE) / Math.max(1, bytes));
  const share = await valueOf<number | null>(
    reader,
    `select avg((strpos(${text}, $1) > 0)::int)::float8 from ${table} ${as} tablesample system (${percent})`,
    [given],
  );
  return (share ?? 0) >= COMMON;
}

/**
 * The SQL condition that a row holds `given`, a text in the form in which it is compared. `value` adds a parameter.
 * `strpos` keeps a short text from the index of trigrams, which would be read from end to end.
 */
export async function containing(reader: Reader, searched: Searched, given: string, value: Value): Promise<string> {
  const { text } = searched;
  if (given === '' || [...given].length > SHORT)
    return `${text} like ${value(`%${given.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)}`;
  const part = value(given);
  const holds = `strpos(${text}, ${part}) > 0`;
  if (await isCommon(reader, searched, given)) return holds;
  return `(${holds} and short_parts(${text}) @> array[${part}])`;
}

/**
 * The condition that a person of `user_copy u` has `given`, also a phone number however its digits are parted. The
 * column `find` holds the folded name, e-mail and phone number, chr(1), and the digits of the phone number.
 */
export async function ofPerson(given: string, value: Value, reader: Reader): Promise<string> {
  const { folded, digits } = await one<{ folded: string; digits: string | null }>(
    reader,
    'select fold($1) as folded, phone_digits($1) as digits',
    [given],
  );
  const named = await containing(reader, { table: 'user_copy', as: 'u', text: 'u.find' }, folded, value);
  return digits === null || digits === folded ? named : `(${named} or u.find like ${value(`%\u0001%${digits}%`)})`;
}

/**
 * The condition that a column is the id of somebody of `user_copy u` for whom `search` holds. Few people are looked up
 * first, so that the column's index finds their rows; of many, `walks` asks for each row anew, which suits a statement
 * that stops after a page.
 */
export async function namedBy(
  reader: Reader,
  value: Value,
  search: (value: Value) => Promise<string>,
): Promise<(column: string, walks: boolean) => string> {
  const values: unknown[] = [];
  const people = await search((given) => `$${values.push(given)}`);
  const found = await column<number>(reader, `select u.id from user_copy u where ${people} limit ${FEW + 1}`, values);
  if (found.length <= FEW) {
    const ids = `${value(found)}::bigint[]`;
    return (column) => `${column} = any(${ids})`;
  }
  const many = await search(value);
  return (column, walks) =>
    walks
      ? `exists (select from user_copy u where u.id = ${column} and ${many} offset 0)`
      : `${column} in (select u.id from user_copy u where ${many})`;
}
