import type { Database, Reader } from '@tutoring/shared/database/open';
import { orNothing } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { Logger } from '@tutoring/shared/process/logger';
import { READ_THROUGH_MS } from '../deadlines.ts';
import { emailOf, findUsers, saveUsers } from './user-store.ts';
import type { UserCopy, UserSummary } from './user.ts';

const READ_THROUGH_AT_ONCE = 20;

/** Users as this service knows them; asks identity about unknown ones. */
export function createPeople(deps: { database: Database; identity: InternalClient<'identity'>; logger: Logger }) {
  const { database, identity, logger } = deps;

  /** Undefined when there is no such user. Throws unavailable when identity does not respond. */
  async function readThrough(id: number): Promise<UserCopy | undefined> {
    const user = await identity.ask('user.read', { id }, { withinMs: READ_THROUGH_MS }).catch(orNothing);
    if (!user) return undefined;
    await database.autocommit((tx) => saveUsers(tx, [user]));
    return { ...user, email: emailOf(user) };
  }

  async function find(id: number): Promise<UserCopy | undefined> {
    const [known] = await findUsers(database.manager, [id]);
    return known ?? readThrough(id);
  }

  /** Summaries by id; empty texts for users that nobody knows at the moment. */
  async function summaries(ids: number[]): Promise<(id: number) => UserSummary> {
    const wanted = [...new Set(ids)];
    const known = new Map((await findUsers(database.manager, wanted)).map((user) => [user.id, summary(user)]));
    const missing = wanted.filter((id) => !known.has(id)).slice(0, READ_THROUGH_AT_ONCE);
    const found = await Promise.allSettled(missing.map(readThrough));
    for (const result of found) {
      if (result.status === 'fulfilled' && result.value) known.set(result.value.id, summary(result.value));
      if (result.status === 'rejected')
        logger.warn({ err: result.reason as unknown }, 'a user could not be read through');
    }
    return (id) => known.get(id) ?? { id, name: '', email: '', phone_number: '' };
  }

  return {
    find,
    /** From this service's copy only: never waits for identity. */
    isBanned: async (reader: Reader, id: number) => (await findUsers(reader, [id]))[0]?.status === 'banned',
    /** The part of a user that money records show. */
    summaryOf: async (id: number): Promise<UserSummary> => (await summaries([id]))(id),
    /** Adds `user` to records with a user's id. */
    async attach<Item extends { user_id: number }>(items: Item[]): Promise<(Item & { user: UserSummary })[]> {
      const userOf = await summaries(items.map((item) => item.user_id));
      return items.map((item) => ({ ...item, user: userOf(item.user_id) }));
    },
  };
}

const summary = ({ id, name, email, phone_number }: UserSummary): UserSummary => ({ id, name, email, phone_number });

export type People = ReturnType<typeof createPeople>;
