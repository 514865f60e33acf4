import type { Tx } from '@tutoring/shared/kit/database/open';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import { recordBreak } from '../breaks/break-service.ts';
import { settleCredit } from '../disputes/dispute-service.ts';
import { awaitsCredit } from '../disputes/dispute-store.ts';
import { aboveMaximum } from '../errors.ts';
import { payeeOf } from '../ledger/ledger-service.ts';
import { exceededBound, largestDeposit, type DepositRow } from './deposit.ts';
import { depositTotals } from './deposit-store.ts';

/** Bounds of prepaid money. */
export const BOUNDS = ['max_balance', 'max_deposits_month'] as const;
type Bounds = Record<(typeof BOUNDS)[number], number>;

/** Throws invalid for an amount that would pass a bound of prepaid money, with the open deposits. */
export async function assertWithinBounds(tx: Tx, user: number, amount: number, bounds: Bounds): Promise<void> {
  if (bounds.max_balance === 0 && bounds.max_deposits_month === 0) return;
  const largest = largestDeposit(await depositTotals(tx, user), bounds);
  if (amount > largest) throw aboveMaximum(Math.max(largest, 0));
}

/** What decides about a credit of a deposit of a locked account: read it before the credit. */
export async function creditTerms(tx: Tx, { id, user_id: user }: Pick<DepositRow, 'id' | 'user_id'>) {
  // Sent together: most credits have nothing to settle.
  const [payee, settings, isAwaited] = await Promise.all([
    payeeOf(tx, user),
    readSettings(tx, [...BOUNDS, 'recover_debts']),
    awaitsCredit(tx, user, id),
  ]);
  return { payee, settings, isAwaited };
}
type CreditTerms = Awaited<ReturnType<typeof creditTerms>>;

/**
 * What follows from the credit of a deposit, in its transaction: a credit that passes a bound makes a break; debts and
 * disputes of the deposit are settled.
 */
export async function followCredit(
  tx: Tx,
  currency: string,
  deposit: DepositRow,
  { settings, isAwaited }: CreditTerms,
): Promise<void> {
  const { id, user_id: user, provider } = deposit;
  if (settings.max_balance > 0 || settings.max_deposits_month > 0) {
    const passed = exceededBound(await depositTotals(tx, user), settings);
    const reference = `deposit:${id}`;
    if (passed)
      await recordBreak(tx, {
        ...{ kind: 'over_limit', provider, reference, ours: passed.bound },
        ...{ amount_ours: passed.limit, amount_theirs: passed.reached },
      });
  }
  if (isAwaited) await settleCredit(tx, currency, deposit, settings.recover_debts === 1);
}
