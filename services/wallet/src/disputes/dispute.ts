import { z } from 'zod';
import { id, text, times, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';

const DISPUTE_STATUSES = ['inquiry', 'needs_response', 'under_review', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
const disputeStatus = z.enum(DISPUTE_STATUSES).meta({ example: 'needs_response' });

export const named = z
  .strictObject({ id: z.int().meta({ example: 12 }), name: z.string().meta({ example: 'Awa Diallo' }) })
  .meta({ id: 'NamedUser' });

/** Money that a provider takes back, or asks about, for a payer. */
export const disputeSchema = z
  .strictObject({
    id: z.int().meta({ example: 7 }),
    deposit_id: z.int().meta({ example: 12 }),
    user: named,
    provider: z.string().meta({ example: 'stripe' }),
    provider_ref: z.string().meta({ example: 'dp_1PqRs2' }),
    amount: z.int().meta({ example: 5000 }),
    currency: z.string().meta({ example: 'XOF' }),
    reason: z
      .string()
      .meta({ description: 'The provider’s own; `refund`: refunded at the provider.', example: 'fraudulent' }),
    status: disputeStatus,
    evidence_due_at: timestamp().nullable().meta({ description: 'Until when the provider takes evidence.' }),
    taken: z.int().meta({ description: 'Taken from the student; stays after `won`.', example: 2000 }),
    owed: z.int().meta({ description: 'What the student still owes the platform.', example: 3000 }),
    ...times,
  })
  .meta({ id: 'Dispute' });
export type Dispute = z.infer<typeof disputeSchema>;

export const disputeDetail = disputeSchema
  .extend({
    timeline: z.array(
      z
        .strictObject({
          event: z.string().meta({ example: 'needs_response' }),
          at: timestamp(),
        })
        .meta({ id: 'DisputeStep' }),
    ),
  })
  .meta({ id: 'DisputeDetail' });

/** What a student owes because of a dispute. */
export const debtSchema = z
  .strictObject({
    id: z.int().meta({ description: 'Of the dispute.', example: 7 }),
    deposit_id: z.int().meta({ example: 12 }),
    amount: z.int().meta({ example: 5000 }),
    owed: z.int().meta({ example: 3000 }),
    created_at: timestamp(),
  })
  .meta({ id: 'Debt' });
export type Debt = z.infer<typeof debtSchema>;

/** The row in the database. */
export interface DisputeRow extends Omit<Dispute, 'user'> {
  user_id: number;
  recovered: number;
  written_off: number;
  entries: number;
  taken_at: string | null;
  returned_at: string | null;
  version: number;
}

export const disputeFilter = z.object({
  ...pageFields,
  status: disputeStatus.optional(),
  user_id: id().optional().meta({ example: 12 }),
  deposit_id: id().optional().meta({ example: 12 }),
  ...dayFields,
});

export const writeOff = z.object({
  reason: text(500).min(1).meta({ example: 'The student has left the school.' }),
});
export type WriteOff = z.output<typeof writeOff>;
