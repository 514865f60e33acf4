import { describe, expect, test } from '@jest/globals';
import { outgoing, verdictsOn, type Outgoing } from '../src/conversation/outgoing.ts';
import type { KnownMessage } from '../src/messages/message.ts';
import { withMessage, type Room, type KnownPerson, type RoomWithPeople } from '../src/rooms/room.ts';

const [STUDENT, TEACHER, STRANGER] = [1, 2, 3];
const AT = '2026-11-20T12:00:00.000000Z';
const active: KnownPerson = { name: 'Somebody', status: 'active', deleted: false };
const banned: KnownPerson = { ...active, status: 'banned' };
const deleted: KnownPerson = { ...active, deleted: true };

const room = (changes: Partial<RoomWithPeople> = {}): RoomWithPeople => ({
  uuid: 'room',
  student_id: STUDENT,
  teacher_id: TEACHER,
  student_read_id: 0,
  teacher_read_id: 0,
  student_last_id: 0,
  teacher_last_id: 0,
  student_unread: 0,
  teacher_unread: 0,
  created_at: AT,
  updated_at: AT,
  student: active,
  teacher: active,
  blocked: false,
  ...changes,
});

const item = (senderId: number, clientId?: string, roomUuid = 'room'): Outgoing =>
  outgoing(
    { roomUuid, senderId, context: {} },
    { message: 'Bonjour', type: 'message', ...(clientId !== undefined && { client_message_id: clientId }) },
  );

const known = (senderId: number, clientId: string, roomUuid = 'room'): KnownMessage => {
  const { context: _none, ...message } = item(senderId, clientId, roomUuid);
  return { ...message, id: 7, created_at: AT, client_message_id: clientId };
};

describe('one message', () => {
  const free = { locked: [room()], taken: [], earlier: [] };
  const between = (student: RoomWithPeople['student'], teacher: RoomWithPeople['teacher']) => ({
    ...free,
    locked: [room({ student, teacher })],
  });
  const blocked = { ...free, locked: [room({ blocked: true })] };
  const taken: Room[] = [room()];

  test.each([
    ['of the student', item(STUDENT), free, 'sent'],
    ['of the teacher', item(TEACHER), free, 'sent'],
    ['the room is named in capitals', item(STUDENT, undefined, 'ROOM'), free, 'sent'],
    ['of somebody else', item(STRANGER), free, 'not_found'],
    ['into no room', item(STUDENT, undefined, 'other'), free, 'not_found'],
    ['another has the room', item(STUDENT), { ...free, locked: [], taken }, 'busy'],
    ['of somebody else, another has the room', item(STRANGER), { ...free, locked: [], taken }, 'not_found'],
    ['nobody is known', item(STUDENT), between(null, null), 'sent'],
    ['the sender is banned', item(STUDENT), between(banned, active), 'sender_barred'],
    ['the sender is deleted', item(TEACHER), between(active, deleted), 'sender_barred'],
    ['the partner is banned', item(TEACHER), between(banned, active), 'recipient_barred'],
    ['the partner is deleted', item(STUDENT), between(active, deleted), 'recipient_barred'],
    ['both are banned', item(STUDENT), between(banned, banned), 'sender_barred'],
    ['one has blocked the other', item(STUDENT), blocked, 'blocked'],
    ['one has blocked the other, of the other', item(TEACHER), blocked, 'blocked'],
    ['one has blocked the other, of somebody else', item(STRANGER), blocked, 'not_found'],
    ['sent before they fell out', item(STUDENT, 'a'), { ...blocked, earlier: [known(STUDENT, 'a')] }, 'repeated'],
    ['sent before', item(STUDENT, 'a'), { ...free, earlier: [known(STUDENT, 'a')] }, 'repeated'],
    ['sent before by the partner', item(STUDENT, 'a'), { ...free, earlier: [known(TEACHER, 'a')] }, 'sent'],
    ['sent before under another id', item(STUDENT, 'b'), { ...free, earlier: [known(STUDENT, 'a')] }, 'sent'],
    ['sent before in another room', item(STUDENT, 'a'), { ...free, earlier: [known(STUDENT, 'a', 'other')] }, 'sent'],
    [
      'sent before its sender was banned',
      item(STUDENT, 'a'),
      { ...between(banned, active), earlier: [known(STUDENT, 'a')] },
      'repeated',
    ],
    ['sent before, by who has left', item(STRANGER, 'a'), { ...free, earlier: [known(STRANGER, 'a')] }, 'not_found'],
  ])('%s', (_name, message, facts, expected) => {
    expect(verdictsOn([message], facts).map(({ is }) => is)).toEqual([expected]);
  });
});

describe('many messages', () => {
  const facts = { locked: [room(), room({ uuid: 'other' })], taken: [], earlier: [known(STUDENT, 'old')] };

  test.each([
    ['without ids of their own', [item(STUDENT), item(STUDENT)], ['sent', 'sent']],
    ['the same twice', [item(STUDENT, 'a'), item(STUDENT, 'a')], ['sent', 'echo']],
    ['an empty id is one too', [item(STUDENT, ''), item(STUDENT, '')], ['sent', 'echo']],
    ['the same id of both', [item(STUDENT, 'a'), item(TEACHER, 'a')], ['sent', 'sent']],
    ['the same id in two rooms', [item(STUDENT, 'a'), item(STUDENT, 'a', 'other')], ['sent', 'sent']],
    ['an old one twice', [item(STUDENT, 'old'), item(STUDENT, 'old')], ['repeated', 'repeated']],
    ['one that is refused, twice', [item(STRANGER, 'a'), item(STRANGER, 'a')], ['not_found', 'not_found']],
    ['a refused one between', [item(STUDENT, 'a'), item(STRANGER), item(STUDENT, 'a')], ['sent', 'not_found', 'echo']],
    ['none', [], []],
  ])('%s', (_name, items, expected) => {
    expect(verdictsOn(items, facts).map(({ is }) => is)).toEqual(expected);
  });

  test('an echo refers to the first message', () => {
    const items = [item(TEACHER, 'a'), item(STUDENT, 'a'), item(STUDENT, 'a'), item(STUDENT, 'a')];
    const echoes = verdictsOn(items, facts).slice(2);
    expect(echoes.map((verdict) => verdict.is === 'echo' && items.indexOf(verdict.of))).toEqual([1, 1]);
  });
});

test.each([
  ['of the student', STUDENT, { student_last_id: 9, teacher_last_id: 5, teacher_unread: 1 }],
  ['of the teacher', TEACHER, { student_last_id: 4, teacher_last_id: 9, student_unread: 1 }],
])('a room with one more message %s', (_name, sender_id, expected) => {
  const later = '2026-11-20T12:00:01.000000Z';
  const before = room({ student_last_id: 4, teacher_last_id: 5 });
  const message = { ...known(sender_id, 'a'), id: 9, created_at: later };
  expect(withMessage(before, message)).toEqual({ ...before, ...expected, updated_at: later });
});
