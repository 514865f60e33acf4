import { sentences, type RuleViolation } from '@tutoring/shared/http/read/validation';
import type { People } from '../users/user-service.ts';

/** The rule that a list may be filtered only by an existing user. */
export const knownUser =
  (people: People) =>
  async ({ fields: { user_id: id } }: { fields: { user_id?: number | undefined } }): Promise<RuleViolation[]> =>
    id === undefined || (await people.find(id)) ? [] : [[['user_id'], sentences.selected]];
