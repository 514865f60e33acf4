import { createCopies } from '@tutoring/shared/database/copies';
import type { Database } from '@tutoring/shared/database/open';
import { undefinedIfNotFound } from '@tutoring/shared/errors';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { Logger } from '@tutoring/shared/process/logger';
import { unavailable } from '../errors.ts';
import { texts } from '../texts.ts';
import { findPeople, findPlans, savePlans, saveUsers, type Person } from './copy-store.ts';

export type Face = Pick<Person, 'name' | 'photo'>;

/** Accounts and plans. Throws unavailable when identity must be asked and does not answer. */
export function createPeople(deps: { database: Database; identity: InternalClient<'identity'>; logger: Logger }) {
  const orAway = (error: unknown) => {
    throw unavailable(texts.peopleAway, error);
  };
  const people = createCopies({
    ...deps,
    find: findPeople,
    ask: (id) => deps.identity.ask('user.read', { id }).catch(undefinedIfNotFound).catch(orAway),
    save: saveUsers,
  });
  const plans = createCopies({
    ...deps,
    find: findPlans,
    ask: (id) => deps.identity.ask('plan.read', { id }).catch(undefinedIfNotFound).catch(orAway),
    save: savePlans,
  });

  return {
    /** By id; without unknown ones. */
    find: people.find,

    /** Names and photos by user id; empty texts for people who are unknown or cannot be read now. */
    async faces(ids: number[]): Promise<(id: number) => Face> {
      const found = await people.findSome(ids);
      return (id) => found.get(id) ?? { name: '', photo: '' };
    },

    plan: async (id: number) => (await plans.find([id])).get(id),
  };
}

export type People = ReturnType<typeof createPeople>;
