import { createBatch } from '@tutoring/shared/kit/batch';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Reader, Tx } from '@tutoring/shared/kit/database/open';
import { publish } from '@tutoring/shared/contract/publish';
import { invalidField } from '@tutoring/shared/kit/http/read/validation';
import type { InternalClient } from '@tutoring/shared/contract/client';
import { MAX_BATCH_USERS } from '@tutoring/shared/contract/command-forms';
import { LOCKOUT_ENDED, recordAction } from '../audit/audit-service.ts';
import { idKey, userKey } from '../credentials/credential-service.ts';
import { clearFailures } from '../credentials/lockout-store.ts';
import { BALANCE_MS } from '../deadlines.ts';
import { found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as tokens from '../tokens/token-service.ts';
import { findBan, removeBan, saveBan } from './ban-store.ts';
import {
  provenAddresses,
  snapshotOf,
  viewOf,
  type ShownUser,
  type Standing,
  type User,
  type UserView,
} from './user.ts';
import {
  allUsers,
  findLivingUser,
  lockLogin,
  saveBalances,
  takeStale,
  touchUsers,
  updateAccount,
} from './user-store.ts';

const STALE_BATCH = 200;

/** Batched, so that views cost wallet little and never delay the charges of calls when wallet is slow. */
export const batchedBalances = (wallet: InternalClient<'wallet'>) =>
  createBatch({
    processBatch: (ids: number[]) => wallet.ask('balance.read-batch', { user_ids: ids }, { withinMs: BALANCE_MS }),
    size: MAX_BATCH_USERS,
    atOnce: 2,
    maxWaitMs: BALANCE_MS,
  });

export const snapshot = ({ publicUrl }: Parts, user: User) => snapshotOf(user, publicUrl);

/** Raises the versions and publishes `user.changed`. Call it after the change, in the same transaction. */
export async function publishChange(parts: Parts, tx: Tx, ids: number[]): Promise<User[]> {
  const users = await touchUsers(tx, ids);
  const events = users.map((user) => ({ name: 'user.changed', data: snapshot(parts, user) }) as const);
  publish(tx, events);
  return users;
}

/** The user's available balance from wallet; the last received one, or 0, while wallet is unavailable. */
async function balanceOf({ readBalance, database, logger }: Parts, { id, available }: User): Promise<number> {
  try {
    const balance = await readBalance(id);
    if (available === null) await database.autocommit((tx) => saveBalances(tx, [balance]));
    return balance.available;
  } catch (error) {
    logger.debug({ err: error, user: id }, 'wallet did not return a balance');
    return available ?? 0;
  }
}

export const view = ({ publicUrl }: Parts, user: ShownUser) => viewOf(user, publicUrl);

/** The user's own view with the current balance. */
export const withBalance = async (parts: Parts, user: User): Promise<UserView> =>
  view(parts, { ...user, available: await balanceOf(parts, user) });

/** The user's own view. Throws not_found for an unknown or deleted user. */
export const show = async (parts: Parts, id: number) =>
  withBalance(parts, found(await findLivingUser(parts.database.manager, id)));

/** The administrators' view of a user: with the ban, if any. Throws not_found. */
export const adminView = async (parts: Parts, id: number) => ({
  ...(await show(parts, id)),
  banned: await findBan(parts.database.manager, id),
});

/** Every user as event data, for `events resync`. */
export async function* snapshots(parts: Parts, reader: Reader) {
  for await (const user of allUsers(reader)) yield snapshot(parts, user);
}

/** Sets status and verification. A ban ends every session; `active` also ends a lock-out. */
export async function setStanding(parts: Parts, caller: AdminCaller, id: number, standing: Standing) {
  await parts.database.transact(async (tx) => {
    const before = found(await lockLogin(tx, id));
    if (standing.verified !== undefined && before.platform !== 'teacher')
      throw invalidField('verified', texts.onlyTeachers);
    const { status = before.status, verified = before.verified, reason } = standing;
    const accounts = [idKey(id), ...provenAddresses(before).map(userKey)];
    const isFreed = standing.status === 'active' && (await clearFailures(tx, accounts));
    const isChanged = status !== before.status || verified !== before.verified;
    if (!isChanged && !isFreed) return;
    if (isChanged) {
      await updateAccount(tx, id, { status, verified });
      await publishChange(parts, tx, [id]);
    }
    await recordAction(tx, caller, 'user.updated', `user:${id}`, {
      before: { status: before.status, verified: before.verified },
      after: { status, verified, ...(isFreed && LOCKOUT_ENDED), ...(reason !== undefined && { reason }) },
    });
    if (status === before.status) return;
    if (status === 'active') return void (await removeBan(tx, id));
    await saveBan(tx, id, caller, reason ?? '');
    await tokens.revokeAll(parts, tx, { kind: 'user', id });
  });
  return adminView(parts, id);
}

/** Job: publishes `user.changed` for users whose skill was renamed. */
export async function publishStale(parts: Parts): Promise<void> {
  const batch = () =>
    parts.database.transact(async (tx) => {
      const ids = await takeStale(tx, STALE_BATCH);
      if (ids.length > 0) await publishChange(parts, tx, ids);
      return ids.length;
    });
  while ((await batch()) === STALE_BATCH);
}
