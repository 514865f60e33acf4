import type { Database, Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { publishWithCommit, type EventContext, type Outgoing } from '@tutoring/shared/events/publish/outbox';
import { invalidField, sentences } from '@tutoring/shared/http/read/validation';
import type { InternalClient } from '@tutoring/shared/internal/client';
import { roomUuid } from '@tutoring/shared/internal/room-uuid';
import { roomNotFound, senderBarred } from '../errors.ts';
import { listLastMessages } from '../messages/message-store.ts';
import type { People } from '../people/person-service.ts';
import { isBarred, type Person } from '../people/person.ts';
import { lastMessageId, showRoom, type lastOwnId } from './room.ts';
import { findRoom, insertRooms, type NewRoom, type SeenRoom } from './room-store.ts';

interface Pair {
  studentId: number;
  teacherId: number;
}

export function createRooms(deps: {
  database: Database;
  people: People;
  calls: InternalClient<'calls'>;
  /** The secret uuid that room uuids are derived from. */
  namespace: string;
}) {
  const { database, people, calls, namespace } = deps;
  const uuidOf = ({ studentId, teacherId }: Pair) => roomUuid(namespace, studentId, teacherId);

  /** The token of a room's live call; null when no call is live or calls does not answer in time. */
  async function rtcTokenOf({ uuid, live }: SeenRoom): Promise<string | null> {
    if (!live) return null;
    try {
      return (await calls.ask('room-token.read', { uuid })).rtc_token;
    } catch {
      return null;
    }
  }

  /**
   * The rooms with their people, last messages and live calls' tokens, as `viewerId` sees them. `lastIdOf`: which
   * message is the last one.
   */
  async function show(rooms: SeenRoom[], viewerId: number, lastIdOf: typeof lastOwnId = lastMessageId) {
    const ids = rooms.flatMap((room) => [room.student_id, room.teacher_id]);
    const written = rooms.filter((room) => lastIdOf(room, viewerId) > 0);
    const [personOf, last, tokens] = await Promise.all([
      people.load([...new Set(ids)]),
      listLastMessages(
        database.manager,
        written.map((room) => room.uuid),
        written.map((room) => lastIdOf(room, viewerId)),
      ),
      Promise.all(rooms.map(rtcTokenOf)),
    ]);
    const lastOf = new Map(last.map((stored) => [stored.room_uuid, stored]));
    return rooms.map((room, index) => {
      const rtcToken = tokens[index] ?? null;
      return showRoom({ room, last: lastOf.get(room.uuid), personOf, rtcToken, now: room.now, viewerId });
    });
  }

  /** What is published about a new room, with the context of the request that made it. */
  function announced(made: NewRoom, personOf: (id: number) => Person, context?: EventContext): Outgoing[] {
    const { uuid, student_id, teacher_id, version, created_at, updated_at } = made;
    const seenBy = (viewerId: number) =>
      showRoom({ room: made, last: undefined, personOf, rtcToken: null, now: created_at, viewerId });
    const created = { event: 'room.created', context } as const;
    const pair = { ...created, to: { student: student_id, teacher: teacher_id }, data: seenBy(student_id) };
    const each = [student_id, teacher_id].map((user) => ({ ...created, to: { user }, data: seenBy(user) }));
    const isSame = [student_id, teacher_id].every((id) => (personOf(id).unproven_email ?? null) === null);
    const data = { uuid, student_id, teacher_id, version, created_at, updated_at };
    return [{ name: 'room.changed', data, context }, ...(isSame ? [pair] : each)];
  }

  /**
   * Creates and announces the rooms of those pairs that have none; `context` is that of the request that asks for it, by
   * default the current one. Returns the rooms' uuids in the order of `pairs`.
   */
  async function ensure(
    tx: Tx,
    pairs: (Pair & { context?: EventContext })[],
    known?: (id: number) => Person,
  ): Promise<string[]> {
    const uuids = pairs.map(uuidOf);
    const made = await insertRooms(
      tx,
      pairs.map(({ studentId, teacherId }, place) => ({
        uuid: uuids[place]!,
        student_id: studentId,
        teacher_id: teacherId,
      })),
    );
    if (made.length === 0) return uuids;
    const ids = new Set(made.flatMap((room) => [room.student_id, room.teacher_id]));
    const personOf = known ?? (await people.load([...ids], tx));
    const messages = made.flatMap((room) => announced(room, personOf, pairs[uuids.indexOf(room.uuid)]?.context));
    publishWithCommit(tx, messages);
    return uuids;
  }

  /** Creates the room. Throws invalid when there is no such active teacher. */
  async function make(pair: Pair): Promise<void> {
    const found = await people.find([pair.studentId, pair.teacherId]);
    const teacher = found.get(pair.teacherId);
    const isTeacher = teacher?.platform === 'teacher' && !isBarred(teacher);
    assertThat(isTeacher, () => invalidField('teacher_id', sentences.selected));
    const student = found.get(pair.studentId);
    assertThat(student && !isBarred(student), senderBarred);
    await database.transact((tx) => ensure(tx, [pair], (id) => (id === pair.teacherId ? teacher : student)));
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
      assertThat(opened, roomNotFound);
      const [shown] = await show([opened], studentId);
      assertThat(shown, roomNotFound);
      return shown;
    },
  };
}

export type Rooms = ReturnType<typeof createRooms>;
