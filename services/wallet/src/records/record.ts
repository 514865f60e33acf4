import { z } from 'zod';
import type { EventData } from '@tutoring/shared/contract/events';
import { id, text, times } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, listLimit, pageFields } from '@tutoring/shared/kit/http/declare/page';
import { userSummary } from '../users/user.ts';

export const STATUSES = ['initiated', 'pending', 'success', 'failed', 'canceled'] as const;
const status = () => z.enum(STATUSES).meta({ example: 'success' });
export type Status = (typeof STATUSES)[number];

/** The common fields of deposits, withdrawals and payments. */
export const ownerFields = { id: z.int().meta({ example: 12 }), user_id: z.int().meta({ example: 12 }) };
export const amountFields = {
  amount: z.int().meta({ example: 5000 }),
  currency: z.string().meta({ example: 'XOF' }),
  status: status(),
};
export const noteFields = {
  ref: z.string().nullable().meta({ example: 'BANK-77' }),
  details: z.string().nullable().meta({ example: 'Paid by transfer' }),
  ...times,
  user: userSummary,
};

/** The page of a list for users: newest first, ids below `before`. */
export const cursor = z.object({ before: id().optional().meta({ example: 1043 }), limit: listLimit(100, 50) });
export type Cursor = z.output<typeof cursor>;

/** The filter of the paged lists. */
export const listFields = {
  ...pageFields,
  user_id: id().optional().meta({ example: 12 }),
  status: status().optional(),
  ...dayFields,
};

export const listBody = z.object(listFields);
/** `claimed_by` applies to withdrawals. */
export type ListBody = z.output<typeof listBody> & { claimed_by?: number | 'me' | undefined };

/** An administrator's decision on a deposit or withdrawal. */
export const decision = z.object({
  status: status(),
  details: text(1000).optional().meta({ example: 'Paid by transfer' }),
  ref: text().optional().meta({ example: 'BANK-77' }),
  /** The status that the administrator saw. */
  expected_status: status().optional().meta({ example: 'pending' }),
});
export type Decision = z.infer<typeof decision>;

/** Common fields of the rows of deposits and withdrawals. */
export type RecordRow = EventData<'deposit.changed'> & { details: string | null };

/** A record as routes answer it, without its user. */
export type ShownRecord = Record<string, unknown> & Pick<RecordRow, 'id' | 'user_id'>;

/** Fields to write; absent and undefined fields stay. */
export type Change<Row> = { [Field in keyof Row]?: Row[Field] | undefined };

/** True when a decision repeats the current state. */
export const changesNothing = (record: Pick<RecordRow, 'status' | 'details' | 'ref'>, change: Decision) =>
  change.status === record.status &&
  (change.details ?? record.details) === record.details &&
  (change.ref ?? record.ref) === record.ref;
