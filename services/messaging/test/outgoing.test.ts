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

const stored = (senderId: number, clientId: string, roomUuid = 'room'): KnownMessage => {
  const { context: _none, ...message } = item(senderId, clientId, roomUuid);
  return { ...message, id: 7, created_at: AT, client_message_id: clientId };
};

describe('the verdict on one message', () => {
  const free = { locked: [room()], lockedElsewhere: [], earlier: [] };
  const between = (student: RoomWithPeople['student'], teacher: RoomWithPeople['teacher']) => ({
    ...free,
    locked: [room({ student, teacher })],
  });
  const blocked = { ...free, locked: [room({ blocked: true })] };
  const lockedElsewhere: Room[] = [room()];

  test.each([
    ['a message of the student', item(STUDENT), free, 'sent'],
    ['a message of the teacher', item(TEACHER), free, 'sent'],
    ['a room uuid in capitals', item(STUDENT, undefined, 'ROOM'), free, 'sent'],
    ['a message of another user', item(STRANGER), free, 'not_found'],
    ['an unknown room', item(STUDENT, undefined, 'other'), free, 'not_found'],
    ['a room locked by another transaction', item(STUDENT), { ...free, locked: [], lockedElsewhere }, 'busy'],
    [
      'a message of another user to a locked room',
      item(STRANGER),
      { ...free, locked: [], lockedElsewhere },
      'not_found',
    ],
    ['people without copies', item(STUDENT), between(null, null), 'sent'],
    ['a banned sender', item(STUDENT), between(banned, active), 'sender_barred'],
    ['a deleted sender', item(TEACHER), between(active, deleted), 'sender_barred'],
    ['a banned partner', item(TEACHER), between(banned, active), 'recipient_barred'],
    ['a deleted partner', item(STUDENT), between(active, deleted), 'recipient_barred'],
    ['two banned people', item(STUDENT), between(banned, banned), 'sender_barred'],
    ['a block between the two', item(STUDENT), blocked, 'blocked'],
    ['a block between the two, a message of the other', item(TEACHER), blocked, 'blocked'],
    ['a block between the two, a message of another user', item(STRANGER), blocked, 'not_found'],
    [
      'a repeat of a message sent before the block',
      item(STUDENT, 'a'),
      { ...blocked, earlier: [stored(STUDENT, 'a')] },
      'repeated',
    ],
    ['a repeat', item(STUDENT, 'a'), { ...free, earlier: [stored(STUDENT, 'a')] }, 'repeated'],
    ['a client id that the partner has used', item(STUDENT, 'a'), { ...free, earlier: [stored(TEACHER, 'a')] }, 'sent'],
    ['a new client id', item(STUDENT, 'b'), { ...free, earlier: [stored(STUDENT, 'a')] }, 'sent'],
    [
      'a client id used in another room',
      item(STUDENT, 'a'),
      { ...free, earlier: [stored(STUDENT, 'a', 'other')] },
      'sent',
    ],
    [
      'a repeat of a message sent before the ban',
      item(STUDENT, 'a'),
      { ...between(banned, active), earlier: [stored(STUDENT, 'a')] },
      'repeated',
    ],
    [
      'a repeat by a user who is not in the room',
      item(STRANGER, 'a'),
      { ...free, earlier: [stored(STRANGER, 'a')] },
      'not_found',
    ],
  ])('%s', (_name, message, facts, expected) => {
    expect(verdictsOn([message], facts).map(({ is }) => is)).toEqual([expected]);
  });
});

describe('the verdicts on a batch', () => {
  const facts = { locked: [room(), room({ uuid: 'other' })], lockedElsewhere: [], earlier: [stored(STUDENT, 'old')] };

  test.each([
    ['two messages without client ids', [item(STUDENT), item(STUDENT)], ['sent', 'sent']],
    ['the same client id twice', [item(STUDENT, 'a'), item(STUDENT, 'a')], ['sent', 'echo']],
    ['an empty client id twice', [item(STUDENT, ''), item(STUDENT, '')], ['sent', 'echo']],
    ['the same client id of both people', [item(STUDENT, 'a'), item(TEACHER, 'a')], ['sent', 'sent']],
    ['the same client id in two rooms', [item(STUDENT, 'a'), item(STUDENT, 'a', 'other')], ['sent', 'sent']],
    ['two repeats of a stored message', [item(STUDENT, 'old'), item(STUDENT, 'old')], ['repeated', 'repeated']],
    ['the same refused message twice', [item(STRANGER, 'a'), item(STRANGER, 'a')], ['not_found', 'not_found']],
    [
      'a refused message between two copies',
      [item(STUDENT, 'a'), item(STRANGER), item(STUDENT, 'a')],
      ['sent', 'not_found', 'echo'],
    ],
    ['an empty batch', [], []],
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
  ['the student', STUDENT, { student_last_id: 9, teacher_last_id: 5, teacher_unread: 1 }],
  ['the teacher', TEACHER, { student_last_id: 4, teacher_last_id: 9, student_unread: 1 }],
])(
  'a message of %s updates the last id of its side and the unread count of the other',
  (_name, sender_id, expected) => {
    const later = '2026-11-20T12:00:01.000000Z';
    const before = room({ student_last_id: 4, teacher_last_id: 5 });
    const message = { ...stored(sender_id, 'a'), id: 9, created_at: later };
    expect(withMessage(before, message)).toEqual({ ...before, ...expected, updated_at: later });
  },
);
