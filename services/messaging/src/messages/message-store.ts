import { columnsOf, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { KnownMessage, Message, MessageWindow, UnstoredMessage } from './message.ts';

const COLUMNS = 'id, room_uuid, sender_id, message, type, message_link, created_at';

interface OwnMessages {
  roomUuid: string;
  senderId: number;
  /** Only messages with a higher id. */
  after: number | undefined;
  limit: number;
}

/** Queries on a table of messages. `own` and `by` are SQL conditions: written by the person $2, and by the side $2. */
export const messageReads = <Stored extends Message>(
  table: string,
  selected: string,
  { own, by }: { own: string; by: string },
) => ({
  /** Messages of a room, oldest first: with `after`, the first that follow it, otherwise the newest of the window. */
  async list(reader: Reader, roomUuid: string, window: MessageWindow): Promise<Stored[]> {
    const forward = window.after !== undefined;
    const found = await rows<Stored>(
      reader,
      `select ${selected} from ${table}
         where room_uuid = $1 and id > coalesce($2::bigint, 0) and id < coalesce($3::bigint, 9223372036854775807)
         order by id ${forward ? 'asc' : 'desc'} limit $4`,
      [roomUuid, window.after ?? null, window.before ?? null, window.limit],
    );
    return forward ? found : found.reverse();
  },

  /** These messages, one of each room. */
  listLast: (reader: Reader, roomUuids: string[], ids: number[]) =>
    rows<Stored>(
      reader,
      `select ${selected.replace(/\w+/g, 'm.$&')} from unnest($1::uuid[], $2::bigint[]) as last (room_uuid, id)
         join ${table} m using (room_uuid, id)`,
      [roomUuids, ids],
    ),

  /** One person's messages in a room, oldest first. */
  listOwn: (reader: Reader, { roomUuid, senderId, after, limit }: OwnMessages) =>
    rows<Stored>(
      reader,
      `select ${selected} from ${table} where room_uuid = $1 and ${own} and id > $3 order by id limit $4`,
      [roomUuid, senderId, after ?? 0, limit],
    ),

  /** The newest message of one side up to `upTo`, 0 when there is none. */
  newestIdBy: async (reader: Reader, roomUuid: string, side: number | boolean, upTo: number): Promise<number> =>
    (await value<number | undefined>(
      reader,
      `select id from ${table} where room_uuid = $1 and ${by} and id <= $3 order by id desc limit 1`,
      [roomUuid, side, upTo],
    )) ?? 0,

  /** How many messages of one side follow the message `after`, up to `upTo`. */
  countBy: (
    reader: Reader,
    roomUuid: string,
    side: number | boolean,
    { after, upTo }: { after: number; upTo: number },
  ) =>
    value<number>(reader, `select count(*) from ${table} where room_uuid = $1 and ${by} and id > $3 and id <= $4`, [
      roomUuid,
      side,
      after,
      upTo,
    ]),
});

const SENDER = 'sender_id = $2';
export const {
  list: listMessages,
  listLast: listLastMessages,
  listOwn: listOwnMessages,
  newestIdBy,
  countBy,
} = messageReads<Message>('message', COLUMNS, { own: SENDER, by: SENDER });

/** The stored messages whose sender and `client_message_id` match one of these items. */
export const findRepeated = (reader: Reader, items: UnstoredMessage[]) =>
  rows<KnownMessage>(
    reader,
    // One lookup per item (lateral): the plan must not change with the size of the table.
    `
        select m.* from unnest($1::uuid[], $2::bigint[], $3::text[]) as asked(room_uuid, sender_id, client_message_id)
        cross join lateral (
          select ${COLUMNS}, client_message_id from message where room_uuid = asked.room_uuid
            and sender_id = asked.sender_id and client_message_id = asked.client_message_id limit 1
        ) m`,
    columnsOf(items, 'room_uuid', 'sender_id', 'client_message_id'),
  );

/**
 * Inserts messages with one timestamp and with ids in their order. The caller must have locked their rooms: only then
 * do ids rise in commit order within a room.
 */
export async function insertMessages(tx: Tx, items: UnstoredMessage[]): Promise<Message[]> {
  const stored = await rows<Message>(
    tx,
    `
        insert into message (room_uuid, sender_id, message, type, message_link, client_message_id, created_at)
        select room_uuid, sender_id, message, type, message_link, client_message_id, (select app_now())
        from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
          as item(room_uuid, sender_id, message, type, message_link, client_message_id, ordinal)
        order by ordinal returning ${COLUMNS}`,
    columnsOf(items, 'room_uuid', 'sender_id', 'message', 'type', 'message_link', 'client_message_id'),
  );
  return stored.sort((a, b) => a.id - b.id);
}
