import { currentLanguage } from '@tutoring/shared/kit/process/context';
import { DEFAULT_LANGUAGE } from '@tutoring/shared/kit/process/language';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import { createBatch, type BatchLimits } from '@tutoring/shared/kit/batch';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { isUnavailable } from '@tutoring/shared/kit/database/refusals';
import type { AppError } from '@tutoring/shared/kit/errors';
import { publish } from '@tutoring/shared/contract/publish';
import { eventContext } from '@tutoring/shared/kit/events/publish/outbox';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import { cannotWrite, foundRoom, recipientGone, roomNotFound, senderBarred } from '../errors.ts';
import { markSent } from '../files/file-store.ts';
import * as messageStore from '../messages/message-store.ts';
import { assertLength, justSent, showMessage } from '../messages/message.ts';
import type { Message, MessageWindow, NewMessage, ShownMessage } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { messageNotification } from '../push/push.ts';
import { enqueueWithCommit } from '../push/push-store.ts';
import {
  isRead,
  lastMessageId,
  partnerOf,
  readingOf,
  withMessage,
  type Room,
  type RoomWithPeople,
} from '../rooms/room.ts';
import * as roomStore from '../rooms/room-store.ts';
import { outgoing, verdictsOn, type Outgoing, type Refusal, type SendVerdict } from './outgoing.ts';

/** The result for an Outgoing: the public message (new, or sent before), a refusal, or `busy`: nothing was done. */
export type Answer = { is: 'sent' | 'repeated'; shown: ShownMessage } | { is: Refusal | 'busy' };

interface Sent {
  item: Outgoing;
  room: RoomWithPeople;
  stored: Message;
  shown: ShownMessage;
}

const show = (stored: Message, read: boolean) => showMessage(stored, stored.created_at, read);

const roomsOf = (items: Outgoing[]) => [...new Set(items.map((item) => item.room_uuid))];

async function storeAccepted(tx: Tx, items: Outgoing[], verdicts: SendVerdict[]): Promise<Sent[]> {
  const accepted = items.flatMap((item, index) => {
    const verdict = verdicts[index];
    return verdict?.is === 'sent' ? [{ item, room: verdict.room }] : [];
  });
  if (accepted.length === 0) return [];
  const unstored = accepted.map(({ item }) => item);
  const inserted = await messageStore.insertMessages(tx, unstored);
  return accepted.map(({ item, room }, index) => {
    const stored = inserted[index];
    if (!stored) throw new Error('a message was not stored');
    return { item, room, stored, shown: show(stored, false) };
  });
}

/**
 * Saves the rooms' activity, publishes the events and queues notifications, all with the COMMIT; `onQueued` is called
 * afterwards if notifications were queued.
 */
async function publishSent(tx: Tx, sent: Sent[], onQueued: () => void): Promise<void> {
  const moved = new Map<string, Room>();
  for (const { room, stored } of sent) moved.set(room.uuid, withMessage(moved.get(room.uuid) ?? room, stored));
  await markSent(
    tx,
    sent.map(({ stored }) => stored),
  );
  roomStore.saveActivity(tx, [...moved.values()]);
  publish(
    tx,
    sent.map(({ item, room, shown }) => ({
      to: { student: room.student_id, teacher: room.teacher_id },
      event: 'message.created',
      // One event goes to both people, whose languages may differ.
      data: justSent(shown, DEFAULT_LANGUAGE),
      context: item.context,
    })),
  );
  enqueueWithCommit(
    tx,
    sent.map(({ room, stored }) => {
      const sender = stored.sender_id === room.student_id ? room.student : room.teacher;
      const userId = partnerOf(room, stored.sender_id);
      return { userId, notification: messageNotification(stored, sender?.name), since: stored.created_at };
    }),
    onQueued,
  );
}

async function sendInto(
  tx: Tx,
  items: Outgoing[],
  rooms: { locked: RoomWithPeople[]; lockedElsewhere: Room[] },
  onQueued: () => void,
): Promise<Answer[]> {
  const identified = items.filter((item) => item.client_message_id !== null);
  const earlier = identified.length === 0 ? [] : await messageStore.findRepeated(tx, identified);
  const verdicts = verdictsOn(items, { ...rooms, earlier });
  const sent = await storeAccepted(tx, items, verdicts);
  if (sent.length > 0) await publishSent(tx, sent, onQueued);
  const shownOf = new Map(sent.map(({ item, shown }) => [item, shown]));
  return items.map((item, index): Answer => {
    const verdict = verdicts[index]!;
    if (verdict.is === 'repeated')
      return { is: 'repeated', shown: show(verdict.earlier, isRead(verdict.room, verdict.earlier)) };
    if (verdict.is === 'sent') return { is: 'sent', shown: shownOf.get(item)! };
    if (verdict.is === 'echo') return { is: 'repeated', shown: shownOf.get(verdict.of)! };
    return verdict;
  });
}

