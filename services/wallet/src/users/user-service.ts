import { createCopies } from '@tutoring/shared/database/copies';
import type { Database, Reader } from '@tutoring/shared/database/open';
import { undefinedIfNotFound } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { Logger } from '@tutoring/shared/process/logger';
import { READ_THROUGH_MS } from '../deadlines.ts';
import { findUsers, saveUsers } from './user-store.ts';
import type { UserSummary } from './user.ts';

const summary = ({ id, name, email, phone_number }: UserSummary): UserSummary => ({ id, name, email, phone_number });

/** Users as this service knows them; asks identity about unknown ones. */
export function createPeople(deps: { database: Database; identity: InternalClient<'identity'>; logger: Logger }) {
  const copies = createCopies({
    ...deps,
    find: findUsers,
    ask: (id) => deps.identity.ask('user.read', { id }, { withinMs: READ_THROUGH_MS }).catch(undefinedIfNotFound),
    save: saveUsers,
  });

  /** Summaries by id; empty texts for users that nobody knows at the moment. */
  async function summaries(ids: number[]): Promise<(id: number) => UserSummary> {
    const found = await copies.findSome(ids);
    return (id) => summary(found.get(id) ?? { id, name: '', email: '', phone_number: '' });
  }

  /** Adds `user` to records with a user's id. */
  async function attach<Item extends { user_id: number }>(items: Item[]): Promise<(Item & { user: UserSummary })[]> {
    const userOf = await summaries(items.map((item) => item.user_id));
    return items.map((item) => ({ ...item, user: userOf(item.user_id) }));
  }

  return {
    attach,
    /** By id, without those whom nobody knows. Throws unavailable when identity does not respond. */
    find: copies.find,
    /** From this service's copy only: never waits for identity. */
    isBanned: async (reader: Reader, id: number) => (await findUsers(reader, [id]))[0]?.status === 'banned',
    /** The part of a user that money records show. */
    summaryOf: async (id: number): Promise<UserSummary> => (await summaries([id]))(id),
    /** A record with the user to whom it belongs. */
    withUser: async <Item extends { user_id: number }>(item: Item) => (await attach([item]))[0]!,
  };
}

export type People = ReturnType<typeof createPeople>;
