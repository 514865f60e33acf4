import type { CrashPoint } from '@tutoring/shared/testing/database-proxy';
import type { Status } from '../src/records/record.ts';
import { GONE, ModelClaims, REFUSED, type RefundDecision, type Which, type Word } from './model-claims.ts';

/** A request to make; numbers select among the existing records. */
export type Wish =
  | { do: 'deposit'; student: number; amount: number }
  | { do: 'provider'; deposit: number; outcome: 'succeeded' | 'failed' | 'canceled' }
  | { do: 'decide deposit'; deposit: number; status: Status }
  | { do: 'hold'; call: number; amount: number }
  | { do: 'release'; call: number }
  | { do: 'charge'; call: number; again: boolean; amount: number; percent: number; next: number }
  | { do: 'refund'; call: number; amount: number }
  | { do: 'withdraw'; teacher: number; amount: number }
  | { do: 'decide withdrawal'; withdrawal: number; status: Status }
  | { do: 'cancel withdrawal'; withdrawal: number }
  | { do: 'claim'; deposit: number; which: Which; word: Word }
  | { do: 'write off'; dispute: number }
  | { do: 'ask refund'; deposit: number; amount: number }
  | { do: 'decide refund'; refund: number; status: RefundDecision }
  | { do: 'cancel refund'; refund: number }
  | { do: 'echo refund'; refund: number };

/** One step of a random run. */
export type Command =
  | Wish
  | { do: 'expire' }
  | { do: 'delete'; student: number }
  | { do: 'repeat last' }
  | { do: 'die'; during: Wish[]; death: CrashPoint };

interface Call {
  student: number;
  teacher: number;
  hold: { state: 'none' | 'open' | 'released' | 'expired'; amount: number };
  charges: number[];
  commission: number;
  refunded: number;
  commissionRefunded: number;
}

/** A simple wallet in memory, with which the real one is compared. */
export class ModelWallet extends ModelClaims {
  calls: Call[];
  withdrawals: { user: number; amount: number; status: Status }[] = [];
  /** Keys of successful requests: a retry under the same key succeeds and changes nothing. */
  done = new Set<string>();

  constructor(pairs: { student: number; teacher: number }[]) {
    super();
    this.calls = pairs.map((pair) => ({
      ...pair,
      hold: { state: 'none', amount: 0 },
      charges: [],
      commission: 0,
      refunded: 0,
      commissionRefunded: 0,
    }));
    for (const { student, teacher } of pairs) [student, teacher].forEach((user) => this.of(user));
  }

  copy(): ModelWallet {
    return Object.assign(new ModelWallet([]), structuredClone({ ...this }));
  }

  /** Equal wallets have equal texts. */
  text(): string {
    const { deposits, disputes, refunds, closed } = this;
    const claims = [deposits, [...disputes], refunds, [...closed]];
    return JSON.stringify([[...this.money], this.calls, claims, this.withdrawals, [...this.done].sort()]);
  }

  once(key: string, effect: () => number): number {
    if (this.done.has(key)) return 200;
    const status = effect();
    if (status === 200) this.done.add(key);
    return status;
  }

  deposit(user: number, amount: number): number {
    if (this.closed.has(user)) return GONE;
    this.deposits.push({ user, amount, status: 'pending', paid: false, isUnclaimed: false });
    return 200;
  }

  provider(index: number, outcome: 'succeeded' | 'failed' | 'canceled'): number {
    const deposit = this.deposits[index]!;
    const open = deposit.status === 'initiated' || deposit.status === 'pending';
    if (outcome !== 'succeeded') {
      if (open) deposit.status = outcome;
      return 200;
    }
    if (deposit.status !== 'success' && !deposit.paid) {
      this.credit(index);
    }
    deposit.paid = true;
    return 200;
  }

