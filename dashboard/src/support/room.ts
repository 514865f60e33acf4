import type { components } from '@tutoring/client/schema';

export type Message = components['schemas']['MessagingMessage'];
/** A user's conversation with the administrators, as the list has it. */
export type Room = components['schemas']['MessagingSupportRoomItem'];

/** Whether the last word is the user's. */
export const isWaiting = ({ user, last_message: last }: Room) => last !== null && last.sender_id === user.id;

export const isUnread = (room: Room) => isWaiting(room) && room.last_message?.status === 'unread';

/** Where a room stands in the list: unread first, then unanswered, then the others. */
export const rankOf = (room: Room) => (isUnread(room) ? 0 : isWaiting(room) ? 1 : 2);

export interface Place {
  rank: number;
  /** The last message, of those that wait: later ones have larger numbers. */
  since: number;
}

export const placeOf = (room: Room): Place => ({
  rank: rankOf(room),
  since: isWaiting(room) ? (room.last_message?.id ?? 0) : 0,
});

/**
 * By rank; those that wait with the longest waiting first, the others in the order of the server, latest activity first.
 * Each room once. `held`: the places that rooms had when they were opened, which they keep while one goes from room to
 * room.
 */
export function inOrder(rooms: Room[], held: ReadonlyMap<string, Place>): Room[] {
  const each = [...new Map(rooms.map((room) => [room.uuid, room])).values()];
  const placed = each.map((room) => {
    const now = placeOf(room);
    const before = held.get(room.uuid) ?? now;
    return { room, place: before.rank <= now.rank ? before : now };
  });
  placed.sort(({ place: one }, { place: other }) => one.rank - other.rank || one.since - other.since);
  return placed.map(({ room }) => room);
}

/** Pages of rooms after a message: its room is the first, with this last message. Undefined: the room is in no page. */
export function withLatest(pages: Room[][], message: Message): Room[][] | undefined {
  const room = pages.flat().find(({ uuid }) => uuid === message.room_uuid);
  if (!room) return undefined;
  const [first = [], ...rest] = pages.map((page) => page.filter(({ uuid }) => uuid !== room.uuid));
  const isNews = room.last_message === null || room.last_message.id <= message.id;
  return [[{ ...room, last_message: isNews ? message : room.last_message }, ...first], ...rest];
}

/** The link as a URL to show, when it is one of the web. */
export function webLink(link: string | null): URL | undefined {
  const url = link === null ? null : URL.parse(link);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}
