import {
  dynamic,
  exists,
  requiredRow,
  row,
  rows,
  value,
  type Reader,
  type Tx,
} from '@tutoring/shared/kit/database/sql';
import { patternsOf, tagsOf, type Sort, type Teacher, type TeacherFilter } from './teacher.ts';

const LISTED = `a.platform = 'teacher' and a.status = 'active' and a.deleted_at is null`;
const ONLINE_SINCE = `(select app_now() - interval '10 minutes')`;

/** Public profiles; `viewer` is SQL for the id of the requesting user. */
const teacherFor = (viewer: string) => `select a.id, a.name,
    coalesce((select string_agg(s.name, ', ' order by k.position) from account_skill k join skill s on s.id = k.skill_id
      where k.account_id = a.id), '') as domains,
    a.experience, a.availability, a.bio, a.photo, a.about_me, a.city, a.country, a.plan_id,
    a.verified::int::text as verified,
    coalesce((select c.calls from call_count c where c.teacher_id = a.id), 0) as transactions_count,
    coalesce(a.rating::text, '') as rating,
    coalesce((select r.reviews from rating_copy r where r.teacher_id = a.id), 0) as reviews_count,
    exists (select from favourite f where f.student_id = ${viewer} and f.teacher_id = a.id) as favourite,
    exists (select from presence p where p.account_id = a.id and p.seen_at > ${ONLINE_SINCE}) as online
  from account a`;

const DIRECTORY_STATE = `select (select sum(version) from directory_version) as version,
  floor(extract(epoch from app_now()) / 5)::int as moment,
  coalesce((select value = 1 from setting where name = 'require_verified_teacher'), false) as verified_only,
  normalised($1::text) as words`;

/**
 * The setting that the list depends on, the normalised search words, and the parts of a cached count's key: the version
 * of the directory and, for `online`, the time in steps of five seconds.
 */
export const directoryState = (reader: Reader, words: string | undefined) =>
  requiredRow<{ version: number; moment: number; verified_only: boolean; words: string | null }>(
    reader,
    DIRECTORY_STATE,
    [words ?? null],
  );

/** Only the requested conditions, so that PostgreSQL plans each combination separately. */
function conditions(filter: TeacherFilter & { words: string | null; verifiedOnly: boolean }) {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const parts = [LISTED];
  if (filter.verifiedOnly) parts.push('a.verified');
  // A search for punctuation only, such as `%`, matches nothing.
  if (filter.words === '') parts.push('false');
  for (const pattern of patternsOf(filter.words ?? '')) parts.push(`a.search like ${value(pattern)}`);
  const tags = tagsOf(filter);
  // A filter by plan only has its own indexes, in the orders of the list.
  if (filter.plan_id !== undefined && tags.length === 1 && !filter.words)
    parts.push(`a.plan_id = ${value(filter.plan_id)}`);
  else if (tags.length > 0) parts.push(`a.tags @> ${value(tags)}::bigint[]`);
  if (Number(filter.min_rating ?? 0) > 0) parts.push(`a.rating >= ${value(filter.min_rating)}::numeric`);
  if (filter.online) parts.push(`a.id in (select p.account_id from presence p where p.seen_at > ${ONLINE_SINCE})`);
  return { where: parts.join(' and '), values };
}

export type DirectoryFilter = Parameters<typeof conditions>[0];

/** Up to this many matches are collected and sorted; beyond it, an index scan in the order of the list fills a page. */
const MAX_SORTED = 2_000;

/** The ascending sort key (ties: newest first), and the equivalent order of an index. */
const ORDERS = {
  newest: { sortKey: '0', indexOrder: 'a.id desc' },
  rating: { sortKey: '-a.rating_gain', indexOrder: 'a.rating_gain desc, a.id desc' },
  price: { sortKey: '(select points from plan where id = a.plan_id)', indexOrder: 'a.id desc' },
};

/** SQL: the ids of a page with their sort keys. */
function pageIds(where: string, sort: Sort, { limit, offset, total }: Window): string {
  const { sortKey, indexOrder } = ORDERS[sort];
  const window = `limit ${limit} offset ${offset}`;
  const found = `select a.id, ${sortKey} as sort_key from account a where ${where}`;
  if (total <= MAX_SORTED)
    return `with found as materialized (${found}) select * from found order by sort_key, id desc ${window}`;
  if (sort !== 'price') return `${found} order by ${indexOrder} ${window}`;
  // There are few plans: takes each plan's newest teachers.
  return `select a.id, p.points as sort_key from plan p cross join lateral
      (select a.id from account a where ${where} and a.plan_id = p.id order by ${indexOrder} limit ${limit + offset}) a
    order by sort_key, a.id desc ${window}`;
}

