import type { Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';

/** The number of unread messages in a room; `is_support`: it is the support room. */
export interface UnreadRoom {
  room_uuid: string;
  unread: number;
  is_support: boolean;
}

const IN_SUPPORT = `
  from support_room r, lateral (
    select count(*) as unread from support_message m where m.room_uuid = r.uuid and m.id > r.user_read_id and m.by_staff
  ) as counted where r.user_id = $1 and r.staff_last_id > r.user_read_id`;

/** The user's rooms with unread messages, latest activity first. Reads no other room. */
export const listUnread = (reader: Reader, userId: number) =>
  rows<UnreadRoom>(
    reader,
    `select room_uuid, unread, is_support from (
       select r.uuid as room_uuid, r.updated_at, false as is_support, student_unread as unread
       from room r where student_id = $1 and teacher_last_id > student_read_id
       union all
       select r.uuid, r.updated_at, false, teacher_unread
       from room r where teacher_id = $1 and student_last_id > teacher_read_id
       union all
       select r.uuid, r.updated_at, true, unread ${IN_SUPPORT}
     ) as mine order by updated_at desc, room_uuid`,
    [userId],
  );

/** The user's unread messages in all rooms, for the badge. Costs the same however many rooms there are. */
export async function countUnread(reader: Reader, userId: number): Promise<number> {
  const counted = await row<{ total: number }>(
    reader,
    `select coalesce(sum(unread), 0) as total from (
       select messages as unread from unread_share where user_id = $1
       union all
       select unread ${IN_SUPPORT}
     ) as mine`,
    [userId],
  );
  return counted?.total ?? 0;
}
