import { z } from 'zod';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { id, text, times } from '@tutoring/shared/http/declare/fields';
import { dayFields, listLimit, pageFields } from '@tutoring/shared/http/declare/page';
import { userSummary } from '../users/user.ts';

export const STATUSES = ['initiated', 'pending', 'success', 'failed', 'canceled'] as const;
export const status = () => z.enum(STATUSES).meta({ example: 'success' });
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

/** Which of a list for users: newest first, below an id. */
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
/** `claimed_by`: of withdrawals. */
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

/** What the rows of deposits and withdrawals have in common. */
export type RecordRow = EventData<'deposit.changed'> & { details: string | null };

/** One of them as a route answers it, without its user. */
export type ShownRecord = Record<string, unknown> & Pick<RecordRow, 'id' | 'user_id'>;

/** Fields to write; an absent one stays. */
export type Change<Row> = { [Field in keyof Row]?: Row[Field] | undefined };

/** True when a decision repeats the present state. */
export const changesNothing = (record: RecordRow, given: Decision) =>
  given.status === record.status &&
  (given.details ?? record.details) === record.details &&
  (given.ref ?? record.ref) === record.ref;
