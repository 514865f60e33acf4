import { z } from 'zod';
import { amount, fieldsOf, text, timestamp } from '@tutoring/shared/http/declare/fields';
import { amountFields, noteFields, ownerFields, type Status } from '../records/record.ts';

export const withdrawalSchema = z.strictObject({
  ...ownerFields,
  ...amountFields,
  method: z.string().nullable().meta({ example: 'mobile_money' }),
  account: z.string().nullable().meta({ example: '+22890445566' }),
  ...noteFields,
});
export type Withdrawal = z.infer<typeof withdrawalSchema>;
const ofRow = withdrawalSchema.omit({ user: true });
type PublicWithdrawal = z.infer<typeof ofRow>;

/** As administrators see it: also who moved it to `pending` last. */
export const adminWithdrawalSchema = withdrawalSchema.extend({
  claimed_by: z
    .strictObject({ id: z.int().meta({ example: 3 }), name: z.string().meta({ example: 'Ada Mensah' }) })
    .nullable(),
  claimed_at: timestamp().nullable(),
});

/** The row in the database. */
export interface WithdrawalRow extends PublicWithdrawal {
  holds: number;
  entries: number;
  version: number;
  claimer_id: number | null;
  claimer_name: string | null;
  claimed_at: string | null;
}

/** Without the fields that its owner does not see. */
export const publicWithdrawal = (row: WithdrawalRow): PublicWithdrawal => fieldsOf(ofRow, row);

export function adminWithdrawal(row: WithdrawalRow): Omit<z.infer<typeof adminWithdrawalSchema>, 'user'> {
  const { claimer_id: id, claimer_name: name, claimed_at } = row;
  const claimed_by = id === null || name === null ? null : { id, name };
  return { ...publicWithdrawal(row), claimed_by, claimed_at };
}

export const newWithdrawal = z.object({
  amount: amount().meta({ example: 5000 }),
  method: text(64).meta({ example: 'mobile_money' }),
  account: text().meta({ example: '+22890445566' }),
});

export type NewWithdrawal = z.output<typeof newWithdrawal>;

export type LedgerStep = 'hold' | 'release' | 'capture' | 'reverse';

const HELD: Status[] = ['initiated', 'pending'];

/** The ledger steps of a withdrawal's move, in order. Its money is held, paid out, or the user's. */
export function withdrawalSteps(from: Status, to: Status): LedgerStep[] {
  const place = (of: Status) => (of === 'success' ? 'paid' : HELD.includes(of) ? 'held' : 'free');
  const steps: Record<string, LedgerStep[]> = {
    'held>paid': ['capture'],
    'held>free': ['release'],
    'free>held': ['hold'],
    'free>paid': ['hold', 'capture'],
    'paid>held': ['reverse', 'hold'],
    'paid>free': ['reverse'],
  };
  return steps[`${place(from)}>${place(to)}`] ?? [];
}
