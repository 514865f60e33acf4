import { createCopyCache } from '@tutoring/shared/kit/database/copies';
import type { Database } from '@tutoring/shared/kit/database/open';
import { assertThat, undefinedIfNotFound } from '@tutoring/shared/kit/errors';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import type { InternalClient } from '@tutoring/shared/contract/client';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { callerBanned, conflict, unavailable } from '../errors.ts';
import { texts } from '../texts.ts';
import { findPeople, findPlans, savePlans, saveUsers, type Person } from './copy-store.ts';

/** Local copies of accounts and plans. Throws unavailable when a copy is missing and identity does not answer. */
export function createPeople(parts: { database: Database; identity: InternalClient<'identity'>; logger: Logger }) {
  const undefinedIfUnknown = <Noun>(request: Promise<Noun>) =>
    request.catch(undefinedIfNotFound).catch((error: unknown) => {
      throw unavailable(texts.peopleAway, error);
    });
  const askPerson = (id: number) => undefinedIfUnknown(parts.identity.ask('user.read', { id }));
  const askPlan = (id: number) => undefinedIfUnknown(parts.identity.ask('plan.read', { id }));
  const people = createCopyCache({ ...parts, find: findPeople, ask: askPerson, save: saveUsers });
  const plans = createCopyCache({ ...parts, find: findPlans, ask: askPlan, save: savePlans });

  return {
    /** Accounts by id, without unknown ones. */
    find: people.find,

    /** Returns undefined when the user is not a teacher, or is deleted. */
    async teacher(id: number): Promise<Person | undefined> {
      const person = (await people.find([id])).get(id);
      return person?.platform === 'teacher' && !person.deleted ? person : undefined;
    },

    plan: async (id: number) => (await plans.find([id])).get(id),
  };
}

export type People = ReturnType<typeof createPeople>;

/**
 * Asserts that a student may call or book a teacher. Throws invalid, for `field`, when the user is not a teacher;
 * forbidden for a banned student; conflict for a teacher who is banned (with the message `banned`), or not verified
 * where that is required.
 */
export function assertReachable(
  [student, teacher]: [student: Person | undefined, teacher: Person | undefined],
  { field, verifiedOnly, banned }: { field: string; verifiedOnly: boolean; banned: string },
) {
  assertThat(teacher?.platform === 'teacher' && !teacher.deleted, () => invalidField(field, sentences.selected));
  assertThat(student && !student.deleted && student.status === 'active', callerBanned);
  assertThat(teacher.status === 'active', () => conflict(banned));
  assertThat(teacher.verified || !verifiedOnly, () => conflict(texts.teacherNotVerified));
  return { student, teacher };
}
