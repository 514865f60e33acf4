import type { Database, Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { publish, publishLive } from '@tutoring/shared/events/outbox';
import { invalidField, sentences } from '@tutoring/shared/http/validation';
import { roomUuid } from '@tutoring/shared/room-uuid';
import { roomNotFound, senderBarred } from '../errors.ts';
import { listLastMessages } from '../messages/message-store.ts';
import type { People } from '../people/person-service.ts';
import { isBarred, type Person } from '../people/person.ts';
import { lastMessageId, showRoom, type Room } from './room.ts';
import { findRoom, insertRoom, type SeenRoom } from './room-store.ts';
import type { RtcTokenOf } from './rtc-token.ts';

interface Pair {
  studentId: number;
  teacherId: number;
}

export function createRooms(deps: {
  database: Database;
  people: People;
  rtcTokenOf: RtcTokenOf;
  /** The secret uuid that room uuids are derived from. */
  namespace: string;
}) {
  const { database, people, rtcTokenOf, namespace } = deps;
  const uuidOf = ({ studentId, teacherId }: Pair) => roomUuid(namespace, studentId, teacherId);

  /** The rooms with their people, last messages and live calls' tokens, as `viewerId` sees them. */
  async function show(rooms: SeenRoom[], viewerId: number) {
    const ids = rooms.flatMap((of) => [of.student_id, of.teacher_id]);
    const spoken = rooms.filter((of) => lastMessageId(of) > 0);
    const [personOf, last, tokens] = await Promise.all([
      people.load([...new Set(ids)]),
      listLastMessages(
        database.manager,
        spoken.map((of) => of.uuid),
        spoken.map(lastMessageId),
      ),
      Promise.all(rooms.map(rtcTokenOf)),
    ]);
    const lastOf = new Map(last.map((stored) => [stored.room_uuid, stored]));
    return rooms.map((of, index) => {
      const rtcToken = tokens[index] ?? null;
      return showRoom({ room: of, last: lastOf.get(of.uuid), personOf, rtcToken, now: of.now, viewerId });
    });
  }

  async function announce(tx: Tx, made: Room & { version: number }, personOf: (id: number) => Person): Promise<void> {
    const { uuid, student_id, teacher_id, version, created_at, updated_at } = made;
    await publish(tx, 'room.changed', { uuid, student_id, teacher_id, version, created_at, updated_at });
    const seenBy = (viewerId: number) =>
      showRoom({ room: made, last: undefined, personOf, rtcToken: null, now: created_at, viewerId });
    const event = 'room.created';
    const pair = { to: { student: student_id, teacher: teacher_id }, event, data: seenBy(student_id) } as const;
    const each = [student_id, teacher_id].map((user) => ({ to: { user }, event, data: seenBy(user) }) as const);
    const isSame = [student_id, teacher_id].every((id) => (personOf(id).unproven_email ?? null) === null);
    await publishLive(tx, isSame ? [pair] : each);
  }

  /** Returns the uuid of the pair's room. Creates and announces the room when there is none. */
  async function ensure(tx: Tx, pair: Pair, personOf?: (id: number) => Person): Promise<string> {
    const uuid = uuidOf(pair);
    const made = await insertRoom(tx, { uuid, ...pair });
    if (made) await announce(tx, made, personOf ?? (await people.load([pair.studentId, pair.teacherId], tx)));
    return uuid;
  }

  /** Creates the room. Throws invalid when there is no such active teacher. */
  async function make(pair: Pair): Promise<void> {
    const found = await people.find([pair.studentId, pair.teacherId]);
    const teacher = found.get(pair.teacherId);
    const isTeacher = teacher?.platform === 'teacher' && !isBarred(teacher);
    assertThat(isTeacher, invalidField('teacher_id', sentences.selected));
    const student = found.get(pair.studentId);
    assertThat(student && !isBarred(student), senderBarred());
    await database.transact((tx) => ensure(tx, pair, (id) => (id === pair.teacherId ? teacher : student)));
  }

  return {
    show,
    ensure,

    /** The student's room with a teacher; created when there is none. */
    async open(studentId: number, teacherId: number) {
      const pair = { studentId, teacherId };
      const find = () => findRoom(database.manager, uuidOf(pair), studentId);
      const existing = await find();
      if (!existing) await make(pair);
      const opened = existing ?? (await find());
      assertThat(opened, roomNotFound());
      const [shown] = await show([opened], studentId);
      assertThat(shown, roomNotFound());
      return shown;
    },
  };
}

export type Rooms = ReturnType<typeof createRooms>;
