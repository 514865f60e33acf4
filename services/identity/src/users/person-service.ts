import { assertThat } from '@tutoring/shared/errors';
import type { Database, Reader, Tx } from '@tutoring/shared/database/open';
import { publishInOrder } from '@tutoring/shared/events/publish/outbox';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { Logger } from '@tutoring/shared/process/logger';
import { BALANCE_MS } from '../deadlines.ts';
import { recordNotFound } from '../errors.ts';
import { snapshotOf, viewOf, type User, type UserView } from './user.ts';
import { findLivingUser, saveBalances, touchUsers, allUsers } from './user-store.ts';

/** What every feature needs of users: their view, and the event of a change. */
export function createPeople(deps: {
  database: Database;
  wallet: InternalClient<'wallet'>;
  publicUrl: string;
  logger: Logger;
}) {
  const { database, wallet, publicUrl, logger } = deps;
  const snapshot = (user: User) => snapshotOf(user, publicUrl);

  /** Raises the versions and publishes `user.changed`, after the change itself in the same transaction. */
  async function announce(tx: Tx, ids: number[]): Promise<User[]> {
    const users = await touchUsers(tx, ids);
    await publishInOrder(
      tx,
      users.map((user) => ({ name: 'user.changed', data: snapshot(user) })),
    );
    return users;
  }

  /** The balance from wallet, for a user without a stored one; 0 when wallet is unavailable. */
  async function askBalance(id: number): Promise<number> {
    try {
      const balance = await wallet.ask('balance.read', { user_id: id }, { withinMs: BALANCE_MS });
      await database.autocommit((tx) => saveBalances(tx, [balance]));
      return balance.available;
    } catch (error) {
      logger.debug({ err: error, user: id }, 'the balance is not known');
      return 0;
    }
  }

  const view = (user: User) => viewOf(user, publicUrl);

  /** The user with the balance, which is read from wallet when it is not known yet. */
  const present = async (user: User): Promise<UserView> =>
    view({ ...user, available: user.available ?? (await askBalance(user.id)) });

  /** The user's own view. Throws not_found when there is no such user. */
  async function show(id: number): Promise<UserView> {
    const user = await findLivingUser(database.manager, id);
    assertThat(user, recordNotFound);
    return present(user);
  }

  /** Every user as event data, for `events resync`. */
  async function* snapshots(reader: Reader) {
    for await (const user of allUsers(reader)) yield snapshot(user);
  }

  return { announce, view, present, show, snapshot, snapshots };
}

export type People = ReturnType<typeof createPeople>;
