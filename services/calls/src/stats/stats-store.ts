import type { Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { backlogOf, inBacklogOf } from '@tutoring/shared/database/tally';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';

const IN_BACKLOG = inBacklogOf('call');

/** Calls from before their counters. */
export const callBacklog = backlogOf(
  'call',
  `select tally_add(c.name, c.count, c.seconds) from (
    select counter.name, count(*) as count, coalesce(sum(counter.seconds), 0) as seconds from call
    cross join lateral (values ('active', 0, state = 'active'),
      ('accepted:' || tally_day(accepted_at), total_duration, accepted_at is not null)) as counter(name, seconds, holds)
    where id > $1::bigint and id <= $2::bigint and holds group by counter.name) c`,
);

/** `count` and `seconds` cover accepted calls. */
export const callStats = async (reader: Reader) =>
  (await row<{ count: number; active: number; seconds: number }>(
    reader,
    `with counted as (
       select name, count, amount as seconds from tally
       union all
       select 'accepted:', 1, total_duration from call where ${IN_BACKLOG} and accepted_at is not null
       union all
       select 'active', 1, 0 from call where ${IN_BACKLOG} and state = 'active'
     )
     select coalesce(sum(count) filter (where name like 'accepted:%'), 0) as count,
       coalesce(sum(seconds) filter (where name like 'accepted:%'), 0) as seconds,
       coalesce(sum(count) filter (where name = 'active'), 0) as active
     from counted`,
  ))!;

/** Accepted calls and the seconds of those that are over, per UTC day; days without calls are left out. */
export const callDays = (reader: Reader, { from, to }: { from: string; to: string }) =>
  rows<CommandAnswer<'calls-days.read'>[number]>(
    reader,
    `with counted as (
       select split_part(name, ':', 2) as date, count, amount as seconds from tally
       where name >= 'accepted:' || $1::text and name < 'accepted:' || $2::text || ';'
       union all
       select tally_day(accepted_at), 1, total_duration from call
       where ${IN_BACKLOG} and accepted_at >= $1::date and accepted_at < $2::date + 1
     )
     select date, sum(count) as calls, coalesce(sum(seconds), 0) as seconds
     from counted group by date having sum(count) > 0 order by date`,
    [from, to],
  );
