import type { Staff } from '../person.ts';
import type { Certainty } from './certainty.ts';

/* What can happen to the payouts of a batch, as the harness understands the interface. */

export type ItemState = 'waiting' | 'sent' | 'paid' | 'failed' | 'uncertain' | 'removed' | 'returned';
/** What a bank or operator reports about a payout. */
export type Word = 'paid' | 'failed' | 'uncertain';

export type Format = 'csv' | 'provider';

export interface ExpectedWithdrawal {
  teacher: number;
  amount: number;
  made: Certainty;
  id?: number;
  /** The possible current states. */
  states: Set<string>;
  /** The payout account; undefined in the old form. */
  account?: number;
  /** Its newest payout in a batch. */
  item?: ExpectedItem;
}

export type MadeWithdrawal = ExpectedWithdrawal & { id: number };

export interface ExpectedItem {
  id?: number;
  reference: string;
  withdrawal: MadeWithdrawal;
  /** A payment provider pays it. */
  isByProvider: boolean;
  /** The possible current states. */
  states: Set<ItemState>;
  /** A report about it that contradicts its state was confirmed: there must be a break. */
  contradicted: boolean;
}

export interface ExpectedBatch {
  id: number;
  maker: Staff;
  format: Format;
  needsApproval: boolean;
  items: ExpectedItem[];
  /** The digest of the file, from the first confirmed export on. */
  sha256?: string;
}

export const OPEN: readonly ItemState[] = ['waiting', 'sent', 'uncertain'];

/** The status of the withdrawal while its newest payout is in a state. */
export const WITHDRAWAL_OF: Record<ItemState, string> = {
  waiting: 'pending',
  sent: 'pending',
  uncertain: 'pending',
  paid: 'success',
  failed: 'failed',
  removed: 'initiated',
  returned: 'failed',
};

/**
 * The states that a payout may reach by itself. The provider of the sandbox is scripted by the last digit of the amount:
 * 1 is refused, 2 gets no answer, 3 comes back later, 4 is paid later, the others are paid.
 */
function futuresOf(state: ItemState, amount: number): ItemState[] {
  const digit = amount % 10;
  if (state === 'paid') return digit === 3 ? ['paid', 'returned'] : ['paid'];
  if (state !== 'sent') return [state];
  if (digit === 1) return ['sent', 'failed'];
  if (digit === 2) return ['sent', 'uncertain'];
  return digit === 3 ? ['sent', 'paid', 'returned'] : ['sent', 'paid'];
}

/** Narrows or widens the possible states of a payout, and with it those of its withdrawal. */
export function setStates(item: ExpectedItem, states: Iterable<ItemState>): void {
  const { isByProvider, withdrawal } = item;
  const all = [...states].flatMap((state) => (isByProvider ? futuresOf(state, withdrawal.amount) : [state]));
  item.states = new Set(all);
  withdrawal.states = new Set([...item.states].map((state) => WITHDRAWAL_OF[state]));
}

export const isOnly = (states: Set<ItemState>, state: ItemState) => states.size === 1 && states.has(state);
export const isOpen = ({ states }: Pick<ExpectedItem, 'states'>) => [...states].every((state) => OPEN.includes(state));

/** What a report does to a payout that was sent. Money that may have been paid is not released because of a report. */
export function reported(state: ItemState, word: Word): { to: ItemState; verdict: string; isBreak: boolean } {
  if (state === 'sent') return { to: word, verdict: word, isBreak: false };
  if (state === 'uncertain' && word === 'paid') return { to: 'paid', verdict: 'paid', isBreak: false };
  if (state === 'uncertain' && word === 'failed') return { to: state, verdict: 'uncertain', isBreak: true };
  const contradicts =
    (word === 'paid' && (state === 'failed' || state === 'removed')) || (word === 'failed' && state === 'paid');
  return { to: state, verdict: 'already', isBreak: contradicts };
}

/** The possible states after these reports, one after another. */
export const afterWords = (states: Set<ItemState>, words: Word[]): Set<ItemState> =>
  words.reduce((now, word) => new Set([...now].map((state) => reported(state, word).to)), states);

/** The possible states after two reports whose order is unknown. */
export const afterRace = (states: Set<ItemState>, one: Word[], other: Word[]): Set<ItemState> =>
  new Set([...afterWords(states, [...one, ...other]), ...afterWords(states, [...other, ...one])]);
