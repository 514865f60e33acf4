import { DEFAULT_LANGUAGE } from '@tutoring/shared/process/language';
import type { Tx } from '@tutoring/shared/database/open';
import { publishWithCommit } from '@tutoring/shared/events/publish/outbox';
import { fileKeyOf } from '../files/file.ts';
import { markSent } from '../files/file-store.ts';
import { justSent, showMessage, type Message, type ShownMessage } from '../messages/message.ts';
import { findRepeated, insertMessages } from '../messages/message-store.ts';
import { messageNotification } from '../push/notification.ts';
import { enqueueWithCommit } from '../push/push-store.ts';
import { isRead, partnerOf, withMessage, type Room, type RoomWithPeople } from '../rooms/room.ts';
import { findRooms, lockFreeRooms, lockRooms, saveActivity } from '../rooms/room-store.ts';
import { verdictsOn, type Outgoing, type Refusal, type SendVerdict } from './outgoing.ts';

/** The result for an Outgoing: the public message (new, or sent before), a refusal, or `busy`: nothing was done. */
export type Answer = { is: 'sent' | 'repeated'; shown: ShownMessage } | { is: Refusal | 'busy' };

/** `onQueued` is called after the commit if notifications were queued. */
type OnQueued = () => void;

interface Sent {
  item: Outgoing;
  room: RoomWithPeople;
  stored: Message;
  shown: ShownMessage;
}

const show = (stored: Message, read: boolean) => showMessage(stored, stored.created_at, read);

const roomsOf = (items: Outgoing[]) => [...new Set(items.map((item) => item.room_uuid))];

async function storeAccepted(tx: Tx, items: Outgoing[], verdicts: SendVerdict[]): Promise<Sent[]> {
  const accepted = items.flatMap((item, place) => {
    const verdict = verdicts[place];
    return verdict?.is === 'sent' ? [{ item, room: verdict.room }] : [];
  });
  if (accepted.length === 0) return [];
  const inserted = await insertMessages(
    tx,
    accepted.map(({ item }) => item),
  );
  return accepted.map(({ item, room }, place) => {
    const stored = inserted[place];
    if (!stored) throw new Error('a message was not stored');
    return { item, room, stored, shown: show(stored, false) };
  });
}

/** Saves the rooms' activity, publishes the events and queues notifications, all with the COMMIT. */
async function publishSent(tx: Tx, sent: Sent[], onQueued: OnQueued): Promise<void> {
  const moved = new Map<string, Room>();
  for (const { room, stored } of sent) moved.set(room.uuid, withMessage(moved.get(room.uuid) ?? room, stored));
  const linked = sent.flatMap(({ stored }) => {
    const key = fileKeyOf(stored.message_link);
    return key === undefined ? [] : [{ key, senderId: stored.sender_id }];
  });
  await markSent(tx, linked);
  saveActivity(tx, [...moved.values()]);
  publishWithCommit(
    tx,
    sent.map(({ item, room, shown }) => ({
      to: { student: room.student_id, teacher: room.teacher_id },
      event: 'message.created',
      // One event goes to both people, so it cannot follow the language of each.
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
  rooms: { locked: RoomWithPeople[]; taken: Room[] },
  onQueued: OnQueued,
): Promise<Answer[]> {
  const identified = items.filter((item) => item.client_message_id !== null);
  const earlier = identified.length === 0 ? [] : await findRepeated(tx, identified);
  const verdicts = verdictsOn(items, { ...rooms, earlier });
  const sent = await storeAccepted(tx, items, verdicts);
  if (sent.length > 0) await publishSent(tx, sent, onQueued);
  const shownOf = new Map(sent.map(({ item, shown }) => [item, shown]));
  return items.map((item, place): Answer => {
    const verdict = verdicts[place]!;
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
export const sendAll = async (tx: Tx, items: Outgoing[], onQueued: OnQueued): Promise<Answer[]> =>
  sendInto(tx, items, { locked: await lockRooms(tx, roomsOf(items)), taken: [] }, onQueued);

/** The same without waiting: messages to rooms that are locked elsewhere are `busy`. */
export async function sendFree(tx: Tx, items: Outgoing[], onQueued: OnQueued): Promise<Answer[]> {
  const uuids = roomsOf(items);
  const locked = await lockFreeRooms(tx, uuids);
  const left = new Set(uuids);
  for (const { uuid } of locked) left.delete(uuid);
  const taken = left.size === 0 ? [] : await findRooms(tx, [...left]);
  return sendInto(tx, items, { locked, taken }, onQueued);
}
