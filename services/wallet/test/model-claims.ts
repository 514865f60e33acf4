import type { Status } from '../src/records/record.ts';

/** Which claim of a deposit: a dispute of the whole, one of a half, or a refund of a third at the provider. */
export type Which = 'whole' | 'half' | 'refund';
/** What the provider says of it. */
export type Word = 'opened' | 'won' | 'lost';
export type RefundDecision = 'sent' | 'rejected' | 'success' | 'failed';

interface Money {
  balance: number;
  held: number;
}
interface Deposit {
  user: number;
  amount: number;
  status: Status;
  paid: boolean;
  /** The last credit went to the platform, because the account was closed. */
  isUnclaimed: boolean;
}
interface Dispute {
  deposit: number;
  amount: number;
  word: Word;
  taken: number;
  owed: number;
  recovered: number;
  step: 'untouched' | 'taken' | 'returned';
}
interface Refund {
  deposit: number;
  user: number;
  amount: number;
  status: RefundDecision | 'requested' | 'canceled';
}

export const REFUSED = 402;
export const GONE = 409;
const TOO_MUCH = 422;

export const amountOf = (which: Which, deposit: { amount: number }) =>
  Math.max(1, Math.floor(deposit.amount / { whole: 1, half: 2, refund: 3 }[which]));

/** Deposits with their disputes and refunds in memory. Later deposits pay debts. */
export abstract class ModelClaims {
  money = new Map<number, Money>();
  deposits: Deposit[] = [];
  /** By `deposit/which`, in the order in which they were first heard of. */
  disputes = new Map<string, Dispute>();
  refunds: Refund[] = [];
  closed = new Set<number>();

  of(user: number): Money {
    const known = this.money.get(user) ?? { balance: 0, held: 0 };
    this.money.set(user, known);
    return known;
  }

  available(user: number): number {
    return this.of(user).balance - this.of(user).held;
  }

  credit(index: number): void {
    const deposit = this.deposits[index]!;
    deposit.status = 'success';
    deposit.isUnclaimed = this.closed.has(deposit.user);
    if (!deposit.isUnclaimed) this.of(deposit.user).balance += deposit.amount;
    let left = deposit.amount;
    for (const debt of this.disputesOf(deposit.user)) {
      const part = Math.min(debt.owed, left, this.available(deposit.user));
      left -= part;
      debt.owed -= part;
      debt.recovered += part;
      this.of(deposit.user).balance -= part;
    }
    for (const dispute of this.disputes.values()) if (dispute.deposit === index) this.settle(dispute);
  }

  disputesOf(user: number): Dispute[] {
    return [...this.disputes.values()].filter(({ deposit }) => this.deposits[deposit]!.user === user);
  }

  /** What is left of a deposit that the platform has. */
  private unclaimedOf(index: number): number {
    const taken = [...this.disputes.values()].filter(({ deposit, step }) => deposit === index && step === 'taken');
    return this.deposits[index]!.amount - taken.reduce((sum, dispute) => sum + dispute.taken, 0);
  }

  private settle(dispute: Dispute): void {
    const { user, status, isUnclaimed } = this.deposits[dispute.deposit]!;
    if (dispute.step === 'untouched' && dispute.word !== 'won' && status === 'success') {
      dispute.step = 'taken';
      const rest = isUnclaimed ? this.unclaimedOf(dispute.deposit) : this.available(user);
      dispute.taken = Math.min(dispute.amount, rest);
      dispute.owed = this.closed.has(user) ? 0 : dispute.amount - dispute.taken;
      if (!isUnclaimed) this.of(user).balance -= dispute.taken;
    } else if (dispute.step === 'taken' && dispute.word === 'won') {
      dispute.step = 'returned';
      dispute.owed = 0;
      if (!isUnclaimed && !this.closed.has(user)) this.of(user).balance += dispute.taken + dispute.recovered;
    }
  }

  claim(index: number, which: Which, word: Word): number {
    const key = `${index}/${which}`;
    const known = this.disputes.get(key);
    if (known?.word === 'won' || (known?.word === 'lost' && word === 'opened')) return 200;
    const amount = amountOf(which, this.deposits[index]!);
    if (which === 'refund' && !known && this.refundedOf(index) + amount > this.deposits[index]!.amount) return 200;
    const dispute = known ?? { deposit: index, amount, word, taken: 0, owed: 0, recovered: 0, step: 'untouched' };
    dispute.word = word;
    this.disputes.set(key, dispute);
    if (!known)
      for (const refund of this.refunds)
        if (refund.deposit === index && refund.status === 'requested') this.endRefund(refund, 'canceled');
    this.settle(dispute);
    return 200;
  }

  private refundedOf(index: number): number {
    const own = this.refunds.filter(({ deposit, status }) => deposit === index && status === 'success');
    return own.reduce((sum, { amount }) => sum + amount, 0);
  }

  writeOff(key: string): number {
    this.disputes.get(key)!.owed = 0;
    return 200;
  }

  close(user: number): void {
    this.closed.add(user);
    for (const debt of this.disputesOf(user)) debt.owed = 0;
  }

  /** Whether a deposit is disputed, or a refund of it is open or successful. */
  isClaimed(index: number): boolean {
    const open = ['requested', 'sent', 'success'];
    return (
      [...this.disputes.values()].some(({ deposit }) => deposit === index) ||
      this.refunds.some(({ deposit, status }) => deposit === index && open.includes(status))
    );
  }

  askRefund(index: number, amount: number): number {
    const deposit = this.deposits[index]!;
    if (this.closed.has(deposit.user) || deposit.status !== 'success') return GONE;
    let left = deposit.amount;
    for (const { deposit: of, word, amount: part } of this.disputes.values())
      if (of === index && word !== 'won') left -= part;
    for (const { deposit: of, status, amount: part } of this.refunds)
      if (of === index && ['requested', 'sent', 'success'].includes(status)) left -= part;
    if (left <= 0) return GONE;
    if (amount > left) return TOO_MUCH;
    if (amount > this.available(deposit.user)) return REFUSED;
    this.of(deposit.user).held += amount;
    this.refunds.push({ deposit: index, user: deposit.user, amount, status: 'requested' });
    return 200;
  }

  private endRefund(refund: Refund, status: Refund['status']): void {
    this.of(refund.user).held -= refund.amount;
    if (status === 'success') this.of(refund.user).balance -= refund.amount;
    refund.status = status;
  }

  decideRefund(index: number, status: RefundDecision): number {
    const refund = this.refunds[index]!;
    if (refund.status === status) return 200;
    const from = status === 'sent' || status === 'rejected' ? 'requested' : 'sent';
    if (refund.status !== from) return GONE;
    if (status === 'sent') refund.status = status;
    else this.endRefund(refund, status);
    return 200;
  }

  cancelRefund(index: number): number {
    const refund = this.refunds[index]!;
    if (refund.status === 'canceled') return 200;
    if (refund.status !== 'requested') return GONE;
    this.endRefund(refund, 'canceled');
    return 200;
  }

  /** The provider says that it has made the refund. */
  echoRefund(index: number): number {
    const refund = this.refunds[index]!;
    if (refund.status === 'sent') this.endRefund(refund, 'success');
    return 200;
  }
}
