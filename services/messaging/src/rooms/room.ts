import type { z } from 'zod';
import type { room } from '@tutoring/shared/events/live';
import { showMessage, type Message } from '../messages/message.ts';
import { asStudent, asTeacher, type Person } from '../people/person.ts';

/**
 * The room of one student and one teacher, with the read cursor and the newest message id of each side (0: none), and how
 * many messages each side has not read.
 */
export interface Room {
  uuid: string;
  student_id: number;
  teacher_id: number;
  student_read_id: number;
  teacher_read_id: number;
  student_last_id: number;
  teacher_last_id: number;
  student_unread: number;
  teacher_unread: number;
  created_at: string;
  updated_at: string;
}

/** What messaging knows about a person; null until identity's first event about them. */
export type KnownPerson = Pick<Person, 'name' | 'status' | 'deleted'> | null;

/** A room with what is known about its people. `blocked`: one of them has blocked the other. */
export type RoomWithPeople = Room & { student: KnownPerson; teacher: KnownPerson; blocked: boolean };

export const isParticipant = (of: Room, userId: number) => userId === of.student_id || userId === of.teacher_id;

/** The room after one more message. */
export const withMessage = <Of extends Room>(of: Of, { id, sender_id, created_at }: Message): Of => ({
  ...of,
  ...(sender_id === of.student_id
    ? { student_last_id: id, teacher_unread: of.teacher_unread + 1 }
    : { teacher_last_id: id, student_unread: of.student_unread + 1 }),
  updated_at: created_at,
});

export const lastMessageId = (of: Room) => Math.max(of.student_last_id, of.teacher_last_id);

/** The other participant's id; `userId` must be a participant. */
export const partnerOf = (of: Room, userId: number) => (userId === of.student_id ? of.teacher_id : of.student_id);

/** The read cursor of `userId`, the newest message to them, and how many they have not read. */
export const readingOf = (of: Room, userId: number) =>
  userId === of.student_id
    ? { readId: of.student_read_id, newestId: of.teacher_last_id, unread: of.student_unread }
    : { readId: of.teacher_read_id, newestId: of.student_last_id, unread: of.teacher_unread };

/** The newest message of `userId`, who must be a participant; 0 for none. */
export const lastOwnId = (of: Room, userId: number) =>
  userId === of.student_id ? of.student_last_id : of.teacher_last_id;

/** Whether the message's addressee has read it. */
export const isRead = (of: Room, stored: Pick<Message, 'id' | 'sender_id'>) =>
  stored.id <= readingOf(of, partnerOf(of, stored.sender_id)).readId;

export interface RoomView {
  room: Room;
  last: Message | undefined;
  personOf: (id: number) => Person;
  rtcToken: string | null;
  now: string;
  viewerId: number;
}

export const showRoom = ({ room: of, last, personOf, rtcToken, now, viewerId }: RoomView): z.input<typeof room> => ({
  uuid: of.uuid,
  rtc_token: rtcToken,
  student: asStudent(personOf(of.student_id), viewerId),
  teacher: asTeacher(personOf(of.teacher_id), viewerId),
  last_message: last ? showMessage(last, now, isRead(of, last)) : null,
  created_at: of.created_at,
  updated_at: of.updated_at,
});
