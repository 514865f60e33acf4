import { invalidField, sentences } from '@tutoring/shared/http/validation';
import type { People } from '../users/people.ts';

/** A list can only be filtered by a user that exists: throws invalid otherwise. */
export async function assertKnownUser(people: People, userId: number | undefined): Promise<void> {
  if (userId === undefined) return;
  if (!(await people.find(userId))) throw invalidField('user_id', sentences.selected);
}
