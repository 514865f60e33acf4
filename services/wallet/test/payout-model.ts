import fc from 'fast-check';
import type { CrashPoint } from '@tutoring/shared/testing/database-proxy';
import { crashPoints } from '@tutoring/shared/testing/lives';
import type { Mood, Operator } from './operator-stand-in.ts';
import { CHECKER, MAKER } from './payouts.ts';

/* What happens to batches in the model: what administrators do, what the operator does, and time. */

export type Wish =
  | { do: 'make'; picks: number[]; by: number; format: string }
  | { do: 'approve' | 'cancel' | 'export'; batch: number; by: number }
  | { do: 'remove'; batch: number; item: number }
  | { do: 'report'; batch: number; said: string[] }
  | { do: 'apply again' }
  | { do: 'settle'; batch: number; item: number; status: string; by: number }
  | { do: 'decide'; withdrawal: number; status: string }
  | { do: 'cancel withdrawal'; withdrawal: number }
  | { do: 'operator'; mood: Mood | 'away' }
  | { do: 'end'; payout: number; isPaid: boolean }
  | { do: 'hint'; payout: number }
  | { do: 'wait'; days: number };
export type Command = Wish | { do: 'die'; during: Wish[]; death: CrashPoint };

const nr = fc.nat({ max: 9 });
const by = fc.constantFrom(MAKER, CHECKER);
const of = <Kind extends Command['do']>(kind: Kind, fields: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ do: fc.constant(kind), ...fields }) as fc.Arbitrary<Extract<Command, { do: Kind }>>;
const step = (kind: 'approve' | 'cancel' | 'export', weight: number) => ({
  weight,
  arbitrary: of(kind, { batch: nr, by }),
});
const MOODS: (Mood | 'away')[] = ['paid', 'pending', 'pending', 'failed', 'lost', 'mute', 'strange word', 'away'];

const wish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 6,
    arbitrary: of('make', {
      picks: fc.uniqueArray(nr, { minLength: 1, maxLength: 4 }),
      by,
      format: fc.constantFrom('csv', 'provider', 'provider'),
    }),
  },
  step('approve', 6),
  step('export', 6),
  step('cancel', 1),
  { weight: 2, arbitrary: of('remove', { batch: nr, item: nr }) },
  {
    weight: 5,
    arbitrary: of('report', {
      batch: nr,
      said: fc.array(fc.constantFrom('paid', 'failed', 'who knows'), { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 2, arbitrary: of('apply again') },
  {
    weight: 3,
    arbitrary: of('settle', { batch: nr, item: nr, status: fc.constantFrom('paid', 'failed', 'returned'), by }),
  },
  {
    weight: 3,
    arbitrary: of('decide', { withdrawal: nr, status: fc.constantFrom('initiated', 'pending', 'success', 'failed') }),
  },
  { weight: 1, arbitrary: of('cancel withdrawal', { withdrawal: nr }) },
  { weight: 4, arbitrary: of('operator', { mood: fc.constantFrom(...MOODS) }) },
  { weight: 3, arbitrary: of('end', { payout: nr, isPaid: fc.boolean() }) },
  { weight: 2, arbitrary: of('hint', { payout: nr }) },
  { weight: 4, arbitrary: of('wait', { days: fc.constantFrom(0, 0, 0, 4) }) },
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: wish },
  {
    weight: 3,
    arbitrary: of('die', {
      during: fc.array(wish, { minLength: 1, maxLength: 4, size: 'max' }),
      death: crashPoints(6),
    }),
  },
);

export const lives = fc.array(command, { minLength: 30, maxLength: 30, size: 'max' });

export interface Seen {
  id: number;
  batch_id: number;
  withdrawal_id: number;
  status: string;
  amount: number;
  key: string | null;
  is_by_hand: boolean;
  batch: string;
  withdrawal: string;
  captured: number;
  held: number;
}

export const LOOK = `
  select i.id, i.batch_id, i.withdrawal_id, i.status, i.amount, i.payout_key as key, i.settler_id is not null as is_by_hand,
    b.status as batch, w.status as withdrawal,
    (select coalesce(sum(case kind when 'withdrawal' then t.amount else -t.amount end), 0) from transfer t
      where t.kind in ('withdrawal', 'withdrawal_reversal') and t.withdrawal_id = i.withdrawal_id) as captured,
    (select coalesce(sum(h.amount), 0) from hold h where h.state = 'open' and h.withdrawal_id = i.withdrawal_id) as held
  from payout_item i join payout_batch b on b.id = i.batch_id join withdrawal w on w.id = i.withdrawal_id
  where i.withdrawal_id = any($1::bigint[]) order by i.id`;

export const OPEN = ['waiting', 'sent', 'uncertain'];
/** Every way of an item, by the states before and after any number of steps. */
export const WAYS: Record<string, string[]> = {
  waiting: ['waiting', 'sent', 'uncertain', 'paid', 'failed', 'returned', 'removed'],
  sent: ['sent', 'uncertain', 'paid', 'failed', 'returned'],
  uncertain: ['uncertain', 'paid', 'failed', 'returned'],
  paid: ['paid', 'returned'],
  failed: ['failed'],
  removed: ['removed'],
  returned: ['returned'],
};

/** How the operator takes what is sent from now on, or that it answers nobody. */
export function turn(far: Operator, mood: Mood | 'away'): void {
  far.state.isAway = mood === 'away';
  if (mood !== 'away') far.be(mood);
}

/** Ends a payout at the operator: an open one is paid or fails, a paid one comes back. It never pays what has failed. */
export function endAt(far: Operator, key: string, isPaid: boolean): void {
  const payout = far.payouts.get(key);
  if (!payout || ['failed', 'returned'].includes(payout.status)) return;
  if (payout.status === 'paid') payout.status = isPaid ? 'paid' : 'returned';
  else payout.status = isPaid ? 'paid' : 'failed';
}
