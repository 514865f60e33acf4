import { readSettings } from '@tutoring/shared/contract/setting-copies';
import { publish } from '@tutoring/shared/contract/publish';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { Once, Reply } from '@tutoring/shared/kit/http/declare/route';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import {
  accountClosed,
  accountInUse,
  accountNotUsable,
  formatInvalid,
  methodUnknown,
  payoutAccountNotFound,
  payoutAccountUnknown,
  tooManyAccounts,
} from '../errors.ts';
import { accountStanding, lockAccounts } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { isWritable } from '../payout-methods/account-number.ts';
import {
  keptAccount,
  MAX_ACCOUNTS,
  showAccount,
  type AccountParts,
  type NewAccount,
  type PayoutAccount,
  type PayoutAccountRow,
} from './payout-account.ts';
import * as store from './payout-account-store.ts';

/** The account in the form in which it is kept. Throws invalid. */
async function partsOf({ payoutMethods }: Parts, userId: number, given: NewAccount): Promise<AccountParts> {
  const { method, account, holder_name } = given;
  const declared = payoutMethods.find((one) => one.method === method);
  assertThat(declared, methodUnknown);
  const kept = await keptAccount(declared, account);
  assertThat(kept !== undefined, () => formatInvalid('account'));
  assertThat(isWritable(holder_name), () => formatInvalid('holder_name'));
  return { user_id: userId, method, kind: declared.kind, account: kept, holder_name };
}

/** Adds an account unless it exists. The user's account is locked, so that at most `MAX_ACCOUNTS` exist. */
async function add(tx: Tx, parts: AccountParts): Promise<PayoutAccount> {
  const { user_id: userId } = parts;
  await lockAccounts(tx, [userId]);
  const same = await store.findSame(tx, parts);
  if (same) return showAccount(same);
  assertThat((await accountStanding(tx, userId)) === 'open', accountClosed);
  assertThat((await store.countAccounts(tx, userId)) < MAX_ACCOUNTS, () => tooManyAccounts(MAX_ACCOUNTS));
  const { payout_account_hold_hours: hours } = await readSettings(tx, ['payout_account_hold_hours']);
  const added = await store.insertAccount(tx, parts, hours);
  publish(tx, [{ name: 'money.announced', data: { user_id: userId, what: 'account_added' } }]);
  return showAccount(added);
}

/**
 * Adds a payout account of the caller, after identity has proven who it is; returns an existing one without a proof.
 * `address`: the client's. Throws invalid, conflict for too many, and unavailable when identity does not respond.
 */
export async function createAccount(
  parts: Parts,
  { caller, body, address }: { caller: UserCaller; body: NewAccount; address: string },
  once: Once,
): Promise<PayoutAccount | Reply> {
  const { database, identity } = parts;
  const kept = await partsOf(parts, caller.id, body);
  if (!(await store.findSame(database.manager, kept))) {
    const count = await store.countAccounts(database.manager, caller.id);
    assertThat(count < MAX_ACCOUNTS, () => tooManyAccounts(MAX_ACCOUNTS));
    const { current_password, code } = body;
    await identity.ask('owner.prove', { id: caller.id, current_password, code, address });
  }
  return once(database, (tx) => add(tx, kept));
}

/** Deletes an own account. Throws not_found, and conflict while a withdrawal to it is open. */
export const deleteAccount = ({ database }: Parts, caller: UserCaller, id: number): Promise<void> =>
  database.transact(async (tx) => {
    assertThat(await store.lockOwnAccount(tx, id, caller.id), payoutAccountNotFound);
    assertThat(!(await store.hasOpenWithdrawal(tx, id)), accountInUse);
    await store.removeAccount(tx, id);
  });

/** The account of a new withdrawal, locked and marked as used. Throws invalid, and conflict before it can be used. */
export async function useAccount(tx: Tx, userId: number, id: number): Promise<PayoutAccountRow> {
  const account = await store.lockOwnAccount(tx, id, userId);
  assertThat(account, payoutAccountUnknown);
  assertThat(account.is_usable, () => accountNotUsable(account.usable_at));
  await store.markUsed(tx, id);
  return account;
}