/**
 * Sends all messages in this order, with events and notifications, or none. Waits for the locks of their rooms. Returns
 * one answer per message.
 */
export const sendAll = async (tx: Tx, items: Outgoing[], onQueued: () => void): Promise<Answer[]> =>
  sendInto(tx, items, { locked: await roomStore.lockRooms(tx, roomsOf(items)), lockedElsewhere: [] }, onQueued);

/** Like `sendAll`, but does not wait: messages to rooms that another transaction has locked are `busy`. */
async function sendWithoutWaiting(tx: Tx, items: Outgoing[], onQueued: () => void): Promise<Answer[]> {
  const uuids = roomsOf(items);
  const locked = await roomStore.lockFreeRooms(tx, uuids);
  const left = new Set(uuids);
  for (const { uuid } of locked) left.delete(uuid);
  const lockedElsewhere = left.size === 0 ? [] : await roomStore.findRooms(tx, [...left]);
  return sendInto(tx, items, { locked, lockedElsewhere }, onQueued);
}

/** Messages per commit. Two commits at the same time would only make both batches smaller. */
const BATCH: BatchLimits = { size: 64, atOnce: 1 };

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
    processBatch: async (items) =>
      (await sendTogether(items, sendWithoutWaiting)).map((answer) => (answer.is === 'busy' ? undefined : answer)),
    processItem: async (item) => (await sendTogether([item], sendAll))[0]!,
    // After a lost connection it is not known whether the batch was committed: a retry could store its messages twice.
    isWorthSplitting: (error) => !isUnavailable(error),
  });

  return async (caller: UserCaller, uuid: string, body: NewMessage, once: Once) => {
    const item = outgoing({ roomUuid: uuid, senderId: caller.id, context: eventContext() }, body);
    const limits = await settings();
    if (!once.isKeyed) {
      assertLength(body, limits);
      return shownOf(await batch(item));
    }
    return once(database, async (tx) => {
      assertLength(body, limits);
      return shownOf((await sendAll(tx, [item], wakePush))[0]);
    });
  };
}

/** Moves the reader's cursor to the partner's newest message up to `upTo`. Returns the cursor. */
export const markRead = ({ database }: Parts, readerId: number, uuid: string, upTo?: number): Promise<number> =>
  database.transact(async (tx) => {
    const room = foundRoom(await roomStore.lockRoom(tx, uuid, readerId));
    const { side, readId, newestId, unread } = readingOf(room, readerId);
    if (newestId <= readId) return readId;
    const partnerId = partnerOf(room, readerId);
    const target =
      upTo === undefined || upTo >= newestId ? newestId : await messageStore.newestIdBy(tx, uuid, partnerId, upTo);
    if (target <= readId) return readId;
    const counted = () => messageStore.countBy(tx, uuid, partnerId, { after: readId, upTo: target });
    const left = target === newestId ? 0 : unread - (await counted());
    await roomStore.moveReadCursor(tx, uuid, { side, readId: target, unread: left });
    const data = { room_uuid: room.uuid, up_to: target };
    publish(tx, [
      { to: { user: partnerId }, event: 'message.read', data },
      { to: { user: readerId }, event: 'room.read', data: { ...data, unread: left } },
    ]);
    return target;
  });

/** Throws the errors that sending a message would throw. */
export async function assertMayWrite({ database }: Parts, caller: UserCaller, uuid: string): Promise<void> {
  const item = outgoing({ roomUuid: uuid, senderId: caller.id, context: eventContext() }, { type: 'message' });
  const locked = await database.transact((tx) => roomStore.lockRooms(tx, [item.room_uuid]));
  const [verdict] = verdictsOn([item], { locked, lockedElsewhere: [], earlier: [] });
  if (verdict && verdict.is in REFUSALS) throw REFUSALS[verdict.is as Refusal]();
}

/** Marks the room read up to the page's newest message. The returned page shows the state before that. */
export async function fetchPage(parts: Parts, viewerId: number, uuid: string, window: MessageWindow) {
  const { manager } = parts.database;
  const room = foundRoom(await roomStore.findRoom(manager, uuid, viewerId));
  const messages = lastMessageId(room) === 0 ? [] : await messageStore.listMessages(manager, uuid, window);
  const newest = messages.at(-1);
  const { readId, newestId } = readingOf(room, viewerId);
  if (newest && newest.id > readId && newestId > readId) await markRead(parts, viewerId, uuid, newest.id);
  return { room, messages };
}
