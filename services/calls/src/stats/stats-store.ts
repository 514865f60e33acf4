import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';

/** `count` and `seconds` cover accepted calls. */
export const callStats = async (reader: Reader) =>
  (await row<{ count: number; active: number; seconds: number }>(
    reader,
    `select coalesce(sum(accepted), 0) as count, coalesce(sum(seconds), 0) as seconds,
       (select count(*) from call where not settled and state = 'active') as active
     from teacher_tally`,
  ))!;

/** SQL condition: the call was accepted on that UTC day. */
const ON_DAY = (day: string) => `accepted_at >= ${day}::timestamp at time zone 'UTC'
  and accepted_at < (${day} + 1)::timestamp at time zone 'UTC'`;

/** Accepted calls and their seconds per UTC day. A day that is not closed is counted at each request. */
export const callDays = (reader: Reader, { from, to }: { from: string; to: string }) =>
  rows<CommandAnswer<'calls-days.read'>[number]>(
    reader,
    `select asked.day::text as date, coalesce(closed.calls, counted.calls) as calls,
       coalesce(closed.seconds, counted.seconds) as seconds
     from (select generate_series($1::date, $2::date, '1 day')::date as day) as asked
     left join call_day as closed using (day)
     left join lateral (
       select count(*) as calls, coalesce(sum(total_duration), 0) as seconds from call
       where closed.day is null and ${ON_DAY('asked.day')}
     ) as counted on true
     where coalesce(closed.calls, counted.calls) > 0
     order by asked.day`,
    [from, to],
  );

/** This long after midnight no acceptance of the day before can still be uncommitted. */
const CLOSED_AFTER = '1 hour';

const CLOSE = `
  with open as materialized (
    select distinct (accepted_at at time zone 'UTC')::date as day from call where not settled and accepted_at is not null
  ), past as (
    select day from (
      select generate_series(
        (select min(accepted_at) at time zone 'UTC' from call where accepted_at is not null)::date,
        (((select app_now()) - interval '${CLOSED_AFTER}') at time zone 'UTC')::date - 1, '1 day')::date as day) as days
    where day not in (select day from open) and not exists (select from call_day where call_day.day = days.day)
    order by day limit $1
  )
  insert into call_day (day, calls, seconds)
  select past.day, counted.calls, counted.seconds
  from past, lateral (
    select count(*) as calls, coalesce(sum(total_duration), 0) as seconds from call where ${ON_DAY('past.day')}
  ) as counted
  on conflict do nothing returning day`;

const CLOSED_AT_ONCE = 7;

/** Closes the oldest days that can be closed. Returns true when there may be more. */
export const closeDays = async (tx: Tx, atOnce = CLOSED_AT_ONCE) => (await rows(tx, CLOSE, [atOnce])).length === atOnce;
