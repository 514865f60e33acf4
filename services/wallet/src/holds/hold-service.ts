import type { Tx } from '@tutoring/shared/kit/database/open';
import { violatedConstraint } from '@tutoring/shared/kit/database/refusals';
import { assertThat } from '@tutoring/shared/kit/errors';
import { moreIf } from '@tutoring/shared/kit/jobs';
import { HOLD_SECONDS } from '../deadlines.ts';
import { insufficientFunds, referenceTaken } from '../errors.ts';
import { heldBy, type Account, type Hold, type Posting } from '../ledger/account.ts';
import * as ledger from '../ledger/ledger-service.ts';
import {
  accountStanding,
  findHold,
  findOverdueHolds,
  findOverdueUsers,
  lockAccounts,
  tryLockAccounts,
  timeIn,
} from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { captureHold, freeHold, placeHold, type HoldChange, type PlacedHold } from './hold.ts';

const EXPIRY_BATCH = 200;

interface HoldRequest {
  reference: string;
  user: number;
  amount: number;
  /** Lifetime; null: until captured or released. */
  seconds: number | null;
  /** Allows a hold on a closed account; a closing account never takes one. */
  allowClosed?: boolean;
}

/** Another user has taken the same reference at the same time: account locks do not exclude that. */
function throwTaken(error: unknown): never {
  throw violatedConstraint(error) === 'hold_pkey' ? referenceTaken() : error;
}

/** Writes holds with their accounts, and publishes the balances. */
const save = (tx: Tx, currency: string, changes: HoldChange[], postings?: Posting[]) =>
  ledger.save(tx, currency, {
    accounts: changes.map(({ account }) => account),
    holds: changes.map(({ hold }) => hold),
    postings,
  });

/** An open hold and its account, both locked; undefined when there is none. */
async function lockOpen(tx: Tx, reference: string): Promise<HoldChange | undefined> {
  // The owner of a hold never changes; every other field may change until the account is locked.
  const user = (await findHold(tx, reference))?.user_id;
  if (user === undefined) return undefined;
  const account = (await lockAccounts(tx, [user])).get(user) as Account;
  const hold = (await findHold(tx, reference)) as Hold;
  return hold.state === 'open' ? { hold, account } : undefined;
}

/** Holds `amount` under `reference`, at most once. */
export async function place(tx: Tx, currency: string, wanted: HoldRequest): Promise<PlacedHold> {
  const { reference, user, amount, seconds, allowClosed = false } = wanted;
  const account = (await lockAccounts(tx, [user])).get(user) as Account;
  const existing = await findHold(tx, reference);
  const standing = await accountStanding(tx, user);
  const isClosed = standing === 'closing' || (standing === 'closed' && !allowClosed);
  const expires_at = seconds === null ? null : await timeIn(tx, seconds);
  const { placed, changed } = placeHold({ reference, amount, expires_at }, { account, existing, isClosed });
  if (changed) await save(tx, currency, [changed]);
  return placed;
}

/** Releases an open hold; returns the amount, 0 when there was none. */
export async function release(tx: Tx, currency: string, reference: string): Promise<number> {
  const open = await lockOpen(tx, reference);
  if (!open) return 0;
  await save(tx, currency, [freeHold(open.hold, open.account, 'released')]);
  return open.hold.amount;
}

/** Captures the whole of an open hold by a transfer. Returns the amount, null when it was not open. */
export async function capture(
  tx: Tx,
  currency: string,
  reference: string,
  to: Pick<Posting, 'kind' | 'reference' | 'credit'>,
): Promise<number | null> {
  const open = await lockOpen(tx, reference);
  if (!open) return null;
  const amount = heldBy(open.hold);
  await save(tx, currency, [captureHold(open.hold, open.account)], [{ ...to, debit: open.account.user_id, amount }]);
  return amount;
}

/** Places the hold of a call. Throws payment_required, and conflict when the reference belongs to another user. */
export async function placeCallHold(
  { database, currency }: Parts,
  wanted: Omit<HoldRequest, 'seconds'>,
): Promise<PlacedHold> {
  const hold = { ...wanted, seconds: HOLD_SECONDS };
  const placed = await database.transact((tx) => place(tx, currency, hold)).catch(throwTaken);
  assertThat(placed.verdict !== 'refused' && placed.verdict !== 'closed', insufficientFunds);
  assertThat(placed.verdict !== 'conflict', referenceTaken);
  return placed;
}

export const releaseCallHold = ({ database, currency }: Parts, reference: string): Promise<number> =>
  database.transact((tx) => release(tx, currency, reference));

/** Job: expires a batch of overdue holds, one per user; skips locked accounts. */
export const expireHolds = ({ database, currency }: Parts) =>
  database.transact(async (tx) => {
    const users = await findOverdueUsers(tx, EXPIRY_BATCH);
    if (users.length === 0) return undefined;
    const accounts = await tryLockAccounts(tx, users);
    const overdue = await findOverdueHolds(tx, [...accounts.keys()]);
    await save(
      tx,
      currency,
      overdue.map((hold) => freeHold(hold, accounts.get(hold.user_id) as Account, 'expired')),
    );
    return moreIf(overdue.length > 0);
  });
