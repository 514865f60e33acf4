import type { Tx } from '@tutoring/shared/kit/database/open';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import { recordBreak } from '../breaks/break-service.ts';
import { settleCredit } from '../disputes/dispute-service.ts';
import { awaitsCredit } from '../disputes/dispute-store.ts';
import { aboveMaximum } from '../errors.ts';
import { exceededBound, largestDeposit, type DepositRow } from './deposit.ts';
import { depositTotals } from './deposit-store.ts';

const BOUNDS = ['max_balance', 'max_deposits_month'] as const;

/** Throws invalid for an amount that would pass a bound of prepaid money, with the open deposits. */
export async function assertWithinBounds(tx: Tx, user: number, amount: number): Promise<void> {
  const bounds = await readSettings(tx, BOUNDS);
  if (bounds.max_balance === 0 && bounds.max_deposits_month === 0) return;
  const largest = largestDeposit(await depositTotals(tx, user), bounds);
  if (amount > largest) throw aboveMaximum(Math.max(largest, 0));
}

/**
 * What follows from the credit of a deposit, in its transaction: a credit that passes a bound makes a break; debts and
 * disputes of the deposit are settled.
 */
export async function followCredit(tx: Tx, currency: string, deposit: DepositRow): Promise<void> {
  const { id, user_id: user, provider } = deposit;
  // Sent together: most credits have nothing to settle.
  const [bounds, isAwaited] = await Promise.all([readSettings(tx, BOUNDS), awaitsCredit(tx, user, id)]);
  if (bounds.max_balance > 0 || bounds.max_deposits_month > 0) {
    const passed = exceededBound(await depositTotals(tx, user), bounds);
    const reference = `deposit:${id}`;
    if (passed)
      await recordBreak(tx, {
        ...{ kind: 'over_limit', provider, reference, ours: passed.bound },
        ...{ amount_ours: passed.limit, amount_theirs: passed.reached },
      });
  }
  if (isAwaited) await settleCredit(tx, currency, deposit);
}
