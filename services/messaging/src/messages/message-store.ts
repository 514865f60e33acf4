import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { Message, MessageWindow } from './message.ts';

const COLUMNS = 'id, room_uuid, sender_id, message, type, message_link, created_at';

/** Messages of a room, oldest first: with `after` those that follow it, else the newest of the window. */
export async function listMessages(tx: Tx, roomUuid: string, window: MessageWindow): Promise<Message[]> {
  const forward = window.after !== undefined;
  const found = await rows<Message>(
    tx,
    `select ${COLUMNS} from message
     where room_uuid = $1 and id > coalesce($2::bigint, 0) and id < coalesce($3::bigint, 9223372036854775807)
     order by id ${forward ? 'asc' : 'desc'} limit $4`,
    [roomUuid, window.after ?? null, window.before ?? null, window.limit],
  );
  return forward ? found : found.reverse();
}

/** The newest message of each of these rooms. */
export const listLastMessages = (tx: Tx, roomUuids: string[], ids: number[]) =>
  rows<Message>(
    tx,
    `select ${COLUMNS.replace(/\w+/g, 'm.$&')} from unnest($1::uuid[], $2::bigint[]) as last (room_uuid, id)
     join message m using (room_uuid, id)`,
    [roomUuids, ids],
  );

export const findMessage = (tx: Tx, roomUuid: string, id: number) =>
  row<Message>(tx, `select ${COLUMNS} from message where room_uuid = $1 and id = $2`, [roomUuid, id]);

/** The newest message by `senderId` up to `upTo`, 0 when there is none. */
export async function newestIdBy(tx: Tx, roomUuid: string, senderId: number, upTo: number): Promise<number> {
  const found = await row<{ id: number }>(
    tx,
    'select id from message where room_uuid = $1 and sender_id = $2 and id <= $3 order by id desc limit 1',
    [roomUuid, senderId, upTo],
  );
  return found?.id ?? 0;
}
