import type { components } from '@tutoring/client/schema';

export type Message = components['schemas']['MessagingMessage'];
/** A row of the list of support rooms: a user's conversation with the administrators. */
export type Room = components['schemas']['MessagingSupportRoomItem'];

/** Whether the last message is the user's. */
export const isWaiting = ({ user, last_message: last }: Room) => last !== null && last.sender_id === user.id;

export const isUnread = (room: Room) => isWaiting(room) && room.last_message?.status === 'unread';

/** The group of a room in the list: unread, then unanswered, then all others. */
export const rankOf = (room: Room) => (isUnread(room) ? 0 : isWaiting(room) ? 1 : 2);

export interface Position {
  rank: number;
  /** The id of the last message, if it is unanswered; ids are chronological. */
  since: number;
}

export const positionOf = (room: Room): Position => ({
  rank: rankOf(room),
  since: isWaiting(room) ? (room.last_message?.id ?? 0) : 0,
});

/**
 * Sorts rooms by rank, and removes duplicates. Within a rank, unanswered rooms come oldest first; the others keep the
 * server's order, latest activity first. `frozen` has the positions that rooms had when they were opened: they keep
 * them while the administrator moves from room to room.
 */
export function sortRooms(rooms: Room[], frozen: ReadonlyMap<string, Position>): Room[] {
  const unique = [...new Map(rooms.map((room) => [room.uuid, room])).values()];
  const positioned = unique.map((room) => {
    const now = positionOf(room);
    const before = frozen.get(room.uuid) ?? now;
    return { room, position: before.rank <= now.rank ? before : now };
  });
  positioned.sort(({ position: left }, { position: right }) => left.rank - right.rank || left.since - right.since);
  return positioned.map(({ room }) => room);
}

/** Pages of rooms with the message's room moved to the front. Undefined if no page has the room. */
export function withLatest(pages: Room[][], message: Message): Room[][] | undefined {
  const room = pages.flat().find(({ uuid }) => uuid === message.room_uuid);
  if (!room) return undefined;
  const [first = [], ...rest] = pages.map((page) => page.filter(({ uuid }) => uuid !== room.uuid));
  const isNewer = room.last_message === null || room.last_message.id <= message.id;
  return [[{ ...room, last_message: isNewer ? message : room.last_message }, ...first], ...rest];
}

/** The link as a URL, if it is HTTP or HTTPS. */
export function webLink(link: string | null): URL | undefined {
  const url = link === null ? null : URL.parse(link);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}
