import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';

/** Exact, and fast at any size: counts only the newest messages. */
export async function countAll(reader: Reader): Promise<{ rooms: number; messages: number }> {
  const counted = await row<{ rooms: number; messages: number }>(
    reader,
    `select (select coalesce(sum(count), 0) from tally where name = 'room') as rooms,
       (select coalesce(sum(messages), 0) from message_day)
         + (select count(*) from message where id > up_to_id) as messages
     from message_day_mark`,
  );
  return counted ?? { rooms: 0, messages: 0 };
}

/** The number of messages per UTC day; days without messages are left out. */
export const messageDays = (reader: Reader, { from, to }: { from: string; to: string }) =>
  rows<CommandAnswer<'messaging-days.read'>[number]>(
    reader,
    `with written as (
       select day, messages from message_day where day between $1::date and $2::date
       union all
       select (created_at at time zone 'UTC')::date, 1 from message
       where id > (select up_to_id from message_day_mark) and created_at >= $1::date and created_at < $2::date + 1
     )
     select day::text as date, sum(messages) as messages from written group by day order by day`,
    [from, to],
  );

/** Longer than any transaction: no message older than this can still be uncommitted. */
const SETTLED_AFTER = '1 minute';

const TALLIED_AT_ONCE = 20_000;
const SETTLED = `created_at < (select app_now()) - interval '${SETTLED_AFTER}'`;

/** Adds the settled messages among the next ids to the counts of their days. */
const COUNT = `
  with settled as materialized (select max(id) as id from message where id > $1 and id <= $2 and ${SETTLED}),
  counted as (
    insert into message_day as known (day, messages)
    select (created_at at time zone 'UTC')::date, count(*) from message
    where id > $1 and id <= (select id from settled) group by 1
    on conflict (day) do update set messages = known.messages + excluded.messages
  )
  update message_day_mark set up_to_id = settled.id from settled where settled.id is not null returning up_to_id`;

/** Ids may have large gaps: when none of the next ids exists, moves the tally to just before the next message. */
const SKIP = `
  update message_day_mark set up_to_id = next.id - 1
  from (select min(id) as id from message where id > $2 and ${SETTLED}) as next
  where next.id is not null and not exists (select from message where id > $1 and id <= $2) returning up_to_id`;

/** Moves the tally forward by one step over settled messages. Returns true when there may be more. */
export async function advanceTally(tx: Tx, step = TALLIED_AT_ONCE): Promise<boolean> {
  const tally = await row<{ up_to_id: number }>(
    tx,
    'select up_to_id from message_day_mark for no key update skip locked',
  );
  if (!tally) return false;
  const span = [tally.up_to_id, tally.up_to_id + step];
  return ((await row(tx, COUNT, span)) ?? (await row(tx, SKIP, span))) !== undefined;
}
