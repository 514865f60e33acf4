import { z } from 'zod';
import { flag } from '@tutoring/shared/kit/http/declare/fields';
import { amountFields, listFields, noteFields, ownerFields } from '../records/record.ts';

const PAYMENT_TYPES = ['deposit', 'withdrawal', 'call', 'refund'] as const;
const DIRECTIONS = ['in', 'out'] as const;

/** The filter of the list of payments. */
export const paymentList = z.object({
  ...listFields,
  type: z.enum(PAYMENT_TYPES).optional().meta({ example: 'deposit' }),
  direction: z.enum(DIRECTIONS).optional().meta({ example: 'in' }),
  with_source: flag().optional().meta({ example: true }),
});

/** A payment: one row per deposit and withdrawal, one per side of a refund, one per participant of a call. */
export const paymentSchema = z
  .strictObject({
    ...ownerFields,
    type: z.enum(PAYMENT_TYPES),
    direction: z.enum(DIRECTIONS),
    ...amountFields,
    ...noteFields,
  })
  .meta({ id: 'Payment' });
/** A row of the list. */
export const listedPayment = paymentSchema
  .extend({
    source: z.string().optional().meta({
      example: 'deposit:12',
      description: 'Only for administrators who send `with_source`: the origin of the payment, by kind and id.',
    }),
  })
  .meta({ id: 'ListedPayment' });
export type Payment = z.infer<typeof paymentSchema>;
export type PaymentRow = Omit<Payment, 'user'>;

/** The amount that one participant of a call pays or receives by a charge or a refund. */
export type PaymentSide = Pick<PaymentRow, 'user_id' | 'direction' | 'amount' | 'ref' | 'details'> & { source: string };
