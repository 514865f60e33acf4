import { z } from 'zod';
import { text, times } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';

const KINDS = ['only_ours', 'only_theirs', 'amount', 'status', 'returned', 'over_limit'] as const;
const MAX_NOTE = 2_000;

const breakStatus = z.enum(['open', 'resolved']).meta({ example: 'open' });

/** A difference between the ledger and a payment provider. It never moves money. */
export const breakSchema = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    kind: z.enum(KINDS).meta({ example: 'amount' }),
    provider: z.string().meta({ example: 'stripe' }),
    reference: z.string().meta({ example: 'dispute:7' }),
    ours: z.string().nullable().meta({ description: 'What our records say.', example: 'won' }),
    theirs: z.string().nullable().meta({ description: 'What the provider says.', example: 'lost' }),
    amount_ours: z.int().nullable().meta({ example: 5000 }),
    amount_theirs: z.int().nullable().meta({ example: 4000 }),
    status: breakStatus,
    note: z.string().meta({ description: 'The administrators’ own.', example: 'The provider has corrected it.' }),
    ...times,
  })
  .meta({ id: 'Break' });
export type Break = z.infer<typeof breakSchema>;

/** A break to record; absent values are null. */
export type NewBreak = Pick<Break, 'kind' | 'provider' | 'reference'> &
  Partial<Pick<Break, 'ours' | 'theirs' | 'amount_ours' | 'amount_theirs'>>;

export const breakFilter = z.object({
  ...pageFields,
  kind: breakSchema.shape.kind.optional(),
  status: breakStatus.optional(),
  ...dayFields,
});
export type BreakFilter = z.output<typeof breakFilter>;

export const breakDecision = z.object({
  status: breakStatus.meta({ example: 'resolved' }),
  note: text(MAX_NOTE).min(1).meta({ example: 'The provider has corrected it.' }),
});
export type BreakDecision = z.output<typeof breakDecision>;
