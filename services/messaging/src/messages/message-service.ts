import type { z } from 'zod';
import type { UserCaller } from '@tutoring/shared/auth';
import { createBatch } from '@tutoring/shared/batch';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { isUnavailable } from '@tutoring/shared/database/refusals';
import { assertThat, type AppError } from '@tutoring/shared/errors';
import { eventContext, markPublished, publishLive } from '@tutoring/shared/events/outbox';
import { once } from '@tutoring/shared/http/idempotency';
import { invalidField } from '@tutoring/shared/http/validation';
import { recipientGone, roomNotFound, senderBarred } from '../errors.ts';
import { messageNotification } from '../push/notification.ts';
import { isRead, lastMessageId, partnerOf, readingOf } from '../rooms/room.ts';
import { findRoom, lockRoom, moveReadCursor } from '../rooms/room-store.ts';
import type { MessagingSettings } from '../settings/settings.ts';
import { texts } from '../texts.ts';
import { characters, showMessage, type message, type MessageWindow, type NewMessage } from './message.ts';
import { findMessage, listMessages, newestIdBy } from './message-store.ts';
import { outgoing, showSent, type Outgoing, type Sent, type Verdict } from './outgoing.ts';
import { sendAll, sendUnlocked } from './send-store.ts';

/** Throws invalid when the text is longer than the setting allows. */
export function assertLength(
  body: Pick<NewMessage, 'message'>,
  { message_max_length: limit }: MessagingSettings,
): void {
  if (body.message !== undefined && body.message.length > limit && characters(body.message) > limit)
    throw invalidField('message', texts.tooLong(limit));
}

/** Messages in one commit. A second commit at the same time would only make both smaller. */
const BATCH = { size: 64, atOnce: 1 };

const REFUSALS: Record<Exclude<Verdict, 'sent' | 'repeated'>, () => AppError> = {
  not_found: roomNotFound,
  sender_barred: senderBarred,
  recipient_barred: recipientGone,
};

function theOne([sent]: Sent[]): Sent {
  if (!sent) throw new Error('a message was neither sent nor refused');
  return sent;
}

export function createMessages(deps: {
  database: Database;
  settings: () => Promise<MessagingSettings>;
  wakePush: () => void;
}) {
  const { database, settings, wakePush } = deps;
  const batch = createBatch<Outgoing, Sent>({
    ...BATCH,
    many: async (items) => {
      const all = await database.autocommit((tx) => sendUnlocked(tx, items));
      return all.map((sent) => (sent.verdict === 'busy' ? undefined : sent));
    },
    one: async (item) => theOne(await database.autocommit((tx) => sendAll(tx, [item]))),
    // What became of a batch whose connection was cut is not known: sending it again could double its messages.
    isWorthSplitting: (error) => !isUnavailable(error),
  });

  /** The public message, new or repeated. Throws the refusal that the verdict stands for. */
  async function answer(tx: Tx, item: Outgoing, sent: Sent): Promise<z.input<typeof message>> {
    const { verdict, message_id: id, sent_at: sentAt } = sent;
    if (verdict !== 'sent' && verdict !== 'repeated') throw REFUSALS[verdict]();
    if (id === null || sentAt === null) throw new Error('a message has no id');
    if (verdict === 'sent') return showSent(item, id, sentAt);
    const { room_uuid: uuid, sender_id: senderId } = item.shown;
    const [room, earlier] = await Promise.all([findRoom(tx, uuid, senderId), findMessage(tx, uuid, id)]);
    assertThat(room && earlier, roomNotFound());
    return showMessage(earlier, earlier.created_at, isRead(room, earlier));
  }

  /** The same within a transaction of its own, which also keeps the answer under the key. */
  async function sendKeyed(caller: UserCaller, item: Outgoing, body: NewMessage, key: string) {
    const limits = await settings();
    const request = { caller, scope: `POST /api/rooms/${item.shown.room_uuid}/messages`, key, body };
    let pushed = false;
    const reply = await database.transact((tx) =>
      once(tx, request, async () => {
        assertLength(body, limits);
        const sent = theOne(await sendAll(tx, [item]));
        markPublished(tx);
        pushed = sent.pushed;
        return answer(tx, item, sent);
      }),
    );
    if (pushed) wakePush();
    return reply;
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
      const push = messageNotification(uuid, body);
      const item = outgoing({ roomUuid: uuid, senderId: caller.id, body, push, context: eventContext() });
      if (key !== undefined) return sendKeyed(caller, item, body, key);
      assertLength(body, await settings());
      const sent = await batch(item);
      if (sent.pushed) wakePush();
      return answer(database.manager, item, sent);
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
