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
  const orNobody = <Noun>(asked: Promise<Noun>) =>
    asked.catch(undefinedIfNotFound).catch((error: unknown) => {
      throw unavailable(texts.peopleAway, error);
    });
  const askPerson = (id: number) => orNobody(deps.identity.ask('user.read', { id }));
  const askPlan = (id: number) => orNobody(deps.identity.ask('plan.read', { id }));
  const people = createCopies({ ...deps, find: findPeople, ask: askPerson, save: saveUsers });
  const plans = createCopies({ ...deps, find: findPlans, ask: askPlan, save: savePlans });

  return {
    /** By id; without unknown ones. */
    find: people.find,

    /** Undefined for who is no teacher, or deleted. */
    async teacher(id: number): Promise<Person | undefined> {
      const person = (await people.find([id])).get(id);
      return person?.platform === 'teacher' && !person.deleted ? person : undefined;
    },

    /** Names and photos by user id; empty texts for people who are unknown or cannot be read now. */
    async faces(ids: number[]): Promise<(id: number) => Face> {
      const found = await people.findSome(ids);
      return (id) => found.get(id) ?? { name: '', photo: '' };
    },

    plan: async (id: number) => (await plans.find([id])).get(id),
  };
}

export type People = ReturnType<typeof createPeople>;
