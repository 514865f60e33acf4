import { column, dynamic, requiredRow, value as valueOf, type Reader } from './sql.ts';

/** Adds a parameter and returns its name in SQL. */
export type AddParameter = (given: unknown) => string;

/** Most persons whose ids are listed in a condition. */
const MAX_PERSON_IDS = 1_000;
/** Texts up to this length have no trigram; `short_parts` indexes them. */
const SHORT_LENGTH = 2;
/** Size of the table sample that shows whether a text is common, and the share of rows from which it is. */
const SAMPLE_BYTES = 50 * 8_192;
const COMMON_SHARE = 0.02;

/** A searched table: `text` is an SQL expression on its row `as`, with indexes on its trigrams and short_parts. */
export interface SearchedText {
  table: string;
  as: string;
  text: string;
}

/** Whether many rows contain `given`, so that a scan costs less than an index. */
async function isCommon(reader: Reader, { table, as, text }: SearchedText, given: string): Promise<boolean> {
  const bytes = await valueOf<number>(reader, 'select pg_relation_size($1::regclass)', [table]);
  const percent = Math.min(100, (100 * SAMPLE_BYTES) / Math.max(1, bytes));
  const share = await valueOf<number | null>(
    reader,
    dynamic(`select avg((strpos(${text}, $1) > 0)::int)::float8 from ${table} ${as} tablesample system (${percent})`),
    [given],
  );
  return (share ?? 0) >= COMMON_SHARE;
}

/**
 * The SQL condition that a row contains `given`, which must be normalized like `text`. `value` adds a parameter. A
 * short text is compared by `strpos`, because `like` would scan the whole trigram index.
 */
export async function containsCondition(
  reader: Reader,
  searched: SearchedText,
  given: string,
  value: AddParameter,
): Promise<string> {
  const { text } = searched;
  if (given === '' || [...given].length > SHORT_LENGTH)
    return `${text} like ${value(`%${given.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)}`;
  const part = value(given);
  const holds = `strpos(${text}, ${part}) > 0`;
  if (await isCommon(reader, searched, given)) return holds;
  return `(${holds} and short_parts(${text}) @> array[${part}])`;
}

/** `searchesContacts` is false for callers who may not see contact data: a search must not reveal it either. */
export interface SearchScope {
  searchesContacts: boolean;
}

/**
 * The condition that the name of a person in `user_copy u` contains `given`, or, with `searchesContacts`, the name,
 * e-mail or phone number; separators in a phone number do not matter. The column `find` holds the folded name, e-mail
 * and phone number, chr(1), and the phone digits.
 */
export async function personCondition(
  given: string,
  value: AddParameter,
  reader: Reader,
  { searchesContacts }: SearchScope,
): Promise<string> {
  const { folded, digits } = await requiredRow<{ folded: string; digits: string | null }>(
    reader,
    'select fold($1) as folded, phone_digits($1) as digits',
    [given],
  );
  const text = searchesContacts ? 'u.find' : 'fold(u.name)';
  const named = await containsCondition(reader, { table: 'user_copy', as: 'u', text }, folded, value);
  return !searchesContacts || digits === null || digits === folded
    ? named
    : `(${named} or u.find like ${value(`%\u0001%${digits}%`)})`;
}

/**
 * The condition that a column is the id of a person in `user_copy u` who matches `search`. If few persons match, their
 * ids are read first, so that the index on the column is used. If many match, `isRowByRow` selects a subquery per row,
 * for statements that stop after a page.
 */
export async function personIdCondition(
  reader: Reader,
  value: AddParameter,
  search: (value: AddParameter) => Promise<string>,
): Promise<(column: string, isRowByRow: boolean) => string> {
  const values: unknown[] = [];
  const people = await search((given) => `$${values.push(given)}`);
  const found = await column<number>(
    reader,
    dynamic(`select u.id from user_copy u where ${people} limit ${MAX_PERSON_IDS + 1}`),
    values,
  );
  if (found.length <= MAX_PERSON_IDS) {
    const ids = `${value(found)}::bigint[]`;
    return (column) => `${column} = any(${ids})`;
  }
  const many = await search(value);
  return (column, isRowByRow) =>
    isRowByRow
      ? `exists (select from user_copy u where u.id = ${column} and ${many} offset 0)`
      : `${column} in (select u.id from user_copy u where ${many})`;
}
