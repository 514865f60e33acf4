import { assertThat } from '@tutoring/shared/errors';
import { invalidField, sentences } from '@tutoring/shared/http/read/validation';
import { callerBanned, conflict } from '../errors.ts';
import { texts } from '../texts.ts';
import type { Person } from './copy-store.ts';

/**
 * A student, and the teacher whom they want to call or to book, named in `field`. Throws invalid for who is no teacher;
 * forbidden for a banned student; conflict for a teacher who is banned (with that sentence), or not verified where that
 * is required.
 */
export function reachable(
  [student, teacher]: [student: Person | undefined, teacher: Person | undefined],
  { field, verifiedOnly, banned }: { field: string; verifiedOnly: boolean; banned: string },
) {
  assertThat(teacher?.platform === 'teacher' && !teacher.deleted, () => invalidField(field, sentences.selected));
  assertThat(student && !student.deleted && student.status === 'active', callerBanned);
  assertThat(teacher.status === 'active', () => conflict(banned));
  assertThat(teacher.verified || !verifiedOnly, () => conflict(texts.teacherNotVerified));
  return { student, teacher };
}
