import { createBatch } from '@tutoring/shared/kit/batch';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Reader, Tx } from '@tutoring/shared/kit/database/open';
import { publish } from '@tutoring/shared/contract/publish';
import { invalidField } from '@tutoring/shared/kit/http/read/validation';
import type { InternalClient } from '@tutoring/shared/contract/client';
import { MAX_BATCH_USERS } from '@tutoring/shared/contract/command-forms';
import { LOCKOUT_ENDED, recordAction } from '../audit/audit-service.ts';
import type { Deps } from '../config.ts';
import { idKey, userKey } from '../credentials/credential-service.ts';
import { clearFailures } from '../credentials/lockout-store.ts';
import { BALANCE_MS } from '../deadlines.ts';
import { found } from '../errors.ts';
import { texts } from '../texts.ts';
import type { Tokens } from '../tokens/token-service.ts';
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

type UserDeps = Deps & { wallet: InternalClient<'wallet'>; tokens: Tokens };

/** Views of users, events about their changes, and their administration. */
export function createUsers({ config, database, wallet, tokens, logger }: UserDeps) {
  const publicUrl = config.PUBLIC_URL;
  const snapshot = (user: User) => snapshotOf(user, publicUrl);

  /** Raises the versions and publishes `user.changed`. Call it after the change, in the same transaction. */
  async function publishChange(tx: Tx, ids: number[]): Promise<User[]> {
    const users = await touchUsers(tx, ids);
    const events = users.map((user) => ({ name: 'user.changed', data: snapshot(user) }) as const);
    publish(tx, events);
    return users;
  }

  /** Batched, so that views cost wallet little and never delay the charges of calls when wallet is slow. */
  const readBalance = createBatch({
    processBatch: (ids: number[]) => wallet.ask('balance.read-batch', { user_ids: ids }, { withinMs: BALANCE_MS }),
    size: MAX_BATCH_USERS,
    atOnce: 2,
    maxWaitMs: BALANCE_MS,
  });

  /** The user's available balance from wallet; the last received one, or 0, while wallet is unavailable. */
  async function balanceOf({ id, available }: User): Promise<number> {
    try {
      const balance = await readBalance(id);
      if (available === null) await database.autocommit((tx) => saveBalances(tx, [balance]));
      return balance.available;
    } catch (error) {
      logger.debug({ err: error, user: id }, 'wallet did not return a balance');
      return available ?? 0;
    }
  }

  const view = (user: ShownUser) => viewOf(user, publicUrl);

  /** The user's own view with the current balance. */
  const withBalance = async (user: User): Promise<UserView> => view({ ...user, available: await balanceOf(user) });

  /** The user's own view. Throws not_found for an unknown or deleted user. */
  const show = async (id: number) => withBalance(found(await findLivingUser(database.manager, id)));

  /** The administrators' view of a user: with the ban, if any. Throws not_found. */
  const adminView = async (id: number) => ({ ...(await show(id)), banned: await findBan(database.manager, id) });

  /** Every user as event data, for `events resync`. */
  async function* snapshots(reader: Reader) {
    for await (const user of allUsers(reader)) yield snapshot(user);
  }

  return {
    publishChange,
    view,
    withBalance,
    show,
    adminView,
    snapshot,
    snapshots,

    /** Sets status and verification. A ban ends every session; `active` also ends a lock-out. */
    async setStanding(caller: AdminCaller, id: number, standing: Standing) {
      await database.transact(async (tx) => {
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
          await publishChange(tx, [id]);
        }
        await recordAction(tx, caller, 'user.updated', `user:${id}`, {
          before: { status: before.status, verified: before.verified },
          after: { status, verified, ...(isFreed && LOCKOUT_ENDED), ...(reason !== undefined && { reason }) },
        });
        if (status === before.status) return;
        if (status === 'active') return void (await removeBan(tx, id));
        await saveBan(tx, id, caller, reason ?? '');
        await tokens.revokeAll(tx, { kind: 'user', id });
      });
      return adminView(id);
    },

    /** Job: publishes `user.changed` for users whose skill was renamed. */
    async publishStale(): Promise<void> {
      const batch = () =>
        database.transact(async (tx) => {
          const ids = await takeStale(tx, STALE_BATCH);
          if (ids.length > 0) await publishChange(tx, ids);
          return ids.length;
        });
      while ((await batch()) === STALE_BATCH);
    },
  };
}

export type Users = ReturnType<typeof createUsers>;
