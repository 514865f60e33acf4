import type { Tx } from '@tutoring/shared/database/open';
import { violatedConstraint } from '@tutoring/shared/database/refusals';
import { assertThat } from '@tutoring/shared/errors';
import { moreIf } from '@tutoring/shared/jobs';
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
  lockFreeAccounts,
  timeIn,
} from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { captureHold, freeHold, placeHold, type HoldChange, type PlacedHold } from './hold.ts';

const EXPIRE_AT_ONCE = 200;

interface WantedHold {
  reference: string;
  user: number;
  amount: number;
  /** null: open until it is decided */
  seconds: number | null;
  /** Also on a closed account; never on one that is being closed. */
  evenClosed?: boolean;
}

/** Another user took the same reference first: no lock covers both. */
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
  // Whose hold it is never changes; all else may until the account is locked.
  const user = (await findHold(tx, reference))?.user_id;
  if (user === undefined) return undefined;
  const account = (await lockAccounts(tx, [user])).get(user) as Account;
  const hold = (await findHold(tx, reference)) as Hold;
  return hold.state === 'open' ? { hold, account } : undefined;
}

/** Holds `amount` under `reference`. */
export async function place(tx: Tx, currency: string, wanted: WantedHold): Promise<PlacedHold> {
  const { reference, user, amount, seconds, evenClosed = false } = wanted;
  const account = (await lockAccounts(tx, [user])).get(user) as Account;
  const known = await findHold(tx, reference);
  const standing = await accountStanding(tx, user);
  const isClosed = standing === 'closing' || (standing === 'closed' && !evenClosed);
  const expires_at = seconds === null ? null : await timeIn(tx, seconds);
  const { placed, changed } = placeHold({ reference, amount, expires_at }, { account, known, isClosed });
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

/** For a call. Throws payment_required, and conflict when the reference is another user's. */
export async function placeOfCall(
  { database, currency }: Parts,
  wanted: Omit<WantedHold, 'seconds'>,
): Promise<PlacedHold> {
  const hold = { ...wanted, seconds: HOLD_SECONDS };
  const placed = await database.transact((tx) => place(tx, currency, hold)).catch(throwTaken);
  assertThat(placed.verdict !== 'refused' && placed.verdict !== 'closed', insufficientFunds);
  assertThat(placed.verdict !== 'conflict', referenceTaken);
  return placed;
}

export const releaseOfCall = ({ database, currency }: Parts, reference: string): Promise<number> =>
  database.transact((tx) => release(tx, currency, reference));

/** Job: expires overdue holds, some at a time and one per user; skips locked accounts. */
export const expireHolds = ({ database, currency }: Parts) =>
  database.transact(async (tx) => {
    const users = await findOverdueUsers(tx, EXPIRE_AT_ONCE);
    if (users.length === 0) return undefined;
    const accounts = await lockFreeAccounts(tx, users);
    const overdue = await findOverdueHolds(tx, [...accounts.keys()]);
    await save(
      tx,
      currency,
      overdue.map((hold) => freeHold(hold, accounts.get(hold.user_id) as Account, 'expired')),
    );
    return moreIf(overdue.length > 0);
  });
