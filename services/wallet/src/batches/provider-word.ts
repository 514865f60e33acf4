import { nextAskAge, nextReturnAge } from '../providers/asking.ts';
import type { ProviderPayout } from '../providers/provider.ts';
import type { ProviderWord } from './batch-move.ts';

/** What came back from a provider. `none`: it knows no such payout; `silence`: nobody knows. */
export type Answer = ProviderPayout | 'none' | 'silence';

export const saidIn = (answer: Answer): ProviderPayout | undefined => (typeof answer === 'object' ? answer : undefined);

/** A text of a provider as it can be stored. */
export const stored = (text: string | undefined, most: number): string | undefined =>
  text
    ?.toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed() || undefined;

/** Whether a provider reports other money than ours, or an amount that cannot be read. */
export const isOtherMoney = ({ money }: ProviderPayout, ours: { amount: number }, currency: string): boolean =>
  (money !== undefined && money.amount !== ours.amount) ||
  (money?.currency ?? currency).toLowerCase() !== currency.toLowerCase();

/** Whether the time is over after which a payout without an end is left to a person. */
export const isOverdue = (age: number): boolean => nextAskAge(age, true) === undefined;

/**
 * What an answer says about a payout of this age. A provider that has accepted a payout and is silent now has said nothing
 * new; any other silence may mean anything.
 */
export function wordOf(
  answer: Answer,
  item: { amount: number; provider_ref: string | null },
  { currency, age }: { currency: string; age: number },
): ProviderWord {
  const waits = isOverdue(age) ? 'unknown' : 'pending';
  if (answer === 'silence') return item.provider_ref === null ? 'unknown' : waits;
  if (answer === 'none' || isOtherMoney(answer, item, currency)) return 'unknown';
  return answer.outcome === 'pending' ? waits : (answer.outcome ?? 'unknown');
}

/** The age in seconds at which most payouts that a provider has accepted have ended. */
const SOON = 30;

/**
 * The age at which the provider is asked next; null: never again. Other money than ours, and every break, is left to a
 * person at once; a silent provider is asked about a settled payout for three days only.
 */
export function nextAge(
  word: ProviderWord,
  answer: Answer,
  { isDone, isSettled, age }: { isDone: boolean; isSettled: boolean; age: number },
) {
  if (isDone || word === 'failed' || word === 'returned') return null;
  if (word === 'paid') return nextReturnAge(age) ?? null;
  if (word === 'pending' && age < SOON) return SOON;
  return nextAskAge(age, answer !== 'silence' || isSettled) ?? null;
}
