import { z } from 'zod';
import { REPORTED } from '../batches/batch-move.ts';
import type { ItemRow } from '../batches/item.ts';
import type { ReportLine } from './report.ts';

const VERDICTS = [
  'paid',
  'failed',
  'uncertain',
  'already',
  'amount_differs',
  'unknown_reference',
  'repeated',
  'unreadable',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The break that applying a line records. */
export type BreakKind = 'status' | 'amount';

/** What a line of a report means for the batch; `item`: the one with its reference. Pure: nothing is changed. */
export function verdictOn(
  { isUnreadable, reference, report, amount }: ReportLine,
  item: Pick<ItemRow, 'status' | 'amount'> | undefined,
  isRepeated: boolean,
): { verdict: Verdict; break_kind: BreakKind | null } {
  if (isUnreadable || reference === '') return { verdict: 'unreadable', break_kind: null };
  if (isRepeated) return { verdict: 'repeated', break_kind: null };
  if (!item) return { verdict: 'unknown_reference', break_kind: null };
  if (amount !== null && amount !== item.amount) return { verdict: 'amount_differs', break_kind: 'amount' };
  const { verdict, breaks } = REPORTED[item.status][report];
  return { verdict, break_kind: breaks ? 'status' : null };
}

const verdict = z.enum(VERDICTS).meta({ example: 'paid' });

const resultRow = z
  .strictObject({
    line: z.int().meta({ description: 'In the file; its head is 1.', example: 2 }),
    item_id: z.int().nullable().meta({ example: 77 }),
    verdict,
    provider_ref: z.string().nullable().meta({ example: 'BANK-77' }),
    message: z.string().nullable().meta({ example: 'The account is closed.' }),
  })
  .meta({ id: 'PayoutResult' });
export type ResultRow = z.infer<typeof resultRow>;

/** A report as it was read. */
export const importSchema = z
  .strictObject({
    import_id: z.int().meta({ example: 5 }),
    rows: z.array(resultRow),
    counts: z
      .strictObject(
        Object.fromEntries(
          VERDICTS.map((name) => [name, z.int().meta({ example: name === 'paid' ? 1 : 0 })]),
        ) as Record<Verdict, z.ZodInt>,
      )
      .meta({ id: 'PayoutVerdicts' }),
  })
  .meta({ id: 'PayoutImport' });

export function countVerdicts(found: { verdict: Verdict }[]): Record<Verdict, number> {
  const counts = Object.fromEntries(VERDICTS.map((name) => [name, 0])) as Record<Verdict, number>;
  for (const one of found) counts[one.verdict] += 1;
  return counts;
}

export const appliedSchema = z
  .strictObject({ applied: z.int().meta({ example: 40 }), skipped: z.int().meta({ example: 2 }) })
  .meta({ id: 'AppliedResults' });
