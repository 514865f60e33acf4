import { pipeline, type Readable } from 'node:stream';
import type { Transaction } from './account.ts';

const COLUMNS: (keyof Transaction)[] = ['id', 'type', 'direction', 'amount', 'ref', 'created_at'];

/**
 * A statement as CSV by RFC 4180, with a byte order mark; what a spreadsheet would take for a formula begins with `'`.
 * The library is loaded by who needs it.
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
  // What fails or ends one of the two ends the other.
  pipeline(transactions, csv, () => undefined);
  return csv;
}
