import { z } from 'zod';
import { timestamp } from '@tutoring/shared/http/declare/fields';
import { isAccepted, type Call } from '../call/call.ts';
import { dueAt } from '../call/meter.ts';
import type { CallLedger } from '../wallet/wallet.ts';
import type { CallRow } from './call-row.ts';

const line = z.strictObject({
  step: z.int().meta({ example: 1 }),
  due_at: timestamp(),
  amount: z.int().meta({ example: 150 }),
  ref: z.string().nullable().meta({
    description: 'Of the movement, as the statement has it; null for a step that cost nothing.',
    example: 'call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1',
  }),
});

export const receipt = z.strictObject({
  identifier: z.string().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
  student_name: z.string().meta({ example: 'Awa Diallo' }),
  teacher_name: z.string().meta({ example: 'Kossi Mensah' }),
  currency: z.string().meta({ example: 'XOF' }),
  lines: z.array(line),
  total: z.int().meta({ description: 'The sum of the lines, before refunds.', example: 150 }),
  refunded: z.int().meta({ example: 0 }),
  started_at: timestamp().nullable(),
  ended_at: timestamp().nullable(),
  commission: z
    .int()
    .optional()
    .meta({ description: 'Only for the teacher: what of `total` the platform kept.', example: 15 }),
  earned: z.int().optional().meta({ description: 'Only for the teacher: `total` without `commission`.', example: 135 }),
});
export type Receipt = z.infer<typeof receipt>;

const sum = (amounts: { amount: number }[]) => amounts.reduce((total, { amount }) => total + amount, 0);

/**
 * What a call cost, step by step. Only the ledger says what was charged, even when wallet's answer to a charge was
 * lost. The call adds the free steps, which are not in the ledger.
 */
export function receiptOf(
  call: Call,
  { row, ledger, isTeacher }: { row: CallRow; ledger: CallLedger; isTeacher: boolean },
): Receipt {
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
  const commission = ledger.charges.reduce((kept, charge) => kept + charge.commission, 0);
  return {
    identifier: call.identifier,
    student_name: row.student_name,
    teacher_name: row.teacher_name,
    currency: ledger.currency,
    lines: isAccepted(call) ? lines(call) : [],
    total,
    refunded: sum(ledger.refunds),
    started_at: call.accepted_at,
    ended_at: isAccepted(call) ? call.ended_at : null,
    ...(isTeacher && { commission, earned: total - commission }),
  };
}
