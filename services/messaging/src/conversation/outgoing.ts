import type { EventContext } from '@tutoring/shared/kit/events/publish/outbox';
import {
  unstored,
  type KnownMessage,
  type Message,
  type NewMessage,
  type UnstoredMessage,
} from '../messages/message.ts';
import { isBarred } from '../people/person.ts';
import { isParticipant, type Room, type RoomWithPeople } from '../rooms/room.ts';

/** A message to send to a room. */
export interface Outgoing extends UnstoredMessage {
  /** The context of the events about it. */
  context: EventContext;
}

export const outgoing = (
  { roomUuid, senderId, context }: { roomUuid: string; senderId: number; context: EventContext },
  body: NewMessage,
): Outgoing => ({ ...unstored(roomUuid, senderId, body), context });

export type Refusal = 'not_found' | 'sender_barred' | 'recipient_barred' | 'blocked';

/**
 * What happens to an Outgoing. `repeated`: it was sent before. `echo`: it repeats the earlier item `of` of the batch.
 * `busy`: another transaction has locked its room.
 */
export type SendVerdict =
  | { is: 'sent'; room: RoomWithPeople }
  | { is: 'repeated'; room: Room; earlier: Message }
  | { is: 'echo'; of: Outgoing }
  | { is: Refusal | 'busy' };

function verdictOn(item: Outgoing, room: RoomWithPeople, earlier: Message | undefined): SendVerdict {
  if (earlier) return { is: 'repeated', room, earlier };
  const { student, teacher, blocked } = room;
  const [sender, recipient] = item.sender_id === room.student_id ? [student, teacher] : [teacher, student];
  if (isBarred(sender)) return { is: 'sender_barred' };
  if (isBarred(recipient)) return { is: 'recipient_barred' };
  if (blocked) return { is: 'blocked' };
  return { is: 'sent', room };
}

const clientKey = ({ room_uuid, sender_id, client_message_id }: KnownMessage | Outgoing) =>
  client_message_id === null ? undefined : `${room_uuid} ${sender_id} ${client_message_id}`;

/**
 * The verdict on each message, in the order of `items`. A room is `not_found` for anybody but its two participants.
 * Neither of them can write when one is banned, is deleted or has blocked the other. A message is not sent again when
 * its sender has used its `client_message_id` in the room before. `lockedElsewhere`: rooms that another transaction has
 * locked.
 */
export function verdictsOn(
  items: Outgoing[],
  state: { locked: RoomWithPeople[]; lockedElsewhere: Room[]; earlier: KnownMessage[] },
): SendVerdict[] {
  const locked = new Map(state.locked.map((room) => [room.uuid, room]));
  const lockedElsewhere = new Map(state.lockedElsewhere.map((room) => [room.uuid, room]));
  const earlier = new Map(state.earlier.map((message) => [clientKey(message), message]));
  const first = new Map<string, Outgoing>();
  return items.map((item) => {
    const room = locked.get(item.room_uuid);
    const existing = room ?? lockedElsewhere.get(item.room_uuid);
    if (!existing || !isParticipant(existing, item.sender_id)) return { is: 'not_found' };
    if (!room) return { is: 'busy' };
    const key = clientKey(item);
    if (key === undefined) return verdictOn(item, room, undefined);
    const verdict = verdictOn(item, room, earlier.get(key));
    const of = first.get(key);
    if (verdict.is !== 'sent') return verdict;
    if (of) return { is: 'echo', of };
    first.set(key, item);
    return verdict;
  });
}
