import { dynamic, requiredRow, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { UnstoredMessage } from '../messages/message.ts';
import { messageReads } from '../messages/message-store.ts';
import type { Person } from '../people/person.ts';
import type { SupportMessage, SupportRoom, SupportWindow } from './support.ts';

const ROOM = `uuid, user_id, user_read_id, staff_read_id, user_last_id, staff_last_id, last_message_at, created_at, updated_at`;
const MESSAGE = 'id, room_uuid, sender_id, by_staff, message, type, message_link, created_at';

export type SeenSupportRoom = SupportRoom & { now: string };

export const findSupportRoom = (reader: Reader, uuid: string) =>
  row<SeenSupportRoom>(reader, `select ${ROOM}, app_now() as now from support_room where uuid = $1`, [uuid]);

export const findSupportRoomOf = (reader: Reader, userId: number) =>
  row<SeenSupportRoom>(reader, `select ${ROOM}, app_now() as now from support_room where user_id = $1`, [userId]);

/** The list of all support rooms, latest activity first. */
export function listSupportRooms(reader: Reader, { before, limit, user_id: userId, unanswered }: SupportWindow) {
  const values: unknown[] = [limit];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
  const conditions = ['true'];
  if (before !== undefined)
    conditions.push(`(updated_at, uuid) < (select updated_at, uuid from support_room where uuid = ${value(before)})`);
  if (userId !== undefined) conditions.push(`user_id = ${value(userId)}`);
  // The condition of the index `support_room_unanswered`. Rooms of deleted accounts cannot be answered.
  if (unanswered)
    conditions.push(
      'user_last_id > staff_last_id',
      'not exists (select from user_copy u where u.id = user_id and u.deleted offset 0)',
    );
  return rows<SeenSupportRoom>(
    reader,
    dynamic(
      `select ${ROOM}, (select app_now()) as now from support_room
       where ${conditions.join(' and ')} order by updated_at desc, uuid desc limit $1`,
    ),
    values,
  );
}

const reads = messageReads<SupportMessage>('support_message', MESSAGE, {
  own: 'sender_id = $2 and not by_staff',
  by: 'by_staff = $2',
});
export const {
  list: listSupportMessages,
  listOwn: listOwnSupportMessages,
  newestIdBy: newestSupportIdBy,
  countBy: countSupportBy,
} = reads;

export const listLastSupportMessages = (
  reader: Reader,
  rooms: Pick<SupportRoom, 'uuid' | 'user_last_id' | 'staff_last_id'>[],
) =>
  reads.listLast(
    reader,
    rooms.map((room) => room.uuid),
    rooms.map((room) => Math.max(room.user_last_id, room.staff_last_id)),
  );

/** Creates the user's room unless there is one. */
export const insertSupportRoom = (tx: Tx, userId: number) =>
  rows(
    tx,
    `with moment as materialized (select app_now() as at)
     insert into support_room (user_id, created_at, updated_at) select $1, at, at from moment on conflict do nothing`,
    [userId],
  );

export const lockSupportRoom = (tx: Tx, uuid: string) =>
  row<SupportRoom>(tx, `select ${ROOM} from support_room where uuid = $1 for no key update`, [uuid]);

/** The user's status in the local copy of identity's data; undefined for an unknown user, who counts as active. */
export const findStanding = (reader: Reader, userId: number) =>
  row<Pick<Person, 'deleted' | 'status'>>(reader, 'select deleted, status from user_copy where id = $1', [userId]);

export const findSupportByClientId = (reader: Reader, { room_uuid, sender_id, client_message_id }: UnstoredMessage) =>
  row<SupportMessage>(
    reader,
    `select ${MESSAGE} from support_message where room_uuid = $1 and sender_id = $2 and client_message_id = $3`,
    [room_uuid, sender_id, client_message_id],
  );

/** Inserts a message and moves its room to the top; the room must be locked. */
export async function insertSupportMessage(tx: Tx, item: UnstoredMessage, isStaff: boolean): Promise<SupportMessage> {
  const stored = await requiredRow<SupportMessage>(
    tx,
    `insert into support_message (room_uuid, sender_id, by_staff, message, type, message_link, client_message_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, app_now()) returning ${MESSAGE}`,
    [item.room_uuid, item.sender_id, isStaff, item.message, item.type, item.message_link, item.client_message_id],
  );
  const last = isStaff ? 'staff_last_id' : 'user_last_id';
  await rows(
    tx,
    `update support_room set ${last} = $2, last_message_at = $3::timestamptz, updated_at = $3::timestamptz where uuid = $1`,
    [item.room_uuid, stored.id, stored.created_at],
  );
  return stored;
}

/** Moves one side's read cursor forward. */
export const moveSupportCursor = (tx: Tx, uuid: string, staff: boolean, readId: number) => {
  const cursor = staff ? 'staff_read_id' : 'user_read_id';
  return rows(tx, `update support_room set ${cursor} = greatest(${cursor}, $2) where uuid = $1`, [uuid, readId]);
};
