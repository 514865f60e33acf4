import { z } from 'zod';
import {
  BATCH_FORMATS,
  BATCH_STATUSES,
  ITEM_STATUSES,
  payoutBatch,
  type ItemStatus,
  type PayoutBatch,
} from '@tutoring/shared/contract/payout';
import { id, integer, text } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';
import { formatted } from '@tutoring/shared/kit/http/declare/fields';
import { isWritable } from '../payout-methods/account-number.ts';

export { payoutBatch };

/** Formats that are written into a file; `provider` is sent to payment providers. */
export type FileFormat = Exclude<PayoutBatch['format'], 'provider'>;

/** Withdrawals of one batch. */
export const MAX_ITEMS = 1_000;

/** Count and amount of the items of a batch, by status. */
export type ItemSums = Partial<Record<ItemStatus, [count: number, amount: number]>>;

/** A batch as it is stored, with the sums of its items. */
export interface BatchRow extends Pick<
  PayoutBatch,
  | 'id'
  | 'status'
  | 'currency'
  | 'needs_approval'
  | 'approved_at'
  | 'exported_at'
  | 'closed_at'
  | 'note'
  | 'version'
  | 'created_at'
  | 'updated_at'
> {
  format: PayoutBatch['format'];
  creator_id: number;
  creator_name: string;
  approver_id: number | null;
  approver_name: string | null;
  file_name: string | null;
  file_bytes: number | null;
  file_sha256: string | null;
  /** Who changed it last, for those who come too late. */
  changer_name: string | null;
  items: ItemSums;
}

/** Number and sum of the items that are not removed. */
export function totalOf(items: ItemSums): { count: number; amount: number } {
  const { removed: _, ...rest } = items;
  const sums = Object.values(rest);
  return {
    count: sums.reduce((total, [count]) => total + count, 0),
    amount: sums.reduce((total, [, amount]) => total + amount, 0),
  };
}

/** A batch as administrators see it. */
export function showBatch(row: BatchRow): PayoutBatch {
  const { id: batchId, status, format, currency, needs_approval, approved_at, exported_at, closed_at } = row;
  const { file_name, file_bytes, file_sha256, approver_id, approver_name } = row;
  const hasFile = file_name !== null && file_bytes !== null && file_sha256 !== null;
  return {
    ...{ id: batchId, status, format, currency },
    ...totalOf(row.items),
    items: Object.fromEntries(
      ITEM_STATUSES.map((state) => [state, row.items[state]?.[0] ?? 0]),
    ) as PayoutBatch['items'],
    needs_approval,
    created_by: { id: row.creator_id, name: row.creator_name },
    approved_by: approver_id === null ? null : { id: approver_id, name: approver_name ?? '' },
    ...{ approved_at, exported_at, closed_at },
    file: hasFile ? { name: file_name, bytes: file_bytes, sha256: file_sha256 } : null,
    ...{ note: row.note, version: row.version, created_at: row.created_at, updated_at: row.updated_at },
  };
}

/** The part of a batch that the audit log stores. */
export const auditedBatch = (row: BatchRow) => ({ status: row.status, ...totalOf(row.items), version: row.version });

const ids = () =>
  z
    .array(id())
    .min(1)
    .max(MAX_ITEMS)
    .meta({ example: [41, 42] });

export const previewBody = z.object({ withdrawal_ids: ids() });

/** The note is written into the file, so that it must hold no formula. */
export const newBatch = z.object({
  withdrawal_ids: ids(),
  format: z.enum(BATCH_FORMATS).meta({ example: 'csv' }),
  note: formatted('note', 255, isWritable).optional().meta({ example: 'Week 48' }),
});
export type NewBatch = z.output<typeof newBatch>;

export const EXCLUSIONS = ['not_initiated', 'banned', 'account_not_usable'] as const;
export const WARNINGS = ['first_payout', 'same_account_as_another'] as const;

export const previewSchema = z
  .strictObject({
    count: z.int().meta({ description: 'Of the withdrawals that can be paid.', example: 1 }),
    amount: z.int().meta({ example: 5000 }),
    excluded: z.array(
      z
        .strictObject({ withdrawal_id: z.int().meta({ example: 42 }), reason: z.enum(EXCLUSIONS) })
        .meta({ id: 'PayoutExclusion' }),
    ),
    warnings: z.array(
      z
        .strictObject({ withdrawal_id: z.int().meta({ example: 41 }), code: z.enum(WARNINGS) })
        .meta({ id: 'PayoutWarning' }),
    ),
  })
  .meta({ id: 'PayoutPreview' });

export const batchFilter = z.object({
  ...pageFields,
  status: z.enum(BATCH_STATUSES).optional().meta({ example: 'exported' }),
  format: z.enum(BATCH_FORMATS).optional().meta({ example: 'csv' }),
  ...dayFields,
});
export type BatchFilter = z.output<typeof batchFilter>;

/** The version that the administrator saw. */
export const expectedVersion = z.object({
  expected_version: integer().optional().meta({ example: 3 }),
});
export type Expected = z.output<typeof expectedVersion>;

export const itemNote = () => text(1000);
