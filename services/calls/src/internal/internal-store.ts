import { requiredRow, row, rows, type Reader } from '@tutoring/shared/kit/database/sql';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';
import type { Call } from '../call/call.ts';

export const findPeopleOfCall = (reader: Reader, identifier: string) =>
  row<Pick<Call, 'student_id' | 'teacher_id'>>(
    reader,
    'select student_id, teacher_id from call where identifier = $1',
    [identifier],
  );

type LiveCall = Pick<Call, 'channel' | 'rtc_token' | 'rtc_token_expires_at'>;

const liveCallsBy = (column: 'student_id' | 'teacher_id' | 'channel') =>
  `select ${column} as of, channel, rtc_token, rtc_token_expires_at from call
   where ${column} = any($1) and state in ('ringing', 'active')`;

/** The live calls of users, at most one per user; `of` is the user. */
export const findLiveCallsOf = (reader: Reader, userIds: number[]) =>
  rows<LiveCall & { of: number }>(reader, `${liveCallsBy('student_id')} union all ${liveCallsBy('teacher_id')}`, [
    userIds,
  ]);

/** At most one, since each participant of the room has at most one live call. */
export const findLiveCallOfRoom = (reader: Reader, channel: string) =>
  row<LiveCall>(reader, liveCallsBy('channel'), [[channel]]);

/** `count` and `seconds` cover accepted calls. */
export const callStats = (reader: Reader) =>
  requiredRow<{ count: number; active: number; seconds: number }>(
    reader,
    `select coalesce(sum(rows) filter (where accepted_at is not null), 0) as count,
       coalesce(sum(amount) filter (where accepted_at is not null), 0) as seconds,
       coalesce(sum(rows) filter (where state = 'active'), 0) as active
     from call_tally`,
  );

/**
 * Per UTC day: accepted calls and the seconds of ended ones, bookings made that day and their outcome, and reviews that
 * are not hidden. Omits days without any.
 */
export const callDays = (reader: Reader, { from, to }: { from: string; to: string }) =>
  rows<CommandAnswer<'calls-days.read'>[number]>(
    reader,
    `with figures as (
       select accepted_at as date, rows as calls, amount as seconds, 0 as bookings, 0 as confirmed, 0 as missed,
         0 as reviews, 0 as stars
       from call_tally where accepted_at between $1::date and $2::date
       union all
       select created_at, 0, 0, rows, case when status in ('confirmed', 'done') then rows else 0 end,
         case status when 'missed' then rows else 0 end, 0, 0
       from booking_tally where created_at between $1::date and $2::date
       union all
       select created_at, 0, 0, 0, 0, 0, rows, rows * rating
       from review_tally where not hidden and created_at between $1::date and $2::date
     )
     select date::text as date, sum(calls)::bigint as calls, sum(seconds)::bigint as seconds,
       sum(bookings)::bigint as bookings, sum(confirmed)::bigint as confirmed_bookings,
       sum(missed)::bigint as missed_bookings, sum(reviews)::bigint as reviews, sum(stars)::bigint as stars
     from figures f group by f.date having sum(calls) > 0 or sum(bookings) > 0 or sum(reviews) > 0 order by f.date`,
    [from, to],
  );
