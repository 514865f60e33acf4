import type { Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';

/** `count` and `seconds` cover accepted calls. */
export const callStats = async (reader: Reader) =>
  (await row<{ count: number; active: number; seconds: number }>(
    reader,
    `select coalesce(sum(count) filter (where name like 'accepted:%'), 0) as count,
       coalesce(sum(amount) filter (where name like 'accepted:%'), 0) as seconds,
       coalesce(sum(count) filter (where name = 'active'), 0) as active
     from tally`,
  ))!;

/** Accepted calls and the seconds of those that are over, per UTC day; days without calls are left out. */
export const callDays = (reader: Reader, { from, to }: { from: string; to: string }) =>
  rows<CommandAnswer<'calls-days.read'>[number]>(
    reader,
    `select split_part(name, ':', 2) as date, sum(count) as calls, coalesce(sum(amount), 0) as seconds from tally
     where name >= 'accepted:' || $1::text and name < 'accepted:' || $2::text || ';'
     group by date having sum(count) > 0 order by date`,
    [from, to],
  );
