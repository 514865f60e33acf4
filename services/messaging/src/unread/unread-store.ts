import type { Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';

/** The number of unread messages in a room; `is_support`: it is the support room. */
export interface UnreadRoom {
  room_uuid: string;
  unread: number;
  is_support: boolean;
}

/**
 * The rooms with unread messages for the user `$1`. Reads only the messages after the user's cursor, so the cost grows
 * with what is unread, not with the history. Counts at most `$2` messages of a room; null: all.
 */
const UNREAD = `
  select r.uuid as room_uuid, r.updated_at, false as is_support,
    (select count(*) from (select 1 from message m where m.room_uuid = r.uuid and m.id > r.student_read_id
      and m.sender_id = r.teacher_id order by m.id limit $2::bigint) as n) as unread
  from room r where r.student_id = $1 and r.teacher_last_id > r.student_read_id
  union all
  select r.uuid, r.updated_at, false,
    (select count(*) from (select 1 from message m where m.room_uuid = r.uuid and m.id > r.teacher_read_id
      and m.sender_id = r.student_id order by m.id limit $2::bigint) as n)
  from room r where r.teacher_id = $1 and r.student_last_id > r.teacher_read_id
  union all
  select r.uuid, r.updated_at, true,
    (select count(*) from (select 1 from support_message m where m.room_uuid = r.uuid and m.id > r.user_read_id
      and m.by_staff order by m.id limit $2::bigint) as n)
  from support_room r where r.user_id = $1 and r.staff_last_id > r.user_read_id`;

/** The user's rooms with unread messages, latest activity first. */
export const listUnread = (reader: Reader, userId: number) =>
  rows<UnreadRoom>(
    reader,
    `select room_uuid, unread, is_support from (${UNREAD}) as mine order by updated_at desc, room_uuid`,
    [userId, null],
  );

/** The badge of a notification counts at most so many messages of a room: a flood of them must not make it expensive. */
const MOST_IN_BADGE = 1_000;

/** The user's unread messages in all rooms, for the badge: exact while no room has more than `MOST_IN_BADGE`. */
export async function countUnread(reader: Reader, userId: number): Promise<number> {
  const counted = await row<{ total: number }>(
    reader,
    `select coalesce(sum(unread), 0) as total from (${UNREAD}) as mine`,
    [userId, MOST_IN_BADGE],
  );
  return counted?.total ?? 0;
}
