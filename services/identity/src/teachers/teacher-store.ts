import type { Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { patternsOf, tagsOf, type Teacher, type TeacherFilter } from './teacher.ts';

const LISTED = `a.platform = 'teacher' and a.status = 'active' and a.deleted_at is null`;
const ONLINE_SINCE = `(select app_now() - interval '10 minutes')`;

const TEACHER = `select a.id, a.name,
    coalesce((select array_agg(s.name order by k.position) from account_skill k join skill s on s.id = k.skill_id
      where k.account_id = a.id), '{}') as domains,
    a.experience, a.availability, a.bio, a.photo, a.about_me, a.city, a.country, a.verified, a.plan_id,
    coalesce((select c.calls from call_count c where c.teacher_id = a.id), 0) as transactions_count,
    exists (select from presence p where p.account_id = a.id and p.seen_at > ${ONLINE_SINCE}) as online
  from account a`;

/**
 * What the list depends on besides the filter and the teachers, and the key of a cached count: the version of the
 * directory and, for who is online, a moment rounded to five seconds.
 */
export const directoryState = async (reader: Reader, words: string | undefined) =>
  (await row<{ version: number; moment: number; verified_only: boolean; words: string | null }>(
    reader,
    `select (select sum(version) from directory_version) as version,
       floor(extract(epoch from app_now()) / 5)::int as moment,
       coalesce((select value = 1 from setting where name = 'require_verified_teacher'), false) as verified_only,
       normalised($1::text) as words`,
    [words ?? null],
  ))!;

/** Only the requested conditions, so that each combination gets a fitting plan. */
function conditions(filter: TeacherFilter & { words: string | null; verifiedOnly: boolean }) {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const parts = [LISTED];
  if (filter.verifiedOnly) parts.push('a.verified');
  // Signs alone, such as `%`, are in no text that is searched.
  if (filter.words === '') parts.push('false');
  for (const pattern of patternsOf(filter.words ?? '')) parts.push(`a.search like ${value(pattern)}`);
  const tags = tagsOf(filter);
  if (tags.length > 0) parts.push(`a.tags @> ${value(tags)}::bigint[]`);
  if (filter.online) parts.push(`a.id in (select p.account_id from presence p where p.seen_at > ${ONLINE_SINCE})`);
  return { where: parts.join(' and '), values };
}

export type DirectoryFilter = Parameters<typeof conditions>[0];

/** Up to this many rows are found first and sorted then; with more, walking the order's index soon fills a page. */
const FEW = 2_000;

/** One page; `total` is the result of `countTeachers`. */
export async function searchTeachers(
  reader: Reader,
  filter: DirectoryFilter,
  window: { limit: number; offset: number },
  total: number,
): Promise<Teacher[]> {
  if (window.offset >= total) return [];
  const { where, values } = conditions(filter);
  const found = `select a.id from account a where ${where}`;
  const ordered = `order by id desc limit ${window.limit} offset ${window.offset}`;
  const page =
    total <= FEW ? `with found as materialized (${found}) select id from found ${ordered}` : `${found} ${ordered}`;
  return rows<Teacher>(reader, `${TEACHER} join (${page}) page on page.id = a.id order by a.id desc`, values);
}

/** The number of teachers, and the version of the directory at the count. */
export async function countTeachers(reader: Reader, filter: DirectoryFilter) {
  const { where, values } = conditions(filter);
  const counted = await row<{ total: number; version: number }>(
    reader,
    `select (select count(*) from account a where ${where}) as total, (select sum(version) from directory_version) as version`,
    values,
  );
  return counted!;
}

export const findTeacher = (reader: Reader, id: number) =>
  row<Teacher>(
    reader,
    `${TEACHER} where a.id = $1 and ${LISTED}
       and (a.verified or not coalesce((select value = 1 from setting where name = 'require_verified_teacher'), false))`,
    [id],
  );
