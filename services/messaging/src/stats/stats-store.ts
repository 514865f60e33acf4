import { requiredRow, rows, type Reader } from '@tutoring/shared/kit/database/sql';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';

export const countAll = (reader: Reader) =>
  requiredRow<CommandAnswer<'messaging-stats.read'>>(
    reader,
    `select (select coalesce(sum(rows), 0) from room_tally) as rooms,
       (select coalesce(sum(rows), 0) from message_tally) as messages`,
  );

/** The number of messages per UTC day; days without messages are left out. */
export const messageDays = (reader: Reader, { from, to }: { from: string; to: string }) =>
  rows<CommandAnswer<'messaging-days.read'>[number]>(
    reader,
    `select created_at::text as date, sum(rows) as messages from message_tally
     where created_at between $1::date and $2::date group by created_at order by created_at`,
    [from, to],
  );
