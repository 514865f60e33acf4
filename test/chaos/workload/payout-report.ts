import { form } from '@tutoring/shared/testing/upload';
import { isOnly, reported, type ExpectedBatch, type ExpectedItem, type Word } from '../oracle/payout.ts';
import type { Random } from '../seed.ts';
import { pathOf, type Desk } from './payout-batch.ts';

/** Words of banks and operators. What nobody knows is uncertain. */
const SPELLINGS: Record<Word, string[]> = {
  paid: ['paid', 'SUCCESS', 'Payé', 'completed'],
  failed: ['failed', 'Rejeté', 'declined'],
  uncertain: ['uncertain', 'en cours', 'quoi ?'],
};
const WORDS: Word[] = ['paid', 'failed', 'uncertain', 'uncertain'];
/** What follows on an uncertain payout, which only `paid` settles. */
const LATER_WORDS: Word[] = ['paid', 'failed', 'failed'];
const COLUMNS = [
  ['reference', 'status', 'provider_ref', 'message', 'amount'],
  ['Status', 'amount', 'branch', 'Reference', 'message', 'provider_ref'],
];

interface Line {
  reference: string;
  status: string;
  amount?: number;
  /** Undefined: it depends on the state, which is not known. */
  verdict: string | undefined;
}

/** A file of results, and what it means. */
export interface Report {
  lines: Line[];
  /** The word about each payout of the batch that counts. */
  words: Map<ExpectedItem, Word>;
  /** Payouts for which applying it records a break. */
  breaks: Set<ExpectedItem>;
}

const stateOf = ({ states }: ExpectedItem) => (states.size === 1 ? [...states][0]! : undefined);

/** The lines about one payout, and their meaning. */
function linesAbout(item: ExpectedItem, report: Report, random: Random): Line[] {
  const { reference, withdrawal } = item;
  const word = random.pick(stateOf(item) === 'uncertain' ? LATER_WORDS : WORDS);
  const line = (said: Word, verdict: string | undefined): Line => ({
    ...{ reference, status: random.pick(SPELLINGS[said]), verdict },
    ...(random.chance(0.5) && { amount: withdrawal.amount }),
  });
  const way = random.pick(['plain', 'plain', 'plain', 'plain', 'twice', 'contradicting', 'another amount']);
  if (way === 'contradicting') return [line('paid', 'repeated'), line('failed', 'repeated')];
  if (way === 'another amount') {
    report.breaks.add(item);
    return [{ ...line(word, 'amount_differs'), amount: withdrawal.amount + 1 }];
  }
  report.words.set(item, word);
  const state = stateOf(item);
  const meaning = state && reported(state, word);
  if (meaning?.isBreak) report.breaks.add(item);
  const one = line(word, meaning?.verdict);
  return way === 'twice' ? [one, { ...one, verdict: 'repeated' }] : [one];
}

/** What a bank reports about a batch: not about every payout, and not always something that makes sense. */
export function makeReport({ random }: Desk, batch: ExpectedBatch): Report {
  const report: Report = { lines: [], words: new Map(), breaks: new Set() };
  for (const item of batch.items)
    if (random.chance(isOnly(item.states, 'removed') ? 0.2 : 0.85))
      report.lines.push(...linesAbout(item, report, random));
  const reference = `W999999999-${batch.id}`;
  if (random.chance(0.4)) report.lines.push({ reference, status: 'paid', verdict: 'unknown_reference' });
  if (random.chance(0.2)) report.lines.push({ reference: `W1-${batch.id + 1_000}`, status: '', verdict: 'unreadable' });
  return report;
}

function csvOf({ lines }: Report, random: Random): string {
  const columns = random.pick(COLUMNS);
  const delimiter = random.pick([',', ';']);
  const cells = ({ reference, status, amount }: Line): Record<string, string> => ({
    ...{ reference, status, provider_ref: `BANK-${reference}`, message: 'Said by the bank', branch: 'Lomé' },
    amount: amount === undefined ? '' : String(amount),
  });
  const rows = lines.map((line) => columns.map((column) => cells(line)[column.toLowerCase()] ?? ''));
  const text = [columns, ...rows].map((row) => row.join(delimiter)).join(random.pick(['\n', '\r\n']));
  return `${random.pick(['', '\ufeff'])}${text}\n`;
}

/** Uploads a report, which changes nothing, and checks what each of its lines means. Returns the id of the import. */
export async function upload(desk: Desk, batch: ExpectedBatch, report: Report): Promise<number | undefined> {
  const { client, world, random, maker: by } = desk;
  const { type, body } = form(Buffer.from(csvOf(report, random)), { name: 'results.csv', type: 'text/csv' });
  const read = await client.get<{ import_id: number; rows: { line: number; verdict: string }[] }>({
    method: 'POST',
    path: `${pathOf(batch)}/results`,
    by,
    body: body.toString(),
    headers: { 'content-type': type },
  });
  if (!read) return undefined;
  const isAsExpected = ({ verdict }: Line, index: number) =>
    verdict === undefined || read.rows[index]?.verdict === verdict;
  if (read.rows.length !== report.lines.length || !report.lines.every(isAsExpected))
    world.record.violation('results mean something else', { lines: report.lines, rows: read.rows });
  return read.import_id;
}
