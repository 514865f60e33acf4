import { writeWithCommit, type Reader, type Tx } from '@tutoring/shared/kit/database/open';
import { inPages } from '@tutoring/shared/kit/database/pages';
import { columnsOf, row, rows, value } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';
import { isBlockedBetween } from '../blocks/block-store.ts';
import type { Room, RoomWithPeople, Side } from './room.ts';

const COLUMNS = `uuid, student_id, teacher_id, student_read_id, teacher_read_id, student_last_id, teacher_last_id,
  student_unread, teacher_unread, created_at, updated_at`;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const PARTICIPANT = '$2::bigint in (student_id, teacher_id)';

/** `now`: the database's time. */
export type SeenRoom = Room & { now: string };

const FIND_ROOM = `select ${COLUMNS}, app_now() as now from room where uuid = $1 and ${PARTICIPANT}`;

/** The room, if `userId` is one of its participants. */
export const findRoom = (reader: Reader, uuid: string, userId: number) =>
  row<SeenRoom>(reader, FIND_ROOM, [uuid, userId]);

const ACTIVITY_OF_BEFORE = `coalesce((select updated_at from room where uuid = $2), 'infinity')`;

/**
 * The user's rooms, latest activity first; with `before`, those that follow that room in the list. Reads only the rooms
 * that it returns.
 */
export const listRooms = (
  reader: Reader,
  user: { id: number; platform: 'student' | 'teacher' },
  { before, limit }: { before: string | undefined; limit: number },
) =>
  rows<SeenRoom>(
    reader,
    `select ${COLUMNS}, (select app_now()) as now from room
     where ${user.platform === 'student' ? 'student_id' : 'teacher_id'} = $1 and updated_at <= ${ACTIVITY_OF_BEFORE}
       and (updated_at < ${ACTIVITY_OF_BEFORE} or uuid > $2)
     order by updated_at desc, uuid limit $3`,
    [user.id, before ?? null, limit],
  );

/** The user's rooms with uuids above `after`, in the order of their uuids. */
export const listRoomsAfter = (reader: Reader, userId: number, after: string | undefined, limit: number) =>
  rows<SeenRoom>(
    reader,
    `select ${COLUMNS}, (select app_now()) as now from room
     where (student_id = $1 or teacher_id = $1) and uuid > coalesce($2::uuid, '${BEFORE_ALL}') order by uuid limit $3`,
    [userId, after ?? null, limit],
  );

/** The one of these rooms that has a live call, or undefined. Needed only with version 1.0 of the calls service. */
export const liveRoomAmong = (reader: Reader, rooms: string[]) =>
  value<string | undefined>(
    reader,
    `select room_uuid from call_copy where room_uuid = any($1::uuid[]) and state in ('ringing', 'active') limit 1`,
    [rooms],
  );

/** Like `findRoom`, and locks the room against sends and changes of read cursors. */
export const lockRoom = (tx: Tx, uuid: string, userId: number) =>
  row<Room>(tx, `select ${COLUMNS} from room where uuid = $1 and ${PARTICIPANT} for no key update`, [uuid, userId]);

const knownPerson = (id: string) =>
  `(select json_build_object('name', name, 'status', status, 'deleted', deleted) from user_copy where id = ${id})`;
const FIND_PEOPLE = `
    select uuid, ${knownPerson('student_id')} as student, ${knownPerson('teacher_id')} as teacher,
      ${isBlockedBetween('student_id', 'teacher_id')} as blocked
    from room where uuid = any($1::uuid[])`;
const LOCK = `select ${COLUMNS} from room where uuid = any($1::uuid[]) order by uuid for no key update`;

/** Reads the people after the lock, so that a ban or block committed by the lock's previous holder is seen. */
async function lockWith(tx: Tx, sql: string, uuids: string[]): Promise<RoomWithPeople[]> {
  const [rooms, people] = await Promise.all([
    rows<Room>(tx, sql, [uuids]),
    rows<Omit<RoomWithPeople, keyof Room> & { uuid: string }>(tx, FIND_PEOPLE, [uuids]),
  ]);
  const peopleOf = new Map(people.map((found) => [found.uuid, found]));
  return rooms.map((room) => ({ ...room, ...peopleOf.get(room.uuid)! }));
}

/** Locks these rooms, always in the same order, so that two transactions cannot deadlock. */
export const lockRooms = (tx: Tx, uuids: string[]) => lockWith(tx, LOCK, uuids);

/** Like `lockRooms`, but does not wait: leaves out rooms that another transaction has locked. */
export const lockFreeRooms = (tx: Tx, uuids: string[]) => lockWith(tx, `${LOCK} skip locked`, uuids);

export const findRooms = (reader: Reader, uuids: string[]) =>
  rows<Room>(reader, `select ${COLUMNS} from room where uuid = any($1::uuid[])`, [uuids]);

/** Saves the last messages, unread counts and activity of rooms, with the COMMIT; the rooms must be locked. */
export const saveActivity = (tx: Tx, changed: Room[]) =>
  void writeWithCommit(
    tx,
    `
        update room set student_last_id = changed.student_last_id, teacher_last_id = changed.teacher_last_id,
          student_unread = changed.student_unread, teacher_unread = changed.teacher_unread, updated_at = changed.updated_at
        from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::timestamptz[])
          as changed(uuid, student_last_id, teacher_last_id, student_unread, teacher_unread, updated_at)
        where room.uuid = changed.uuid`,
    columnsOf(changed, 'uuid', 'student_last_id', 'teacher_last_id', 'student_unread', 'teacher_unread', 'updated_at'),
  );

const INSERT_ROOMS = `
    with moment as materialized (select app_now() as at)
    insert into room (uuid, student_id, teacher_id, created_at, updated_at)
    select asked.uuid, asked.student_id, asked.teacher_id, at, at
    from moment, unnest($1::uuid[], $2::bigint[], $3::bigint[]) as asked(uuid, student_id, teacher_id)
    order by asked.uuid
    on conflict do nothing returning ${COLUMNS}, version`;

export type NewRoom = Room & { version: number };

/** Returns only the new rooms, not those that exist already. */
export const insertRooms = (tx: Tx, asked: Pick<Room, 'uuid' | 'student_id' | 'teacher_id'>[]) =>
  rows<NewRoom>(tx, INSERT_ROOMS, columnsOf(asked, 'uuid', 'student_id', 'teacher_id'));

/** Moves a side's read cursor forward to `readId`, which leaves `unread` messages; the room must be locked. */
export const moveReadCursor = (
  tx: Tx,
  uuid: string,
  { side, readId, unread }: { side: Side; readId: number; unread: number },
) => rows(tx, `update room set ${side}_read_id = $2, ${side}_unread = $3 where uuid = $1`, [uuid, readId, unread]);

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

const COUNT = `select coalesce(sum(unread), 0) as total from (${UNREAD}) as unread`;

/** The user's unread messages in all rooms, for the badge. */
export const countUnread = (reader: Reader, userId: number) => value<number>(reader, COUNT, [userId]);

/** Every room as event data, for `events resync`. */
export const roomSnapshots = (reader: Reader) =>
  inPages<EventData<'room.changed'>>(
    reader,
    `select uuid, student_id, teacher_id, version, created_at, updated_at from room
     where uuid > $1 order by uuid limit $2`,
    'uuid',
    BEFORE_ALL,
  );
