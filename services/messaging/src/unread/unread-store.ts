import { prepared, rows, type Reader } from '@tutoring/shared/database/sql';

/** The number of unread messages in a room; `is_support`: it is the support room. */
export interface UnreadRoom {
  room_uuid: string;
  unread: number;
  is_support: boolean;
}

/** Each room with unread messages. Reads no other room. */
const UNREAD = `
  select uuid as room_uuid, updated_at, false as is_support, student_unread as unread
  from room where student_id = $1 and teacher_last_id > student_read_id
  union all
  select uuid, updated_at, false, teacher_unread from room where teacher_id = $1 and student_last_id > teacher_read_id
  union all
  select r.uuid, r.updated_at, true, (
    select count(*) from support_message m where m.room_uuid = r.uuid and m.id > r.user_read_id and m.by_staff
  ) from support_room r where r.user_id = $1 and r.staff_last_id > r.user_read_id`;

/** The user's rooms with unread messages, latest activity first. */
export const listUnread = (reader: Reader, userId: number) =>
  rows<UnreadRoom>(
    reader,
    `select room_uuid, unread, is_support from (${UNREAD}) as unread order by updated_at desc, room_uuid`,
    [userId],
  );

const COUNT = { name: 'count_unread', sql: `select coalesce(sum(unread), 0) as total from (${UNREAD}) as unread` };

/** The user's unread messages in all rooms, for the badge. */
export const countUnread = async (reader: Reader, userId: number) =>
  (await prepared<{ total: number }>(reader, COUNT, [userId]))[0]!.total;
