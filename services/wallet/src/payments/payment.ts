import { z } from 'zod';
import { recordFields } from '../records/record.ts';

const { id, user_id, amount, currency, status, ref, details, created_at, updated_at, user } = recordFields;

/** One row per deposit, withdrawal and side of a refund, and one per participant of a call. */
export const paymentSchema = z.strictObject({
  id,
  user_id,
  type: z.enum(['deposit', 'withdrawal', 'call', 'refund']),
  direction: z.enum(['in', 'out']),
  amount,
  currency,
  status,
  ref,
  details,
  created_at,
  updated_at,
  user,
});
export type Payment = z.infer<typeof paymentSchema>;
export type PaymentRow = Omit<Payment, 'user'>;

/** By how much the payment of one participant of a call grows. */
export interface PaymentGrowth {
  source: string;
  userId: number;
  direction: 'in' | 'out';
  amount: number;
  ref: string;
  details: string;
}
