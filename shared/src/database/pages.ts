import { rows, type Reader } from './sql.ts';

const PAGE = 500;

/**
 * All rows of a table, however large, a page at a time: `sql` selects those whose `key` is beyond `$1`, in the order of
 * the key (descending ones too) and at most `$2`. `first` lies before every key; `more` are `$3` and so on.
 */
export async function* inPages<Row extends object>(
  reader: Reader,
  sql: string,
  key: keyof Row,
  first: Row[keyof Row],
  more: unknown[] = [],
): AsyncGenerator<Row> {
  for (let after = first; ;) {
    const page = await rows<Row>(reader, sql, [after, PAGE, ...more]);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last[key];
  }
}
