import { sentences, type RuleViolation } from '@tutoring/shared/http/read/validation';
import type { People } from './person-service.ts';

/** The rule of a list's filter: `user_id` is that of somebody. */
export const knownUser =
  (people: People) =>
  async ({ fields: { user_id: id } }: { fields: { user_id?: number | undefined } }): Promise<RuleViolation[]> =>
    id === undefined || (await people.find([id])).has(id) ? [] : [[['user_id'], sentences.selected]];
