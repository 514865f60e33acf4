import { isUtf8 } from 'node:buffer';
import type { Report } from '../batches/batch-move.ts';
import { reportTooLong, reportUnreadable } from '../errors.ts';
import { amountOf } from './report-amount.ts';
import { foldWord, reportOf } from './report-word.ts';

/** Lines of a report, without its head. */
export const MAX_LINES = 5_000;
/** Bytes of a report. */
export const MAX_BYTES = 5 * 1024 * 1024;
/** Characters of a line of text, and cells of a record that are looked at: no bank writes more. */
const MAX_LINE = 65_536;
const MAX_COLUMNS = 200;

/** A line of a report of a bank or operator. */
export interface ReportLine {
  /** Its number in the file; the head is 1. */
  line: number;
  /** `""` when there is none. */
  reference: string;
  report: Report;
  provider_ref: string | null;
  message: string | null;
  /** In the smallest unit; null: not reported. */
  amount: number | null;
  /** Nothing that names a payment, no status, an amount that is no number, or other lines inside a cell. */
  isUnreadable: boolean;
}

/** UTF-8 or UTF-16 by its mark, else UTF-8 if it is, else Windows-1252. */
function decodeBytes(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

/** The text of a report, in which every line ends with `\n`. */
const decode = (bytes: Buffer): string =>
  decodeBytes(bytes)
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n');

function hasLongLine(text: string): boolean {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    if (to - from > MAX_LINE) return true;
    from = to + 1;
  }
  return false;
}

const DELIMITERS = [',', ';', '\t'];
const COLUMNS = ['reference', 'status', 'provider_ref', 'message', 'amount'] as const;
type Places = Partial<Record<(typeof COLUMNS)[number], number>>;

interface Cells {
  line: number;
  cells: string[];
  /** Whether a cell holds what looks like another line: a quote that nobody closed takes in all that follows. */
  swallowsLines: boolean;
}

const holdsLine = (cell: string) => cell.includes('\n') && /W\d+-\d/i.test(cell.slice(cell.indexOf('\n')));

/** Whether there are more cells than lines and columns can make. */
function hasTooManyCells(text: string, delimiter: string): boolean {
  let left = (MAX_LINES + 1) * MAX_COLUMNS;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) if (--left < 0) return true;
  return false;
}

/** The first `most` records, each with its first cells; undefined if the text is no table. */
export async function recordsOf(text: string, delimiter: string, most: number): Promise<Cells[] | undefined> {
  const { parse: read } = await import('csv-parse/sync');
  const cellsOf = (record: string[], { lines }: { lines: number }): Cells => ({
    // The library counts the lines up to the end of a record.
    line: lines - (record.join('').split('\n').length - 1),
    cells: record.slice(0, MAX_COLUMNS),
    swallowsLines: record.some(holdsLine),
  });
  try {
    return read(text, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: most,
      // Its types know only records that stay lists of text.
      on_record: cellsOf as unknown as (record: string[]) => string[],
    }) as unknown as Cells[];
  } catch {
    return undefined;
  }
}

/** Where the known columns are in a head; undefined unless it has reference and status. */
function placesOf(head: string[]): Places | undefined {
  const names = head.map((name) => foldWord(name).replaceAll(' ', '_'));
  const found = COLUMNS.map((column) => [column, names.indexOf(column)] as const).filter(([, at]) => at !== -1);
  const places: Places = Object.fromEntries(found);
  return places.reference !== undefined && places.status !== undefined ? places : undefined;
}

/** A cell as it can be stored: without blanks around it and control characters. */
function cellOf(cells: string[], at: number | undefined, most: number): string {
  const text = at === undefined ? '' : (cells[at] ?? '');
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();
}

/** Our own reference, which people also type in small letters. The key of a payment provider has both. */
const referenceIn = (text: string): string => (/^w\d+-\d+$/i.test(text) ? text.toUpperCase() : text);

function lineOf(row: Cells, places: Places, digits: number): ReportLine {
  const { line, cells } = row;
  const cell = (column: keyof Places, most = 255) => cellOf(cells, places[column], most);
  const [reference, status, written] = [referenceIn(cell('reference')), cell('status'), cell('amount')];
  const amount = written === '' ? null : amountOf(written, digits);
  const isNamed = reference !== '' || cell('provider_ref') !== '';
  return {
    line,
    reference,
    report: reportOf(status),
    provider_ref: cell('provider_ref') || null,
    message: cell('message', 1_000) || null,
    amount: amount ?? null,
    isUnreadable: status === '' || amount === undefined || !isNamed || row.swallowsLines,
  };
}

/**
 * Reads the report of a bank or operator: a table with the columns reference and status, in any order, and optionally
 * provider_ref, message and amount. Throws invalid for anything else, and beyond `MAX_LINES`.
 */
export async function readReport(bytes: Buffer, digits: number): Promise<ReportLine[]> {
  const text = decode(bytes);
  if (hasLongLine(text)) throw reportUnreadable();
  for (const delimiter of DELIMITERS) {
    // The head decides: a whole file is read once, which takes long enough.
    const [head] = (await recordsOf(text, delimiter, 1)) ?? [];
    const places = head && placesOf(head.cells);
    if (!places || head.swallowsLines) continue;
    const records = hasTooManyCells(text, delimiter) ? undefined : await recordsOf(text, delimiter, MAX_LINES + 2);
    if (!records) continue;
    const lines = records.slice(1);
    if (lines.length > MAX_LINES) throw reportTooLong(MAX_LINES);
    return lines.map((row) => lineOf(row, places, digits));
  }
  throw reportUnreadable();
}

const says = ({ isUnreadable, report, provider_ref, amount }: ReportLine) =>
  JSON.stringify([isUnreadable, report, provider_ref, amount]);

/**
 * The lines that do not count: of equal lines about one reference all but the first, of contradicting ones all. A line
 * that is unreadable contradicts, too, and stays unreadable.
 */
export function repeatedLines(lines: ReportLine[]): Set<ReportLine> {
  const groups = Map.groupBy(
    lines.filter(({ reference }) => reference !== ''),
    ({ reference }) => reference,
  );
  const repeated = [...groups.values()].flatMap((group) => {
    const isContradicting = new Set(group.map(says)).size > 1;
    return isContradicting ? group : group.slice(1);
  });
  return new Set(repeated.filter(({ isUnreadable }) => !isUnreadable));
}
