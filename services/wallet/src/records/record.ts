import { z } from 'zod';
import { day, id, text, timestamp } from '@tutoring/shared/http/fields';
import { pageFields } from '@tutoring/shared/http/page';
import { userSummary } from '../users/user.ts';

export const STATUSES = ['initiated', 'pending', 'success', 'failed', 'canceled'] as const;
export const status = () => z.enum(STATUSES);
export type Status = (typeof STATUSES)[number];

/** What deposits, withdrawals and payments have in common. */
export const recordFields = {
  id: z.int(),
  user_id: z.int(),
  amount: z.int(),
  currency: z.string(),
  status: status(),
  ref: z.string().nullable(),
  details: z.string().nullable(),
  created_at: timestamp(),
  updated_at: timestamp(),
  user: userSummary,
};

/** What the paged lists take. */
export const listFields = {
  ...pageFields,
  user_id: id().optional(),
  status: status().optional(),
  from: day().optional(),
  to: day().optional(),
};

export const listBody = z.object(listFields);
export type ListBody = z.output<typeof listBody>;

/** What an administrator may say about a deposit or withdrawal. */
export const decision = z.object({ status: status(), details: text(1000).optional(), ref: text().optional() });
export type Decision = z.infer<typeof decision>;

/** True when a decision repeats what the record says already. */
export const saysNothingNew = (
  record: { status: Status; details: string | null; ref: string | null },
  said: Decision,
) =>
  said.status === record.status &&
  (said.details ?? record.details) === record.details &&
  (said.ref ?? record.ref) === record.ref;
