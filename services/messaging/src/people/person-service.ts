import { createCopyCache } from '@tutoring/shared/kit/database/copies';
import type { Database, Reader, Tx } from '@tutoring/shared/kit/database/open';
import { AppError, undefinedIfNotFound } from '@tutoring/shared/kit/errors';
import type { InternalClient } from '@tutoring/shared/contract/client';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { READ_THROUGH_MS } from '../deadlines.ts';
import { findAvailable, findPeople, saveBalances, savePeople } from './person-store.ts';
import { unknownPerson, type Person } from './person.ts';

/** `avatar` is the photo of people who have none. */
export function createPeople(deps: {
  database: Database;
  logger: Logger;
  identity: InternalClient<'identity'>;
  wallet: InternalClient<'wallet'>;
  avatar: string;
}) {
  const { database, identity, wallet, avatar } = deps;
  const pictured = (person: Person): Person => (person.photo === '' ? { ...person, photo: avatar } : person);

  const { find } = createCopyCache({
    ...deps,
    find: async (reader, ids) => (await findPeople(reader, ids)).map(pictured),
    ask: (id) => identity.ask('user.read', { id }, { withinMs: READ_THROUGH_MS }).catch(undefinedIfNotFound),
    save: savePeople,
  });

  return {
    /**
     * These people by id; unknown ids are left out. Throws unavailable when a copy is missing and identity does not
     * answer.
     */
    find,

    /** Like `find`, with an empty person for an unknown id, so that history can be shown. */
    async load(ids: number[], tx?: Tx): Promise<(id: number) => Person> {
      const found = await find(ids, tx);
      return (id) => found.get(id) ?? pictured(unknownPerson(id));
    },

    /** Like `load`, but asks nobody: for transactions, which must not wait for identity. */
    async known(ids: number[], reader: Reader): Promise<(id: number) => Person> {
      const found = new Map((await findPeople(reader, ids)).map((person) => [person.id, pictured(person)]));
      return (id) => found.get(id) ?? pictured(unknownPerson(id));
    },

    /** The user's available balance in units; 0 when there is no copy and wallet does not answer. */
    async solde(userId: number): Promise<number> {
      const copied = await findAvailable(database.manager, userId);
      if (copied !== undefined) return copied;
      try {
        const balance = await wallet.ask('balance.read', { user_id: userId }, { withinMs: READ_THROUGH_MS });
        await database.autocommit((tx) => saveBalances(tx, [balance]));
        return balance.available;
      } catch (error) {
        if (error instanceof AppError) return 0;
        throw error;
      }
    },
  };
}

export type People = ReturnType<typeof createPeople>;
