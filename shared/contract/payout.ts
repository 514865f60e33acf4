import { z } from 'zod';
import { times, timestamp } from '../kit/http/declare/fields.ts';

/** The states of a batch, and of an item of one. */
export const BATCH_STATUSES = ['draft', 'approved', 'exported', 'closed', 'canceled'] as const;
export const ITEM_STATUSES = ['waiting', 'sent', 'paid', 'failed', 'uncertain', 'removed', 'returned'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const BATCH_FORMATS = ['csv', 'pain.001', 'provider'] as const;

const clerk = z
  .strictObject({ id: z.int().meta({ example: 3 }), name: z.string().meta({ example: 'Ada Mensah' }) })
  .meta({ id: 'PayoutClerk' });

const EXAMPLE_COUNTS = { waiting: 0, sent: 1, paid: 40, failed: 1, uncertain: 0, removed: 2, returned: 0 };

/** A batch of payouts, as administrators see it and as the live event carries it. */
export const payoutBatch = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    status: z.enum(BATCH_STATUSES).meta({ example: 'exported' }),
    format: z.enum(BATCH_FORMATS).meta({ example: 'csv' }),
    currency: z.string().meta({ example: 'XOF' }),
    count: z.int().meta({ description: 'Without removed items.', example: 42 }),
    amount: z.int().meta({ description: 'Without removed items.', example: 210_000 }),
    items: z
      .strictObject(
        Object.fromEntries(
          ITEM_STATUSES.map((status) => [status, z.int().meta({ example: EXAMPLE_COUNTS[status] })]),
        ) as Record<ItemStatus, z.ZodInt>,
      )
      .meta({ id: 'PayoutItemCounts' }),
    needs_approval: z.boolean().meta({ description: 'By another administrator than the maker.', example: true }),
    created_by: clerk,
    approved_by: clerk.nullable(),
    approved_at: timestamp().nullable(),
    exported_at: timestamp().nullable(),
    closed_at: timestamp().nullable(),
    file: z
      .strictObject({
        name: z.string().meta({ example: 'payout-12.csv' }),
        bytes: z.int().meta({ example: 4096 }),
        sha256: z.string().meta({ example: 'ab'.repeat(32) }),
      })
      .meta({ id: 'PayoutFile' })
      .nullable(),
    note: z.string().nullable().meta({ example: 'Week 48' }),
    version: z.int().meta({ example: 4 }),
    ...times,
  })
  .meta({ id: 'PayoutBatch' });
export type PayoutBatch = z.infer<typeof payoutBatch>;
