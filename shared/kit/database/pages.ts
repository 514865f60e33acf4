import { rows, type Reader } from './sql.ts';

const PAGE = 500;

/**
 * Iterates over all rows of a table, however large, page by page. `sql` selects at most `$2` rows whose `key` comes
 * after `$1`, ordered by the key (ascending or descending). `first` is a value before every key; `more` are `$3`, ….
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
