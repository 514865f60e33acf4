import type { Database } from '@tutoring/shared/database/open';
import { orNothing } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal/client';
import { unavailable } from '../errors.ts';
import { texts } from '../texts.ts';
import { findPerson, findPlan, savePlan, saveUser } from './copy-store.ts';

/**
 * Accounts and plans: this service's copies, fed by identity's events; one that is missing is read through from identity
 * and kept. Answers undefined for who does not exist; throws unavailable when identity is needed and away.
 */
export function createPeople({ database, identity }: { database: Database; identity: InternalClient<'identity'> }) {
  const orAway = (error: unknown) => {
    throw unavailable(texts.peopleAway, error);
  };

  return {
    person: async (id: number) => {
      const known = await findPerson(database.manager, id);
      if (known) return known;
      const told = await identity.ask('user.read', { id }).catch(orNothing).catch(orAway);
      if (told) await database.autocommit((tx) => saveUser(tx, told));
      return findPerson(database.manager, id);
    },

    plan: async (id: number) => {
      const known = await findPlan(database.manager, id);
      if (known) return known;
      const told = await identity.ask('plan.read', { id }).catch(orNothing).catch(orAway);
      if (told) await database.autocommit((tx) => savePlan(tx, told));
      return findPlan(database.manager, id);
    },
  };
}

export type People = ReturnType<typeof createPeople>;
