import { exists, rows, value, type Reader, type Tx } from '@tutoring/shared/database/sql';
import type { Teacher } from '../teachers/teacher.ts';
import { SHOWN, teacherFor } from '../teachers/teacher-store.ts';

/** Whoever has been a teacher, listed or not. */
export const isTeacher = (reader: Reader, id: number) =>
  exists(reader, `select 1 from account where id = $1 and platform = 'teacher'`, [id]);

export const isFavourite = (reader: Reader, studentId: number, teacherId: number) =>
  exists(reader, 'select 1 from favourite where student_id = $1 and teacher_id = $2', [studentId, teacherId]);

export const countFavourites = (reader: Reader, studentId: number) =>
  value<number>(reader, 'select count(*) from favourite where student_id = $1', [studentId]);

const INSERT_FAVOURITE = `insert into favourite (student_id, teacher_id)
  select id, $2 from account where id = $1 and deleted_at is null on conflict do nothing`;

/** Changes nothing for a deleted student, nor where it is one already. */
export const insertFavourite = (tx: Tx, studentId: number, teacherId: number) =>
  rows(tx, INSERT_FAVOURITE, [studentId, teacherId]);

export const deleteFavourite = (tx: Tx, studentId: number, teacherId: number) =>
  rows(tx, 'delete from favourite where student_id = $1 and teacher_id = $2', [studentId, teacherId]);

/** A student's favourites that are listed, newest first. `before` is the id of one of them. */
export const listFavourites = (
  reader: Reader,
  studentId: number,
  { before, limit }: { before?: number | undefined; limit: number },
) =>
  rows<Teacher>(
    reader,
    `${teacherFor('$1')} join favourite mine on mine.student_id = $1 and mine.teacher_id = a.id
     where ${SHOWN} and ($2::bigint is null
       or mine.id < (select id from favourite where student_id = $1 and teacher_id = $2))
     order by mine.id desc limit $3`,
    [studentId, before ?? null, limit],
  );

const EXPORT_FAVOURITES = `select f.teacher_id, a.name as teacher_name, f.created_at
  from favourite f join account a on a.id = f.teacher_id where f.student_id = $1 order by f.id desc`;

/** All of them, for the export of own data. */
export const exportFavourites = (reader: Reader, studentId: number) =>
  rows<{ teacher_id: number; teacher_name: string; created_at: string }>(reader, EXPORT_FAVOURITES, [studentId]);

/** Deletes the favourites of a deleted student, or those that a deleted teacher is. */
export const forgetFavourites = (tx: Tx, id: number) =>
  rows(tx, 'delete from favourite where student_id = $1 or teacher_id = $1', [id]);
