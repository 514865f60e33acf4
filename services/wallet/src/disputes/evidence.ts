import { z } from 'zod';
import { timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { named } from './dispute.ts';

const charge = z
  .strictObject({
    step: z.int().meta({ example: 1 }),
    amount: z.int().meta({ example: 100 }),
    reference: z.string().meta({ example: 'call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1' }),
    created_at: timestamp(),
  })
  .meta({ id: 'EvidenceCharge' });

const call = z
  .strictObject({
    identifier: z.string().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
    student: named,
    teacher: named,
    started_at: timestamp().meta({ description: 'Time of the first charge.' }),
    ended_at: timestamp().meta({ description: 'Time of the last charge.' }),
    steps: z.int().meta({ description: 'Charged steps.', example: 3 }),
    amount: z.int().meta({ description: 'All charges of the call.', example: 300 }),
    from_deposit: z.int().meta({ description: 'The part paid with the disputed deposit.', example: 300 }),
    charges: z.array(charge),
    refunds: z.array(charge.omit({ step: true }).meta({ id: 'EvidenceRefund' })),
  })
  .meta({ id: 'EvidenceCall' });

/** What shows that a deposit was used: its calls with receipts, and sign-ins. It never has the text of a message. */
export const evidenceSchema = z
  .strictObject({
    dispute_id: z.int().meta({ example: 7 }),
    deposit_id: z.int().meta({ example: 12 }),
    amount: z.int().meta({ example: 5000 }),
    currency: z.string().meta({ example: 'XOF' }),
    student: named,
    deposited_at: timestamp(),
    calls: z.array(call),
    sign_ins: z.array(
      z
        .strictObject({
          at: timestamp().meta({ description: 'The last one from this network.' }),
          network: z.string().meta({ example: '192.0.2.0/24' }),
        })
        .meta({ id: 'SignIn' }),
    ),
  })
  .meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof evidenceSchema>;

/** A movement of a student's money, oldest first. */
export interface SpentLine {
  direction: 'in' | 'out';
  amount: number;
  /** Of the deposit itself, or of a dispute or refund of it. */
  deposit_id: number | null;
  call_identifier: string | null;
}

/**
 * The amounts that a deposit has paid for calls, by call: the oldest money is spent first. A reversal, dispute or refund
 * takes the money of its own deposit.
 */
export function callsPaidBy(lines: SpentLine[], depositId: number): Map<string, number> {
  const credits: { deposit_id: number | null; left: number }[] = [];
  const paid = new Map<string, number>();
  for (const { direction, amount, deposit_id, call_identifier: call } of lines) {
    if (direction === 'in') {
      credits.push({ deposit_id, left: amount });
      continue;
    }
    let due = amount;
    const own = credits.filter((credit) => deposit_id !== null && credit.deposit_id === deposit_id);
    for (const credit of [...own, ...credits]) {
      const part = Math.min(credit.left, due);
      credit.left -= part;
      due -= part;
      if (part > 0 && call !== null && credit.deposit_id === depositId) paid.set(call, (paid.get(call) ?? 0) + part);
      if (due === 0) break;
    }
    while (credits[0]?.left === 0) credits.shift();
  }
  return paid;
}
