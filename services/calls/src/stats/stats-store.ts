import type { Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';

/** `count` and `seconds` cover accepted calls. */
export const callStats = async (reader: Reader) =>
  (await row<{ count: number; active: number; seconds: number }>(
    reader,
    `select coalesce(sum(rows) filter (where accepted_at is not null), 0) as count,
       coalesce(sum(amount) filter (where accepted_at is not null), 0) as seconds,
       coalesce(sum(rows) filter (where state = 'active'), 0) as active
     from call_tally`,
  ))!;

/** Accepted calls and the seconds of those that are over, per UTC day; days without calls are left out. */
export const callDays = (reader: Reader, { from, to }: { from: string; to: string }) =>
  rows<CommandAnswer<'calls-days.read'>[number]>(
    reader,
    `select accepted_at::text as date, sum(rows) as calls, sum(amount) as seconds from call_tally
     where accepted_at between $1::date and $2::date group by accepted_at having sum(rows) > 0 order by accepted_at`,
    [from, to],
  );