/** `total` is the result of `countTeachers`. */
interface Window {
  limit: number;
  offset: number;
  total: number;
}

export async function searchTeachers(reader: Reader, viewer: number, filter: DirectoryFilter, window: Window) {
  if (window.offset >= window.total) return [];
  const { where, values } = conditions(filter);
  // All teachers of a plan have the same price.
  const sort = filter.sort === 'price' && filter.plan_id !== undefined ? 'newest' : (filter.sort ?? 'newest');
  return rows<Teacher>(
    reader,
    dynamic(
      `${teacherFor(`$${values.length + 1}`)} join (${pageIds(where, sort, window)}) page on page.id = a.id
       order by page.sort_key, a.id desc`,
    ),
    [...values, viewer],
  );
}

/** The number of teachers, and the version of the directory at the count. */
export function countTeachers(reader: Reader, filter: DirectoryFilter) {
  const { where, values } = conditions(filter);
  return requiredRow<{ total: number; version: number }>(
    reader,
    dynamic(
      `select (select count(*) from account a where ${where}) as total, (select sum(version) from directory_version) as version`,
    ),
    values,
  );
}

/** SQL: the teacher is listed, also by the setting for unverified teachers. */
const SHOWN = `${LISTED}
  and (a.verified or not coalesce((select value = 1 from setting where name = 'require_verified_teacher'), false))`;

export const findTeacher = (reader: Reader, viewer: number, id: number) =>
  row<Teacher>(reader, `${teacherFor('$2')} where a.id = $1 and ${SHOWN}`, [id, viewer]);

/** Whether the account is or was a teacher's, listed or not. */
export const isTeacher = (reader: Reader, id: number) =>
  exists(reader, `select 1 from account where id = $1 and platform = 'teacher'`, [id]);

export const isFavourite = (reader: Reader, studentId: number, teacherId: number) =>
  exists(reader, 'select 1 from favourite where student_id = $1 and teacher_id = $2', [studentId, teacherId]);

export const countFavourites = (reader: Reader, studentId: number) =>
  value<number>(reader, 'select count(*) from favourite where student_id = $1', [studentId]);

const INSERT_FAVOURITE = `insert into favourite (student_id, teacher_id)
  select id, $2 from account where id = $1 and deleted_at is null on conflict do nothing`;

/** Does nothing for a deleted student or an existing favourite. */
export const insertFavourite = (tx: Tx, studentId: number, teacherId: number) =>
  rows(tx, INSERT_FAVOURITE, [studentId, teacherId]);

export const deleteFavourite = (tx: Tx, studentId: number, teacherId: number) =>
  rows(tx, 'delete from favourite where student_id = $1 and teacher_id = $2', [studentId, teacherId]);

const LIST_FAVOURITES = `${teacherFor('$1')} join favourite mine on mine.student_id = $1 and mine.teacher_id = a.id
  where ${SHOWN} and ($2::bigint is null
    or mine.id < (select id from favourite where student_id = $1 and teacher_id = $2))
  order by mine.id desc limit $3`;

/** At most `limit` listed favourites of a student, newest first. `before` is the teacher's id of a favourite. */
export const listFavourites = (reader: Reader, studentId: number, before: number | undefined, limit: number) =>
  rows<Teacher>(reader, LIST_FAVOURITES, [studentId, before ?? null, limit]);

const EXPORT_FAVOURITES = `select f.teacher_id, a.name as teacher_name, f.created_at
  from favourite f join account a on a.id = f.teacher_id where f.student_id = $1 order by f.id desc`;

/** All favourites of a student, for the export of own data. */
export const exportFavourites = (reader: Reader, studentId: number) =>
  rows<{ teacher_id: number; teacher_name: string; created_at: string }>(reader, EXPORT_FAVOURITES, [studentId]);

/** Deletes all favourites of a deleted student, or of others with a deleted teacher. */
export const forgetFavourites = (tx: Tx, id: number) =>
  rows(tx, 'delete from favourite where student_id = $1 or teacher_id = $1', [id]);
