import type { Reader, Tx } from '@tutoring/shared/database/open';
import { publishInOrder } from '@tutoring/shared/events/publish/outbox';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { ServiceDeps } from '@tutoring/shared/service';
import type { IdentityConfig } from '../config.ts';
import { BALANCE_MS } from '../deadlines.ts';
import { found } from '../errors.ts';
import { snapshotOf, viewOf, type User, type UserView } from './user.ts';
import { findLivingUser, saveBalances, touchUsers, allUsers } from './user-store.ts';

type Deps = Pick<ServiceDeps<IdentityConfig>, 'config' | 'database' | 'logger'> & { wallet: InternalClient<'wallet'> };

/** What every feature needs of users: their view, and the event of a change. */
export function createPeople({ config, database, wallet, logger }: Deps) {
  const publicUrl = config.PUBLIC_URL;
  const snapshot = (user: User) => snapshotOf(user, publicUrl);

  /** Raises the versions and publishes `user.changed`, after the change itself in the same transaction. */
  async function announce(tx: Tx, ids: number[]): Promise<User[]> {
    const users = await touchUsers(tx, ids);
    const events = users.map((user) => ({ name: 'user.changed', data: snapshot(user) }) as const);
    await publishInOrder(tx, events);
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
  const show = async (id: number) => present(found(await findLivingUser(database.manager, id)));

  /** Every user as event data, for `events resync`. */
  async function* snapshots(reader: Reader) {
    for await (const user of allUsers(reader)) yield snapshot(user);
  }

  return { announce, view, present, show, snapshot, snapshots };
}

export type People = ReturnType<typeof createPeople>;
