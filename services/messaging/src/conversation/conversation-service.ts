import { currentLanguage } from '@tutoring/shared/process/context';
import type { UserCaller } from '@tutoring/shared/identity/auth';
import { createBatch } from '@tutoring/shared/batch';
import { isUnavailable } from '@tutoring/shared/database/refusals';
import { assertThat, type AppError } from '@tutoring/shared/errors';
import { eventContext, publishInOrder } from '@tutoring/shared/events/publish/outbox';
import { once } from '@tutoring/shared/http/serve/idempotency';
import { cannotWrite, recipientGone, roomNotFound, senderBarred } from '../errors.ts';
import { assertLength, justSent, type MessageWindow, type NewMessage } from '../messages/message.ts';
import { countBy, listMessages, newestIdBy } from '../messages/message-store.ts';
import type { Parts } from '../parts.ts';
import { lastMessageId, partnerOf, readingOf } from '../rooms/room.ts';
import { findRoom, lockRoom, lockRooms, moveReadCursor } from '../rooms/room-store.ts';
import { outgoing, verdictsOn, type Outgoing, type Refusal } from './outgoing.ts';
import { sendAll, sendFree, type Answer } from './send-service.ts';

/** Messages per commit. Two commits at the same time would only make both batches smaller. */
const BATCH = { size: 64, atOnce: 1 };

const REFUSALS: Record<Refusal, () => AppError> = {
  not_found: roomNotFound,
  sender_barred: senderBarred,
  recipient_barred: recipientGone,
  blocked: cannotWrite,
};

/** Returns the public message, or throws the refusal as an error. */
function shownOf(answer: Answer | undefined) {
  if (!answer || answer.is === 'busy') throw new Error('a message was neither sent nor refused');
  // A batch serves many requests, so the age in this caller's language is set here.
  if ('shown' in answer) return justSent(answer.shown, currentLanguage());
  throw REFUSALS[answer.is]();
}

/** Sends a message. Repeated with the same key or client_message_id, it returns the first message. */
export function createSending({ database, settings, wakePush }: Parts) {
  const sendTogether = (items: Outgoing[], send: typeof sendAll) =>
    database.transact((tx) => send(tx, items, wakePush));

  const batch = createBatch<Outgoing, Answer>({
    ...BATCH,
    many: async (items) =>
      (await sendTogether(items, sendFree)).map((answer) => (answer.is === 'busy' ? undefined : answer)),
    one: async (item) => (await sendTogether([item], sendAll))[0]!,
    // After a lost connection it is not known whether the batch was committed: a retry could store its messages twice.
    isWorthSplitting: (error) => !isUnavailable(error),
  });

  return async (caller: UserCaller, uuid: string, body: NewMessage, key: string | undefined) => {
    const item = outgoing({ roomUuid: uuid, senderId: caller.id, context: eventContext() }, body);
    const limits = await settings();
    if (key === undefined) {
      assertLength(body, limits);
      return shownOf(await batch(item));
    }
    // In a transaction that also stores the response under the key.
    const request = { caller, scope: `POST /api/rooms/${item.room_uuid}/messages`, key, body };
    return database.transact((tx) =>
      once(tx, request, async () => {
        assertLength(body, limits);
        return shownOf((await sendAll(tx, [item], wakePush))[0]);
      }),
    );
  };
}

/** Moves the reader's cursor to the partner's newest message up to `upTo`. Returns the cursor. */
export const markRead = ({ database }: Parts, readerId: number, uuid: string, upTo?: number): Promise<number> =>
  database.transact(async (tx) => {
    const room = await lockRoom(tx, uuid, readerId);
    assertThat(room, roomNotFound);
    const { readId, newestId, unread } = readingOf(room, readerId);
    if (newestId <= readId) return readId;
    const partnerId = partnerOf(room, readerId);
    const target = upTo === undefined || upTo >= newestId ? newestId : await newestIdBy(tx, uuid, partnerId, upTo);
    if (target <= readId) return readId;
    const counted = () => countBy(tx, uuid, partnerId, { after: readId, upTo: target });
    const left = target === newestId ? 0 : unread - (await counted());
    await moveReadCursor(tx, uuid, { userId: readerId, readId: target, unread: left });
    const data = { room_uuid: room.uuid, up_to: target };
    await publishInOrder(tx, [{ to: { user: partnerId }, event: 'message.read', data }]);
    return target;
  });

/** Throws the errors that sending a message would throw. */
export async function assertMayWrite({ database }: Parts, caller: UserCaller, uuid: string): Promise<void> {
  const item = outgoing({ roomUuid: uuid, senderId: caller.id, context: eventContext() }, { type: 'message' });
  const locked = await database.transact((tx) => lockRooms(tx, [item.room_uuid]));
  const [verdict] = verdictsOn([item], { locked, taken: [], earlier: [] });
  if (verdict && verdict.is in REFUSALS) throw REFUSALS[verdict.is as Refusal]();
}

/** Marks the room read up to the page's newest message. The returned page shows the state before that. */
export async function fetchPage(parts: Parts, viewerId: number, uuid: string, window: MessageWindow) {
  const { manager } = parts.database;
  const room = await findRoom(manager, uuid, viewerId);
  assertThat(room, roomNotFound);
  const messages = lastMessageId(room) === 0 ? [] : await listMessages(manager, uuid, window);
  const newest = messages.at(-1);
  const { readId, newestId } = readingOf(room, viewerId);
  if (newest && newest.id > readId && newestId > readId) await markRead(parts, viewerId, uuid, newest.id);
  return { room, messages };
}
