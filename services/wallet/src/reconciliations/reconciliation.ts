import { z } from 'zod';
import type { ItemStatus } from '@tutoring/shared/contract/payout';
import { day, text, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import type { Report } from '../batches/batch-move.ts';
import type { NewBreak } from '../breaks/break.ts';
import type { Status } from '../records/record.ts';
import type { ReportLine } from '../results/report.ts';

const MAX_DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1_000;
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The fields of the form beside its file. */
export const reconciliationForm = z
  .object({
    provider: text(64).meta({ example: 'bank' }),
    from: day().meta({ example: '2026-11-01' }),
    to: day().meta({ example: '2026-11-30' }),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: () => sentences.notBefore('from') })
  .refine(({ from, to }) => daysBetween(from, to) <= MAX_DAYS, { path: ['to'], error: () => sentences.invalid });
export type ReconciliationForm = z.output<typeof reconciliationForm>;

export const reconciliationSchema = z
  .strictObject({
    id: z.int().meta({ example: 2 }),
    rows: z.int().meta({ example: 42 }),
    matched: z.int().meta({ example: 41 }),
    breaks: z.int().meta({ example: 1 }),
    created_at: timestamp(),
  })
  .meta({ id: 'Reconciliation' });
export type Reconciliation = z.infer<typeof reconciliationSchema>;

/** A payout or deposit of ours. */
export interface OwnItem {
  reference: string;
  amount: number;
  status: ItemStatus;
  method: string | null;
}
export interface OwnDeposit {
  id: number;
  provider_ref: string;
  amount: number;
  status: Status;
}

/** What a report may say about a payout, and about a deposit, in each of our states. */
const FITS_ITEM: Record<ItemStatus, Report[]> = {
  waiting: ['uncertain'],
  sent: ['uncertain'],
  uncertain: ['uncertain'],
  paid: ['paid'],
  failed: ['failed'],
  removed: ['failed'],
  returned: ['paid', 'failed'],
};
const FITS_DEPOSIT: Record<Status, Report[]> = {
  initiated: ['uncertain'],
  pending: ['uncertain'],
  success: ['paid'],
  failed: ['failed'],
  canceled: ['failed'],
};

type Difference = Omit<NewBreak, 'provider'>;

interface Own {
  reference: string;
  amount: number;
  status: string;
  fits: Report[];
}

function differenceOf({ report, amount }: ReportLine, own: Own): Difference | undefined {
  const sides = { ours: own.status, theirs: report, amount_ours: own.amount, amount_theirs: amount };
  if (amount !== null && amount !== own.amount) return { kind: 'amount', reference: own.reference, ...sides };
  return own.fits.includes(report) ? undefined : { kind: 'status', reference: own.reference, ...sides };
}

const ofItem = ({ reference, amount, status }: OwnItem): Own => ({
  reference,
  amount,
  status,
  fits: FITS_ITEM[status],
});
const ofDeposit = ({ id, amount, status }: OwnDeposit): Own => ({
  ...{ reference: `deposit:${id}`, amount, status, fits: FITS_DEPOSIT[status] },
});

/** What of ours the lines may be about. `due`: what must be in the report. */
export interface Ours {
  items: ReadonlyMap<string, OwnItem>;
  deposits: ReadonlyMap<string, OwnDeposit>;
  dueItems: OwnItem[];
  dueDeposits: OwnDeposit[];
}

/**
 * Compares a report with the ledger. A line that is there twice may be a payment that was made twice. Deposits must be in
 * the report only if it names any. Pure: nothing is changed.
 */
export function compare(lines: ReportLine[], repeated: ReadonlySet<ReportLine>, ours: Ours) {
  const seen = new Set<string>();
  const found: Difference[] = [];
  let namesDeposits = false;
  const judge = (line: ReportLine): Difference | undefined => {
    const item = ours.items.get(line.reference);
    const deposit = item || line.provider_ref === null ? undefined : ours.deposits.get(line.provider_ref);
    const own = item ? ofItem(item) : deposit && ofDeposit(deposit);
    namesDeposits ||= deposit !== undefined;
    const reference = own?.reference ?? (line.reference || line.provider_ref || `line ${line.line}`);
    const isRepeat = repeated.has(line) || (own !== undefined && seen.has(reference));
    seen.add(reference);
    const theirs = { theirs: isRepeat ? 'repeated' : line.report, amount_theirs: line.amount };
    if (line.isUnreadable || isRepeat || !own) return { kind: 'only_theirs', reference, ...theirs };
    return differenceOf(line, own);
  };
  const matched = lines.filter((line) => {
    const difference = judge(line);
    if (difference) found.push(difference);
    return difference === undefined;
  }).length;
  const due = [...ours.dueItems.map(ofItem), ...(namesDeposits ? ours.dueDeposits.map(ofDeposit) : [])];
  for (const { reference, status, amount } of due)
    if (!seen.has(reference)) found.push({ kind: 'only_ours', reference, ours: status, amount_ours: amount });
  return { matched, differences: found };
}
