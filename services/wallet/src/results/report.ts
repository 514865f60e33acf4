import { isUtf8 } from 'node:buffer';
import type { Report } from '../batches/batch-move.ts';
import { reportTooLong, reportUnreadable } from '../errors.ts';
import { amountOf } from './report-amount.ts';
import { foldWord, reportOf } from './report-word.ts';

/** Lines of a report, without its head. */
export const MAX_LINES = 5_000;
/** Bytes of a report. */
export const MAX_BYTES = 5 * 1024 * 1024;

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
  /** Nothing that names a payment, no status, or an amount that is no number. */
  isUnreadable: boolean;
}

/** UTF-8 or UTF-16 by its mark, else UTF-8 if it is, else Windows-1252. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

const DELIMITERS = [',', ';', '\t'];
const COLUMNS = ['reference', 'status', 'provider_ref', 'message', 'amount'] as const;
type Places = Partial<Record<(typeof COLUMNS)[number], number>>;

type Cells = { line: number; cells: string[] };

async function parse(text: string, delimiter: string): Promise<Cells[]> {
  const { parse: read } = await import('csv-parse/sync');
  const found = read(text, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    to: MAX_LINES + 2,
  }) as unknown as { info: { lines: number }; record: string[] }[];
  return found.map(({ info, record }) => ({ line: info.lines, cells: record }));
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

function lineOf({ line, cells }: Cells, places: Places, digits: number): ReportLine {
  const cell = (column: keyof Places, most = 255) => cellOf(cells, places[column], most);
  const [reference, status, written] = [cell('reference').toUpperCase(), cell('status'), cell('amount')];
  const amount = written === '' ? null : amountOf(written, digits);
  return {
    line,
    reference,
    report: reportOf(status),
    provider_ref: cell('provider_ref') || null,
    message: cell('message', 1_000) || null,
    amount: amount ?? null,
    isUnreadable: status === '' || amount === undefined || (reference === '' && !cell('provider_ref')),
  };
}

/**
 * Reads the report of a bank or operator: a table with the columns reference and status, in any order, and optionally
 * provider_ref, message and amount. Throws invalid for anything else, and beyond `MAX_LINES`.
 */
export async function readReport(bytes: Buffer, digits: number): Promise<ReportLine[]> {
  const text = decode(bytes).replace(/^\ufeff/, '');
  for (const delimiter of DELIMITERS) {
    const rows = await parse(text, delimiter).catch(() => []);
    const [head, ...lines] = rows;
    const places = head && placesOf(head.cells);
    if (!places) continue;
    if (lines.length > MAX_LINES) throw reportTooLong(MAX_LINES);
    return lines.map((row) => lineOf(row, places, digits));
  }
  throw reportUnreadable();
}

const says = ({ report, provider_ref, amount }: ReportLine) => JSON.stringify([report, provider_ref, amount]);

/**
 * The lines that do not count: of equal lines about one reference all but the first, of contradicting ones all.
 */
export function repeatedLines(lines: ReportLine[]): Set<ReportLine> {
  const groups = Map.groupBy(
    lines.filter(({ isUnreadable, reference }) => !isUnreadable && reference !== ''),
    ({ reference }) => reference,
  );
  const repeated = [...groups.values()].flatMap((group) => {
    const isContradicting = new Set(group.map(says)).size > 1;
    return isContradicting ? group : group.slice(1);
  });
  return new Set(repeated);
}
