import { assertThat } from '@tutoring/shared/kit/errors';
import { fill } from '@tutoring/shared/kit/language/localized';
import { conflict, found, recordNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { lockAccounts } from '../users/user-store.ts';
import type { Teacher } from './teacher.ts';
import { countFavourites, deleteFavourite, findTeacher, insertFavourite, isTeacher } from './teacher-store.ts';

/** Maximum per student. */
export const MAX_FAVOURITES = 500;

/** Idempotent. Throws not_found unless the teacher is listed, conflict beyond the maximum. */
export const addFavourite = ({ database }: Parts, studentId: number, teacherId: number): Promise<Teacher> =>
  database.transact(async (tx) => {
    await lockAccounts(tx, [studentId, teacherId]);
    const teacher = found(await findTeacher(tx, studentId, teacherId));
    if (teacher.favourite) return teacher;
    const known = await countFavourites(tx, studentId);
    assertThat(known < MAX_FAVOURITES, () => conflict(fill(texts.tooManyFavourites, { most: MAX_FAVOURITES })));
    await insertFavourite(tx, studentId, teacherId);
    return { ...teacher, favourite: true };
  });

/** Idempotent. Throws not_found unless the id is a teacher's, listed or not. */
export const removeFavourite = ({ database }: Parts, studentId: number, teacherId: number) =>
  database.transact(async (tx) => {
    assertThat(await isTeacher(tx, teacherId), recordNotFound);
    await deleteFavourite(tx, studentId, teacherId);
    return { message: texts.favouriteRemoved };
  });
