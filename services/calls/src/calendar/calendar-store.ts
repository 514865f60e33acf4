import { row, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import { userColumnSql } from '../copies/copy-store.ts';
import type { Feed, Lesson } from './calendar.ts';

/** The feed of an active student or teacher; undefined for others. */
export const findFeed = (reader: Reader, userId: number) =>
  row<Feed>(
    reader,
    `select u.id as user_id, u.platform, coalesce(f.generation, 0) as generation from user_copy u
     left join calendar_feed f on f.user_id = u.id where u.id = $1 and u.status = 'active' and not u.deleted`,
    [userId],
  );

/** Revokes the current link. */
export const renewFeed = (tx: Tx, userId: number) =>
  rows(
    tx,
    `insert into calendar_feed as f (user_id, generation) values ($1, 1)
     on conflict (user_id) do update set generation = f.generation + 1`,
    [userId],
  );

const MAX_LESSONS = 500;
const PAST_DAYS = 90;

/**
 * SQL: the lessons in a user's calendar: first the upcoming ones, next first; then the past ones, latest first. Each
 * half reads no more rows than it returns.
 */
function lessonsSql(platform: Feed['platform']): string {
  const ownLessons = `${platform}_id = $1 and status in ('confirmed', 'done', 'missed')`;
  const now = '(select app_now())';
  return `
    select id, starts_at, ends_at, note, coalesce(revision, version) as revision,
      coalesce(revised_at, updated_at) as revised_at,
      ${userColumnSql(platform === 'student' ? 'teacher_id' : 'student_id', 'name')} as with_name
    from (
      (select *, 0 as half from booking where ${ownLessons} and starts_at >= ${now} order by starts_at limit ${MAX_LESSONS})
      union all
      (select *, 1 as half from booking where ${ownLessons} and starts_at < ${now} and ends_at > ${now} - interval '${PAST_DAYS} days'
         and starts_at > ${now} - interval '${PAST_DAYS + 1} days' order by starts_at desc limit ${MAX_LESSONS})
    ) as halves
    order by half, abs(extract(epoch from starts_at - ${now})), id limit ${MAX_LESSONS}`;
}

/** The lessons in a user's calendar, by start. */
export const listLessons = (reader: Reader, { user_id, platform }: Feed) =>
  rows<Lesson>(reader, `select * from (${lessonsSql(platform)}) as lesson order by starts_at, id`, [user_id]);

/** A hash of the lessons in a user's calendar, which changes with any of them. */
export const versionOfLessons = (reader: Reader, { user_id, platform }: Feed) =>
  value<string>(
    reader,
    `select md5(coalesce(string_agg(concat_ws(' ', id, revision, with_name), chr(10) order by id), ''))
     from (${lessonsSql(platform)}) as lesson`,
    [user_id],
  );
