import { z } from 'zod';
import { fieldsOf, timestamp } from '@tutoring/shared/http/declare/fields';
import { ENDS, isAccepted, type Call } from '../call/call.ts';
import type { CallLedger } from '../wallet/wallet.ts';
import { callRow, type CallRow } from './call-row.ts';

const ENDED_BY = ENDS.map((end) => `ended_by_${end}` as const);
const MOMENTS = ['rang', 'accepted', 'billed', 'low_balance', ...ENDED_BY, 'settled'] as const;
const moment = z.strictObject({ event: z.enum(MOMENTS), at: timestamp() });

const ref = z.string().meta({ example: 'call:0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410:step:1' });
const amount = z.int().meta({ example: 150 });

const charge = z.strictObject({
  step: z.int().meta({ example: 1 }),
  amount,
  commission: z.int().meta({ example: 15 }),
  ref,
  created_at: timestamp(),
});
const refund = z.strictObject({ amount, ref, created_at: timestamp() });

/** A call with all details, as shown to an administrator. */
export const callDetail = callRow.extend({
  charges: z.array(charge),
  refunds: z.array(refund),
  timeline: z.array(moment),
});
export type CallDetail = z.infer<typeof callDetail>;

interface Facts {
  row: CallRow;
  ledger: CallLedger;
  lowBalances: string[];
}

/** What happened in a call, oldest first; `billed` is a charge. The row of a settled call no longer changes. */
function timelineOf(call: Call, { row, ledger, lowBalances }: Facts): z.infer<typeof moment>[] {
  const moments: { event: (typeof MOMENTS)[number]; at: string | null }[] = [
    { event: 'rang', at: call.created_at },
    { event: 'accepted', at: call.accepted_at },
    ...ledger.charges.map(({ created_at: at }) => ({ event: 'billed' as const, at })),
    ...lowBalances.map((at) => ({ event: 'low_balance' as const, at })),
    ...(row.ended_by ? [{ event: `ended_by_${row.ended_by}` as const, at: call.ended_at }] : []),
    { event: 'settled', at: isAccepted(call) && call.settled ? call.updated_at : null },
  ];
  return moments
    .flatMap(({ event, at }) => (at === null ? [] : { event, at }))
    .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

export const detailOf = (call: Call, facts: Facts): CallDetail => ({
  ...facts.row,
  charges: facts.ledger.charges.map((one) => fieldsOf(charge, { ...one, ref: one.reference })),
  refunds: facts.ledger.refunds.map((one) => fieldsOf(refund, { ...one, ref: one.reference })),
  timeline: timelineOf(call, facts),
});