  decideDeposit(index: number, status: Status): number {
    const deposit = this.deposits[index]!;
    if (deposit.status === 'success' && status !== 'success') {
      if (this.isClaimed(index)) return GONE;
      if (!deposit.isUnclaimed) {
        if (this.available(deposit.user) < deposit.amount) return GONE;
        this.of(deposit.user).balance -= deposit.amount;
      }
    }
    if (deposit.status !== 'success' && status === 'success') this.credit(index);
    deposit.status = status;
    return 200;
  }

  /** The amount held under the call's reference, or a refusal. */
  hold(index: number, amount: number): number | 'refused' {
    const { hold, student } = this.calls[index]!;
    if (hold.state === 'open' || hold.state === 'released') return hold.amount;
    if (this.closed.has(student) || this.available(student) < amount) return 'refused';
    Object.assign(hold, { state: 'open', amount });
    this.of(student).held += amount;
    return amount;
  }

  endHold(index: number, state: 'released' | 'expired'): number {
    const { hold, student } = this.calls[index]!;
    if (hold.state !== 'open') return 0;
    const freed = hold.amount;
    this.of(student).held -= freed;
    Object.assign(hold, { state, amount: 0 });
    return freed;
  }

  charge(index: number, step: number, amount: number, percent: number, next: number) {
    const call = this.calls[index]!;
    const { hold, student, teacher } = call;
    const prior = call.charges[step];
    const before = hold.state === 'open' ? hold.amount : 0;
    if (prior !== undefined) return { charged: prior, reserved: before, available: this.available(student) };
    if (this.available(student) + before < amount) return 'refused';
    const commission = Math.floor((amount * percent) / 100);
    this.of(student).held -= before;
    this.of(student).balance -= amount;
    this.of(teacher).balance += amount - commission;
    call.charges.push(amount);
    call.commission += commission;
    const reserved = next > 0 && next <= this.available(student) && hold.state !== 'released' ? next : 0;
    this.of(student).held += reserved;
    if (hold.state !== 'released' && (hold.state !== 'none' || reserved > 0))
      Object.assign(hold, { state: next > 0 ? 'open' : 'released', amount: reserved });
    return { charged: amount, reserved, available: this.available(student) };
  }

  refund(index: number, amount: number): number {
    const call = this.calls[index]!;
    const charged = call.charges.reduce((sum, step) => sum + step, 0);
    if (charged === 0) return 404;
    if (amount > charged - call.refunded) return 422;
    const proRata = Math.floor(((call.refunded + amount) * call.commission) / charged) - call.commissionRefunded;
    const ofPlatform = call.commission - call.commissionRefunded;
    const ofTeacher = charged - call.refunded - ofPlatform;
    const [least, most] = [Math.max(0, amount - ofTeacher), Math.min(amount, ofPlatform)];
    const commission = Math.min(most, Math.max(least, proRata));
    if (this.available(call.teacher) + commission < amount) return GONE;
    this.of(call.teacher).balance -= amount - commission;
    this.of(call.student).balance += amount;
    call.refunded += amount;
    call.commissionRefunded += commission;
    return 200;
  }

  withdraw(user: number, amount: number): number {
    if (this.available(user) < amount) return REFUSED;
    this.of(user).held += amount;
    this.withdrawals.push({ user, amount, status: 'initiated' });
    return 200;
  }

  decideWithdrawal(index: number, status: Status): number {
    const withdrawal = this.withdrawals[index]!;
    const { user, amount } = withdrawal;
    const held = (of: Status) => of === 'initiated' || of === 'pending';
    const money = { ...this.of(user) };
    if (held(withdrawal.status)) money.held -= amount;
    if (withdrawal.status === 'success') money.balance += amount;
    if ((held(status) || status === 'success') && money.balance - money.held < amount) return GONE;
    if (held(status)) money.held += amount;
    if (status === 'success') money.balance -= amount;
    this.money.set(user, money);
    withdrawal.status = status;
    return 200;
  }

  cancelWithdrawal(index: number): number {
    const { status } = this.withdrawals[index]!;
    if (status === 'canceled') return 200;
    return status === 'initiated' ? this.decideWithdrawal(index, 'canceled') : GONE;
  }
}
