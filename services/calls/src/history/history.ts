import { z } from 'zod';
import { CALL_TYPES } from '@tutoring/shared/contract/call-types';
import { pickFields, id, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';
import { CALL_STATES, callFields, dueAt, endReasonOf, END_REASONS, isAccepted, type Call } from '../call/call.ts';
import type { CallLedger } from '../wallet/wallet.ts';

export const callFilter = z.object({
  ...pageFields,
  state: z.enum(CALL_STATES).optional().meta({ example: 'ended' }),
  call_type: z.enum(CALL_TYPES).optional().meta({ example: 'video' }),
  user_id: id().optional().meta({ example: 12 }),
  ...dayFields,
});

/** A call as shown to its two people and to administrators. */
export const callRow = callFields
  .extend({
    student_name: z.string().meta({ example: 'Awa Diallo' }),
    teacher_name: z.string().meta({ example: 'Kossi Mensah' }),
    student_photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
    teacher_photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
    refunded: z.int().meta({ description: 'The sum of the refunds so far.', example: 0 }),
    ended_by: z
      .enum(END_REASONS)
      .nullable()
      .meta({
        description:
          'Who hung up, canceled or rejected; `money`: the balance was used up; `silence`: two steps without a bill, or without ' +
          'a sign of life of the student; `ban`: one of the two was banned. Null while the call is live, and when it was missed.',
        example: 'teacher',
      }),
  })
  .meta({ id: 'Call' });
export type CallRow = z.infer<typeof callRow>;

/** A call's row with the names and photos of its participants, and its refunds. */
export type DetailedCall = Call & Omit<CallRow, keyof Call>;

export const rowOf = (call: DetailedCall) =>
  pickFields(callRow, { ...call, ended_by: call.ended_by && endReasonOf(call.ended_by) });

const line = z
  .strictObject({
    step: z.int().meta({ example: 1 }),
    due_at: timestamp(),
    amount: z.int().meta({ example: 150 }),
    ref: z.string().nullable().meta({
      description: 'Reference of the movement, as in the statement; null for a free step.',
      example: 'call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1',
    }),
  })
  .meta({ id: 'ReceiptLine' });

export const receipt = z
  .strictObject({
    ...callRow.pick({ identifier: true, student_name: true, teacher_name: true }).shape,
    currency: z.string().meta({ example: 'XOF' }),
    lines: z.array(line),
    total: z.int().meta({ description: 'The sum of the lines, before refunds.', example: 150 }),
    refunded: z.int().meta({ example: 0 }),
    started_at: timestamp().nullable(),
    ended_at: timestamp().nullable(),
    commission: z
      .int()
      .optional()
      .meta({ description: 'Only for the teacher: the part of `total` that the platform keeps.', example: 15 }),
    earned: z.int().optional().meta({ description: 'Only for the teacher: `total` less `commission`.', example: 135 }),
  })
  .meta({ id: 'Receipt' });

const sum = (amounts: { amount: number }[]) => amounts.reduce((total, { amount }) => total + amount, 0);

/**
 * The cost of a call, step by step. The ledger is the source of charges, as an answer to a charge may be lost. The call
 * adds the free steps, which are not in the ledger.
 */
export function receiptOf(call: DetailedCall, ledger: CallLedger, isTeacher: boolean): z.infer<typeof receipt> {
  const charged = new Map(ledger.charges.map((charge) => [charge.step, charge]));
  const steps = Math.max(call.steps, ...charged.keys());
  const lines = (accepted: { accepted_at: string; iterator: number }) =>
    Array.from({ length: steps }, (_, index) => ({
      step: index + 1,
      due_at: dueAt(accepted.accepted_at, index + 1, accepted.iterator),
      amount: charged.get(index + 1)?.amount ?? 0,
      ref: charged.get(index + 1)?.reference ?? null,
    }));
  const total = sum(ledger.charges);
  const commission = ledger.charges.reduce((subtotal, charge) => subtotal + charge.commission, 0);
  return pickFields(receipt, {
    ...call,
    currency: ledger.currency,
    lines: isAccepted(call) ? lines(call) : [],
    total,
    refunded: sum(ledger.refunds),
    started_at: call.accepted_at,
    ended_at: isAccepted(call) ? call.ended_at : null,
    ...(isTeacher && { commission, earned: total - commission }),
  });
}

const END_EVENTS = END_REASONS.map((end) => `ended_by_${end}` as const);
const TIMELINE_EVENTS = ['rang', 'accepted', 'billed', 'low_balance', ...END_EVENTS, 'settled'] as const;
const timelineEntry = z.strictObject({ event: z.enum(TIMELINE_EVENTS), at: timestamp() }).meta({ id: 'TimelineEntry' });

const ref = z.string().meta({ example: 'call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1' });
const amount = z.int().meta({ example: 150 });

const charge = z
  .strictObject({
    step: z.int().meta({ example: 1 }),
    amount,
    commission: z.int().meta({ example: 15 }),
    ref,
    created_at: timestamp(),
  })
  .meta({ id: 'Charge' });
const refund = z.strictObject({ amount, ref, created_at: timestamp() }).meta({ id: 'Refund' });

/** A call with all details, for administrators. */
export const callDetail = callRow
  .extend({
    charges: z.array(charge),
    refunds: z.array(refund),
    timeline: z.array(timelineEntry),
  })
  .meta({ id: 'CallDetail' });

/**
 * The events of a call, oldest first. A settled call does not change any more, so `updated_at` is when it was settled.
 */
function timelineOf(call: Call, ledger: CallLedger, lowBalances: string[]): z.infer<typeof timelineEntry>[] {
  const entries: { event: (typeof TIMELINE_EVENTS)[number]; at: string | null }[] = [
    { event: 'rang', at: call.created_at },
    { event: 'accepted', at: call.accepted_at },
    ...ledger.charges.map(({ created_at: at }) => ({ event: 'billed' as const, at })),
    ...lowBalances.map((at) => ({ event: 'low_balance' as const, at })),
    ...(call.ended_by ? [{ event: `ended_by_${endReasonOf(call.ended_by)}` as const, at: call.ended_at }] : []),
    { event: 'settled', at: isAccepted(call) && call.settled ? call.updated_at : null },
  ];
  return entries
    .flatMap(({ event, at }) => (at === null ? [] : { event, at }))
    .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

/** `lowBalances`: the times of the low-balance warnings. */
export const detailOf = (
  call: DetailedCall,
  ledger: CallLedger,
  lowBalances: string[],
): z.infer<typeof callDetail> => ({
  ...rowOf(call),
  refunded: sum(ledger.refunds),
  charges: ledger.charges.map((entry) => pickFields(charge, { ...entry, ref: entry.reference })),
  refunds: ledger.refunds.map((entry) => pickFields(refund, { ...entry, ref: entry.reference })),
  timeline: timelineOf(call, ledger, lowBalances),
});
