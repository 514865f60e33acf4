import type { EventContext } from '@tutoring/shared/kit/events/publish/outbox';
import type { CommandData, CommandReply } from '@tutoring/shared/contract/commands';
import {
  availableOf,
  balanceEvents,
  heldBy,
  newHold,
  nextVersion,
  SYSTEM_ACCOUNTS,
  type Account,
  type Accounts,
  type Hold,
  type Posting,
} from '../ledger/account.ts';
import type { PaymentSide } from '../payments/payment.ts';

/** A charge for one step of a call. `context` goes into its events. */
export type Charge = CommandData<'charge.make-batch'>['charges'][number] & { context: EventContext };
/** The result of one charge. */
export type ChargeVerdict = CommandReply<'charge.make-batch'>[number];

/**
 * `amount` * `part` / `of`, rounded down to the smallest unit: the platform's commission on a charge, or its share of a
 * refund.
 */
export const commissionOf = (amount: number, { part, of }: { part: number; of: number }) =>
  Number((BigInt(amount) * BigInt(part)) / BigInt(of));

/** An earlier charge under the same reference. */
type PriorCharge = Pick<Posting, 'debit' | 'amount'>;

/** The state before a charge. */
interface ChargeState {
  student: Account;
  teacher: Account;
  hold: Hold | undefined;
  prior: PriorCharge | undefined;
}

/** Changes that a charge makes; without `hold` the hold stays unchanged. */
interface ChargeEffect extends Omit<ChargeState, 'prior'> {
  postings: Posting[];
  payments: PaymentSide[];
}

/** The hold of a call after a step: open until `until` if another step follows, else released. Undefined: unchanged. */
function holdAfter(charge: Charge, hold: Hold | undefined, reserved: number, until: string): Hold | undefined {
  if (hold?.state === 'released' || (!hold && reserved === 0)) return undefined;
  const state = charge.next_amount > 0 ? 'open' : 'released';
  return { ...(hold ?? newHold(charge.hold, charge.student_id)), amount: reserved, state, expires_at: until };
}

/**
 * Decides the charge of one step: once per reference, paid from the call's hold first, then from available money.
 * Reserves the next step only if its whole amount is available.
 */
export function chargeStep(
  charge: Charge,
  { student, teacher, hold, prior }: ChargeState,
  until: string,
): { verdict: ChargeVerdict; effect?: ChargeEffect } {
  const { reference, student_id, teacher_id, amount, call } = charge;
  const held = heldBy(hold);
  const unchanged = (verdict: ChargeVerdict['verdict'], charged = 0) => ({
    verdict: { verdict, charged, reserved: held, available: availableOf(student) },
  });
  if ((prior && prior.debit !== student_id) || (hold && hold.user_id !== student_id)) return unchanged('conflict');
  if (prior) return unchanged('repeated', prior.amount);
  const left = availableOf(student) + held - amount;
  if (left < 0) return unchanged('refused');

  const reserved = charge.next_amount <= left && hold?.state !== 'released' ? charge.next_amount : 0;
  const commission = commissionOf(amount, { part: charge.commission_percent, of: 100 });
  const earned = amount - commission;
  const postings: Posting[] = [{ kind: 'call', reference, debit: student_id, credit: teacher_id, amount }];
  if (commission > 0) {
    const credit = SYSTEM_ACCOUNTS.revenue;
    postings.push({ kind: 'commission', reference, debit: teacher_id, credit, amount: commission });
  }
  const payment = { source: `call:${call.identifier}`, ref: call.identifier, details: `${call.call_type} call` };
  return {
    verdict: { verdict: 'done', charged: amount, reserved, available: left - reserved },
    effect: {
      student: { ...student, balance: student.balance - amount, held: student.held - held + reserved },
      teacher: { ...teacher, balance: teacher.balance + earned },
      hold: holdAfter(charge, hold, reserved, until),
      postings,
      payments: [
        { ...payment, user_id: student_id, direction: 'out', amount },
        { ...payment, user_id: teacher_id, direction: 'in', amount: earned },
      ],
    },
  };
}

/** State before a batch: the locked accounts, and the holds and charges under the references of the batch. */
interface Books {
  accounts: Accounts;
  holds: ReadonlyMap<string, Hold>;
  prior: ReadonlyMap<string, PriorCharge>;
}

/**
 * Rows and events that a batch of charges writes: the final state of each changed row, in the order of its first
 * change.
 */
function entriesOf(effects: (ChargeEffect & Pick<Charge, 'context'>)[], currency: string) {
  const contexts = new Map<number, EventContext>();
  const accounts = new Map<number, Account>();
  const holds = new Map<string, Hold>();
  const payments = new Map<string, PaymentSide>();
  // Payers first: events are published in this order.
  for (const { student } of effects) accounts.set(student.user_id, student);
  for (const { student, teacher, hold, context, ...effect } of effects) {
    for (const account of [student, teacher]) {
      accounts.set(account.user_id, account);
      contexts.set(account.user_id, context);
    }
    if (hold) holds.set(hold.reference, hold);
    for (const payment of effect.payments) {
      const key = `${payment.source}:${payment.user_id}`;
      payments.set(key, { ...payment, amount: payment.amount + (payments.get(key)?.amount ?? 0) });
    }
  }
  const nextAccounts = [...accounts.values()].map(nextVersion);
  return {
    accounts: nextAccounts,
    holds: [...holds.values()].map(nextVersion),
    postings: effects.flatMap(({ postings }) => postings),
    payments: [...payments.values()],
    events: nextAccounts.flatMap((account) =>
      balanceEvents(account, currency).map((event) => ({ ...event, context: contexts.get(account.user_id) })),
    ),
  };
}

/**
 * Decides charges one after the other, each on the state after the previous ones. The verdict of a charge is undefined
 * if one of its accounts is not locked.
 */
export function chargeSteps(charges: Charge[], books: Books, { until, currency }: { until: string; currency: string }) {
  const accounts = new Map(books.accounts);
  const holds = new Map(books.holds);
  const prior = new Map(books.prior);
  const effects: Parameters<typeof entriesOf>[0] = [];
  const verdicts = charges.map((charge): ChargeVerdict | undefined => {
    const [student, teacher] = [accounts.get(charge.student_id), accounts.get(charge.teacher_id)];
    if (!student || !teacher) return undefined;
    const state = { student, teacher, hold: holds.get(charge.hold), prior: prior.get(charge.reference) };
    const { verdict, effect } = chargeStep(charge, state, until);
    if (effect) {
      effects.push({ ...effect, context: charge.context });
      for (const account of [effect.student, effect.teacher]) accounts.set(account.user_id, account);
      if (effect.hold) holds.set(charge.hold, effect.hold);
      prior.set(charge.reference, { debit: charge.student_id, amount: charge.amount });
    }
    return verdict;
  });
  return { verdicts, entries: entriesOf(effects, currency) };
}
