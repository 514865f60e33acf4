import type { UserCaller } from '@tutoring/shared/auth';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { publish, publishLive } from '@tutoring/shared/events/outbox';
import { once } from '@tutoring/shared/http/idempotency';
import { invalidField } from '@tutoring/shared/http/validation';
import { recipientGone, roomNotFound, senderBarred } from '../errors.ts';
import { messageNotification, type Notification } from '../push/notification.ts';
import { enqueuePush } from '../push/push-store.ts';
import { isRead, lastMessageId, partnerOf, readingOf } from '../rooms/room.ts';
import { findRoom, lockRoom, moveReadCursor, type LockedRoom } from '../rooms/room-store.ts';
import type { MessagingSettings } from '../settings/settings.ts';
import { texts } from '../texts.ts';
import { characters, showMessage, type Message, type MessageWindow, type NewMessage } from './message.ts';
import { findByClientId, insertMessage, listMessages, newestIdBy } from './message-store.ts';

/** Throws invalid when the text is longer than the setting allows. */
export function assertLength(
  body: Pick<NewMessage, 'message'>,
  { message_max_length: limit }: MessagingSettings,
): void {
  const fits = body.message === undefined || characters(body.message) <= limit;
  assertThat(fits, invalidField('message', texts.tooLong(limit)));
}

/** Writes a message into a locked room and tells both participants; `push` says what the recipient's devices show. */
export async function postMessage(
  tx: Tx,
  room: LockedRoom,
  senderId: number,
  body: NewMessage,
  push: (stored: Message) => Notification,
): Promise<Message> {
  const stored = await insertMessage(tx, room.uuid, senderId, body);
  const recipientId = partnerOf(room, senderId);
  await publish(tx, 'message.sent', {
    id: stored.id,
    room_uuid: room.uuid,
    sender_id: senderId,
    recipient_id: recipientId,
    type: stored.type,
    created_at: stored.created_at,
  });
  const data = showMessage(stored, stored.created_at, false);
  await publishLive(
    tx,
    [senderId, recipientId].map((user) => ({ to: { user }, event: 'message.created' as const, data })),
  );
  if (room.recipient_reachable) await enqueuePush(tx, recipientId, push(stored));
  return stored;
}

export function createMessages(deps: {
  database: Database;
  settings: () => Promise<MessagingSettings>;
  wakePush: () => void;
}) {
  const { database, settings, wakePush } = deps;

  async function post(tx: Tx, senderId: number, uuid: string, body: NewMessage, onPush: () => void) {
    const room = await lockRoom(tx, uuid, senderId);
    assertThat(room, roomNotFound());
    if (body.client_message_id !== undefined) {
      const earlier = await findByClientId(tx, room.uuid, senderId, body.client_message_id);
      if (earlier) return showMessage(earlier, earlier.created_at, isRead(room, earlier));
    }
    assertThat(!room.sender_barred, senderBarred());
    assertThat(!room.recipient_barred, recipientGone());
    const stored = await postMessage(tx, room, senderId, body, ({ id }) =>
      messageNotification({ from: room.sender_name, roomUuid: room.uuid, messageId: id, body }),
    );
    if (room.recipient_reachable) onPush();
    return showMessage(stored, stored.created_at, false);
  }

  /** Moves the reader's cursor to the newest message of the partner up to `upTo`; answers where it stands. */
  async function markRead(readerId: number, uuid: string, upTo?: number): Promise<number> {
    return database.transact(async (tx) => {
      const room = await lockRoom(tx, uuid, readerId);
      assertThat(room, roomNotFound());
      const { readId, newestId } = readingOf(room, readerId);
      if (newestId <= readId) return readId;
      const partnerId = partnerOf(room, readerId);
      const target = upTo === undefined || upTo >= newestId ? newestId : await newestIdBy(tx, uuid, partnerId, upTo);
      if (target <= readId) return readId;
      await moveReadCursor(tx, uuid, readerId, target);
      const data = { room_uuid: room.uuid, up_to: target };
      await publishLive(tx, [{ to: { user: partnerId }, event: 'message.read', data }]);
      return target;
    });
  }

  return {
    markRead,

    /** Sends a message; repeated with the same key or client_message_id it answers the first one. */
    async send(caller: UserCaller, uuid: string, body: NewMessage, key: string | undefined) {
      assertLength(body, await settings());
      const scope = `POST /api/rooms/${uuid.toLowerCase()}/messages`;
      let pushed = false;
      const sent = await database.transact((tx) =>
        once(tx, { caller, scope, key, body }, () => post(tx, caller.id, uuid, body, () => (pushed = true))),
      );
      if (pushed) wakePush();
      return sent;
    },

    /** A page of the room as it stood before this fetch, which marks it read up to the page's newest message. */
    async fetchPage(viewerId: number, uuid: string, window: MessageWindow) {
      const room = await findRoom(database.manager, uuid, viewerId);
      assertThat(room, roomNotFound());
      const messages = lastMessageId(room) === 0 ? [] : await listMessages(database.manager, uuid, window);
      const newest = messages.at(-1);
      const { readId, newestId } = readingOf(room, viewerId);
      if (newest && newest.id > readId && newestId > readId) await markRead(viewerId, uuid, newest.id);
      return { room, messages, now: room.now };
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
