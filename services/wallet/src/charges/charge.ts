import { z } from 'zod';
import { id, integer, text } from '@tutoring/shared/http/fields';
import { sentences } from '@tutoring/shared/http/validation';
import { amount, MAX_AMOUNT } from '@tutoring/shared/money';
import { callReference } from '../holds/hold.ts';

export const MAX_CHARGES = 128;

/** A step of a call to be paid: from the hold first, from available money for the rest. */
export const chargeBody = z
  .object({
    reference: text().regex(/^call:[^:]+:step:[1-9]\d{0,8}$/),
    hold: callReference(),
    student_id: id(),
    teacher_id: id(),
    amount: amount(),
    commission_percent: integer({ min: 0, max: 100 }),
    /** What to hold for the next step; 0 when there is none. */
    next_amount: integer({ min: 0, max: MAX_AMOUNT }),
    call: z.object({
      identifier: text().regex(/^[^:]+$/),
      call_type: z.enum(['video', 'audio']),
      step: integer({ min: 1 }),
    }),
    /** The request that the events come from, when it is not this one. */
    context: z.object({ requestId: text().optional(), traceparent: text().optional() }).optional(),
  })
  .refine((charge) => charge.student_id !== charge.teacher_id, { path: ['teacher_id'], message: sentences.selected });

export interface Charge {
  reference: string;
  hold: string;
  studentId: number;
  teacherId: number;
  amount: number;
  commissionPercent: number;
  nextAmount: number;
  identifier: string;
  callType: string;
  /** Of the request, for the events. */
  context: string;
}

/** `reserved` < the asked next amount tells that the next step is not covered. */
export const chargeAnswer = z.strictObject({ charged: z.int(), reserved: z.int(), available: z.int() });
export type ChargeAnswer = z.infer<typeof chargeAnswer>;

/** What became of one charge. */
export interface ChargeVerdict extends ChargeAnswer {
  verdict: 'done' | 'repeated' | 'refused' | 'conflict';
}

/** What became of one of several; `failed` means that nobody knows, and to ask again. */
export const chargeVerdict = chargeAnswer.extend({
  verdict: z.enum(['done', 'repeated', 'refused', 'conflict', 'failed']),
});
