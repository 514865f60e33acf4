import { pipeline, type Readable } from 'node:stream';
import type { Transaction } from './account.ts';

const COLUMNS: (keyof Transaction)[] = ['id', 'type', 'direction', 'amount', 'ref', 'created_at'];

/**
 * A statement as CSV by RFC 4180, with a byte order mark; text that a spreadsheet would run as a formula begins with
 * `'`. The library is loaded at the first use.
 */
export async function csvOf(transactions: AsyncIterable<Transaction>): Promise<Readable> {
  const { stringify } = await import('csv-stringify');
  const csv = stringify({
    columns: COLUMNS,
    header: true,
    bom: true,
    record_delimiter: 'windows',
    escape_formulas: true,
  });
  // An error or early end of one stream ends the other.
  pipeline(transactions, csv, () => undefined);
  return csv;
}
