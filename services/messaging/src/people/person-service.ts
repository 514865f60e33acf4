import type { Database, Tx } from '@tutoring/shared/database/open';
import { AppError, orNothing } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal/client';
import { READ_THROUGH_MS } from '../deadlines.ts';
import { findAvailable, findPeople, saveBalances, savePeople } from './person-store.ts';
import { nobody, type Person } from './person.ts';

export interface People {
  /**
   * These people, from the copy or, where it lacks somebody, from identity. Leaves out people unknown to both.
   * Throws unavailable when identity must be asked and does not answer.
   */
  find(ids: number[], tx?: Tx): Promise<Map<number, Person>>;
  /** The same, with an empty person for an unknown id: for showing history. */
  load(ids: number[], tx?: Tx): Promise<(id: number) => Person>;
  /** The user's available balance; 0 when neither the copy nor wallet has it. */
  solde(userId: number): Promise<number>;
}

/** `avatar` is the photo of people who have none. */
export function createPeople(deps: {
  database: Database;
  identity: InternalClient<'identity'>;
  wallet: InternalClient<'wallet'>;
  avatar: string;
}): People {
  const { database, identity, wallet, avatar } = deps;
  const pictured = (person: Person): Person => (person.photo === '' ? { ...person, photo: avatar } : person);

  const ask = (id: number) => identity.ask('user.read', { id }, { withinMs: READ_THROUGH_MS }).catch(orNothing);

  async function find(ids: number[], tx?: Tx): Promise<Map<number, Person>> {
    const known = await findPeople(tx ?? database.manager, ids);
    const found = new Map(known.map((person) => [person.id, pictured(person)]));
    const missing = [...new Set(ids)].filter((id) => !found.has(id)).toSorted((one, other) => one - other);
    const users = (await Promise.all(missing.map(ask))).filter((user) => user !== undefined);
    if (users.length > 0) await (tx ? savePeople(tx, users) : database.autocommit((own) => savePeople(own, users)));
    for (const user of users) found.set(user.id, pictured(user));
    return found;
  }

  return {
    find,
    async load(ids, tx) {
      const found = await find(ids, tx);
      return (id) => found.get(id) ?? pictured(nobody(id));
    },
    async solde(userId) {
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
