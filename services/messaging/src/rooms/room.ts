import type { z } from 'zod';
import type { EventData } from '@tutoring/shared/contract/events';
import type { room as roomSchema } from '@tutoring/shared/contract/room';
import { showMessage, type Message } from '../messages/message.ts';
import { asStudent, asTeacher, type Person } from '../people/person.ts';

/**
 * The room of one student and one teacher, with the read cursor and the newest message id of each side (0: none), and
 * how many messages each side has not read.
 */
export type Room = Omit<EventData<'room.changed'>, 'version'> &
  Record<`${Side}_${'read_id' | 'last_id' | 'unread'}`, number>;

export type Side = 'student' | 'teacher';

/** The copied data of a person; null until identity's first event about them. */
export type KnownPerson = Pick<Person, 'name' | 'status' | 'deleted'> | null;

/** A room with its people. `blocked`: one of them has blocked the other. */
export type RoomWithPeople = Room & { student: KnownPerson; teacher: KnownPerson; blocked: boolean };

export const isParticipant = (room: Room, userId: number) => userId === room.student_id || userId === room.teacher_id;

/** The room after one more message. */
export const withMessage = (room: Room, { id, sender_id, created_at }: Message): Room => ({
  ...room,
  ...(sender_id === room.student_id
    ? { student_last_id: id, teacher_unread: room.teacher_unread + 1 }
    : { teacher_last_id: id, student_unread: room.student_unread + 1 }),
  updated_at: created_at,
});

export const lastMessageId = (room: Room) => Math.max(room.student_last_id, room.teacher_last_id);

/** The other participant's id; `userId` must be a participant. */
export const partnerOf = (room: Room, userId: number) =>
  userId === room.student_id ? room.teacher_id : room.student_id;

/** The side and read cursor of `userId`, the newest message id sent to them, and the number of unread messages. */
export const readingOf = (room: Room, userId: number) =>
  userId === room.student_id
    ? {
        side: 'student' as const,
        readId: room.student_read_id,
        newestId: room.teacher_last_id,
        unread: room.student_unread,
      }
    : {
        side: 'teacher' as const,
        readId: room.teacher_read_id,
        newestId: room.student_last_id,
        unread: room.teacher_unread,
      };

/** The newest message of `userId`, who must be a participant; 0 for none. */
export const lastOwnId = (room: Room, userId: number) =>
  userId === room.student_id ? room.student_last_id : room.teacher_last_id;

/** Whether the recipient has read the message. */
export const isRead = (room: Room, stored: Pick<Message, 'id' | 'sender_id'>) =>
  stored.id <= readingOf(room, partnerOf(room, stored.sender_id)).readId;

/** The room as one of its people sees it. `last`: its last message. `now`: the database's time. */
export const showRoom = (
  room: Room,
  viewerId: number,
  personOf: (id: number) => Person,
  { last, rtcToken = null, now }: { last?: Message | undefined; rtcToken?: string | null | undefined; now: string },
): z.input<typeof roomSchema> => ({
  uuid: room.uuid,
  rtc_token: rtcToken,
  student: asStudent(personOf(room.student_id), viewerId),
  teacher: asTeacher(personOf(room.teacher_id), viewerId),
  last_message: last ? showMessage(last, now, isRead(room, last)) : null,
  created_at: room.created_at,
  updated_at: room.updated_at,
});
