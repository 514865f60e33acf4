import { createCopies } from '@tutoring/shared/database/copies';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { AppError, undefinedIfNotFound } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { Logger } from '@tutoring/shared/process/logger';
import { READ_THROUGH_MS } from '../deadlines.ts';
import { findAvailable, findPeople, saveBalances, savePeople } from './person-store.ts';
import { nobody, type Person } from './person.ts';

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

  const { find } = createCopies({
    ...deps,
    find: async (reader, ids) => (await findPeople(reader, ids)).map(pictured),
    ask: (id) => identity.ask('user.read', { id }, { withinMs: READ_THROUGH_MS }).catch(undefinedIfNotFound),
    save: savePeople,
  });

  return {
    /**
     * These people by id, without those who are unknown. Throws unavailable when identity must be asked and does not
     * answer.
     */
    find,

    /** The same, with an empty person for an unknown id: for showing history. */
    async load(ids: number[], tx?: Tx): Promise<(id: number) => Person> {
      const found = await find(ids, tx);
      return (id) => found.get(id) ?? pictured(nobody(id));
    },

    /** The user's available balance; 0 when neither the copy nor wallet has it. */
    async solde(userId: number): Promise<number> {
      const known = await findAvailable(database.manager, userId);
      if (known !== undefined) return known;
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
