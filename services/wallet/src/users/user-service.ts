import { createCopyCache } from '@tutoring/shared/kit/database/copies';
import type { Database, Reader } from '@tutoring/shared/kit/database/open';
import { undefinedIfNotFound } from '@tutoring/shared/kit/errors';
import { pickFields } from '@tutoring/shared/kit/http/declare/fields';
import type { InternalClient } from '@tutoring/shared/contract/client';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { READ_THROUGH_MS } from '../deadlines.ts';
import { findUsers, saveUsers } from './user-store.ts';
import { userSummary, type UserSummary } from './user.ts';

/** Copies of users; reads unknown users from identity. */
export function createPeople(deps: { database: Database; identity: InternalClient<'identity'>; logger: Logger }) {
  const copies = createCopyCache({
    ...deps,
    find: findUsers,
    ask: (id) => deps.identity.ask('user.read', { id }, { withinMs: READ_THROUGH_MS }).catch(undefinedIfNotFound),
    save: saveUsers,
  });

  /** Adds `user` to records; with empty fields for a user that neither the copies nor identity can return. */
  async function attach<Item extends { user_id: number }>(items: Item[]): Promise<(Item & { user: UserSummary })[]> {
    const found = await copies.findSome(items.map((item) => item.user_id));
    return items.map((item) => {
      const user = found.get(item.user_id) ?? { id: item.user_id, name: '', email: '', phone_number: '' };
      return { ...item, user: pickFields(userSummary, user) };
    });
  }

  /** Adds `user` to one record. */
  const withUser = async <Item extends { user_id: number }>(item: Item) => (await attach([item]))[0]!;

  return {
    attach,
    withUser,
    /** Users by id, without unknown ones. Throws unavailable when identity does not respond. */
    find: copies.find,
    /** From this service's copy only: never waits for identity. */
    isBanned: async (reader: Reader, id: number) => (await findUsers(reader, [id]))[0]?.status === 'banned',
    /** The part of a user that money records show. */
    summaryOf: async (id: number): Promise<UserSummary> => (await withUser({ user_id: id })).user,
  };
}

export type People = ReturnType<typeof createPeople>;
