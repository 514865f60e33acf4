import type { Database } from '@tutoring/shared/database/open';
import { orNothing } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal/client';
import { unavailable } from '../errors.ts';
import { texts } from '../texts.ts';
import { findPeople, findPerson, findPlan, savePlan, saveUsers, type Person } from './copy-store.ts';

const READ_THROUGH_AT_ONCE = 20;

export type Face = Pick<Person, 'name' | 'photo'>;

/**
 * Accounts and plans: copies that identity's events update. A missing one is read from identity and saved. Returns
 * undefined for an unknown one. Throws unavailable when identity must be asked and does not answer.
 */
export function createPeople({ database, identity }: { database: Database; identity: InternalClient<'identity'> }) {
  const orAway = (error: unknown) => {
    throw unavailable(texts.peopleAway, error);
  };

  async function person(id: number): Promise<Person | undefined> {
    const known = await findPerson(database.manager, id);
    if (known) return known;
    const found = await identity.ask('user.read', { id }).catch(orNothing).catch(orAway);
    if (found) await database.autocommit((tx) => saveUsers(tx, [found]));
    return findPerson(database.manager, id);
  }

  return {
    person,

    /** Names and photos by user id; empty texts for people who are unknown or cannot be read now. */
    async faces(ids: number[]): Promise<(id: number) => Face> {
      const wanted = [...new Set(ids)];
      const known = new Map((await findPeople(database.manager, wanted)).map((one) => [one.id, one]));
      const missing = wanted.filter((id) => !known.has(id)).slice(0, READ_THROUGH_AT_ONCE);
      for (const found of await Promise.allSettled(missing.map(person)))
        if (found.status === 'fulfilled' && found.value) known.set(found.value.id, found.value);
      return (id) => known.get(id) ?? { name: '', photo: '' };
    },

    plan: async (id: number) => {
      const known = await findPlan(database.manager, id);
      if (known) return known;
      const found = await identity.ask('plan.read', { id }).catch(orNothing).catch(orAway);
      if (found) await database.autocommit((tx) => savePlan(tx, found));
      return findPlan(database.manager, id);
    },
  };
}

export type People = ReturnType<typeof createPeople>;
