import { expect, test } from '@jest/globals';
import { sortRooms, positionOf, type Room } from '../src/support/room.ts';

/** A room whose last message has this id. */
const room = (uuid: string, id: number, from: 'user' | 'staff', status: 'unread' | 'read' = 'unread') =>
  ({ uuid, user: { id: 1 }, last_message: { id, sender_id: from === 'user' ? 1 : 2, status } }) as Room;
const uuids = (rooms: Room[]) => rooms.map(({ uuid }) => uuid).join(' ');

/** In the server's order: latest activity first. */
const rooms = [
  room('done-new', 60, 'staff'),
  room('unread-new', 50, 'user'),
  room('read-new', 40, 'user', 'read'),
  room('unread-old', 30, 'user'),
  room('done-old', 20, 'staff'),
  room('read-old', 10, 'user', 'read'),
];

test('unanswered rooms come first, oldest first; answered rooms follow, newest first', () => {
  expect(uuids(sortRooms(rooms, new Map()))).toBe('unread-old unread-new read-old read-new done-new done-old');
  expect(uuids(sortRooms([...rooms, ...rooms], new Map()))).toBe(uuids(sortRooms(rooms, new Map())));
});

test('an opened room keeps its position while it is read and answered', () => {
  const frozen = new Map(
    rooms.filter(({ uuid }) => uuid === 'unread-old').map((each) => [each.uuid, positionOf(each)]),
  );
  const after = (now: Room) => uuids(sortRooms([now, ...rooms.filter(({ uuid }) => uuid !== now.uuid)], frozen));
  const order = uuids(sortRooms(rooms, new Map()));
  expect(after(room('unread-old', 30, 'user', 'read'))).toBe(order);
  expect(after(room('unread-old', 70, 'staff'))).toBe(order);
  expect(after(room('unread-old', 80, 'user'))).toBe(order);
});
