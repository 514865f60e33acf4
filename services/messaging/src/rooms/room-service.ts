import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { publish, type Outgoing } from '@tutoring/shared/contract/publish';
import type { EventContext } from '@tutoring/shared/kit/events/publish/outbox';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import { roomUuid } from '@tutoring/shared/contract/room-uuid';
import { foundRoom, senderBarred } from '../errors.ts';
import { listLastMessages } from '../messages/message-store.ts';
import type { Parts } from '../parts.ts';
import { isBarred, type Person } from '../people/person.ts';
import { lastMessageId, showRoom, type lastOwnId, type Room } from './room.ts';
import { findRoom, insertRooms, liveRoomAmong, type NewRoom, type SeenRoom } from './room-store.ts';

type Pair = Pick<Room, 'student_id' | 'teacher_id'>;

/** For version 1.0 of the calls service, which returns tokens by room: finds the live call in the local copy. */
async function liveCallIn({ calls, database }: Parts, rooms: SeenRoom[]) {
  const ids = rooms.map(({ uuid }) => uuid);
  const uuid = await liveRoomAmong(database.manager, ids);
  if (uuid === undefined) return undefined;
  const { rtc_token } = await calls.ask('room-token.read', { uuid });
  return { room_uuid: uuid, rtc_token };
}

/** The viewer's live call; undefined when the calls service does not answer in time. */
const liveCallOf = (parts: Parts, viewerId: number, rooms: Promise<SeenRoom[]>) =>
  parts
    .liveCallOf(viewerId)
    .catch(async () => liveCallIn(parts, await rooms))
    .catch(() => undefined);

/** The rooms with their people and last messages, as `viewerId` sees them. `lastIdOf` selects the message to show. */
export async function showRooms(
  parts: Parts,
  rooms: SeenRoom[],
  viewerId: number,
  { lastIdOf, call }: { lastIdOf: typeof lastOwnId; call?: Awaited<ReturnType<typeof liveCallOf>> },
) {
  const ids = rooms.flatMap((room) => [room.student_id, room.teacher_id]);
  const written = rooms.filter((room) => lastIdOf(room, viewerId) > 0);
  const [personOf, last] = await Promise.all([
    parts.people.load([...new Set(ids)]),
    listLastMessages(
      parts.database.manager,
      written.map((room) => room.uuid),
      written.map((room) => lastIdOf(room, viewerId)),
    ),
  ]);
  const lastOf = new Map(last.map((stored) => [stored.room_uuid, stored]));
  return rooms.map((room) =>
    showRoom(room, viewerId, personOf, {
      last: lastOf.get(room.uuid),
      rtcToken: room.uuid === call?.room_uuid ? call.rtc_token : null,
      now: room.now,
    }),
  );
}

/** The rooms with the token of the viewer's live call. */
export async function showRoomsNow(parts: Parts, found: Promise<SeenRoom[]>, viewerId: number) {
  const [rooms, call] = await Promise.all([found, liveCallOf(parts, viewerId, found)]);
  return showRooms(parts, rooms, viewerId, { lastIdOf: lastMessageId, call });
}

/** The events about a new room, with the context of the request that created it. */
function creationEvents(made: NewRoom, personOf: (id: number) => Person, context?: EventContext): Outgoing[] {
  const { student_id, teacher_id, created_at } = made;
  const seenBy = (viewerId: number) => showRoom(made, viewerId, personOf, { now: created_at });
  const created = { event: 'room.created', context } as const;
  const pair = { ...created, to: { student: student_id, teacher: teacher_id }, data: seenBy(student_id) };
  const each = [student_id, teacher_id].map((user) => ({ ...created, to: { user }, data: seenBy(user) }));
  const isSame = [student_id, teacher_id].every((id) => (personOf(id).unproven_email ?? null) === null);
  return [{ name: 'room.changed', data: made, context }, ...(isSame ? [pair] : each)];
}

/**
 * Creates the missing rooms of these pairs and publishes their events. `context`: that of the causing request, by
 * default the current one. Returns the rooms' uuids in the order of `pairs`.
 */
export async function ensureRooms(
  tx: Tx,
  { people, namespace }: Parts,
  pairs: (Pair & { context?: EventContext })[],
  loaded?: (id: number) => Person,
): Promise<string[]> {
  const asked = pairs.map((pair) => ({ ...pair, uuid: roomUuid(namespace, pair.student_id, pair.teacher_id) }));
  const made = await insertRooms(tx, asked);
  if (made.length > 0) {
    const ids = new Set(made.flatMap((room) => [room.student_id, room.teacher_id]));
    const personOf = loaded ?? (await people.load([...ids], tx));
    const contextOf = ({ uuid }: NewRoom) => asked.find((pair) => pair.uuid === uuid)?.context;
    publish(
      tx,
      made.flatMap((room) => creationEvents(room, personOf, contextOf(room))),
    );
  }
  return asked.map(({ uuid }) => uuid);
}

/** Creates the room. Throws invalid when there is no such active teacher. */
async function createRoom(parts: Parts, pair: Pair): Promise<void> {
  const found = await parts.people.find([pair.student_id, pair.teacher_id]);
  const teacher = found.get(pair.teacher_id);
  const isTeacher = teacher?.platform === 'teacher' && !isBarred(teacher);
  assertThat(isTeacher, () => invalidField('teacher_id', sentences.selected));
  const student = found.get(pair.student_id);
  assertThat(student && !isBarred(student), senderBarred);
  const loaded = (id: number) => (id === pair.teacher_id ? teacher : student);
  await parts.database.transact((tx) => ensureRooms(tx, parts, [pair], loaded));
}

/** The student's room with a teacher; creates it when there is none. */
export async function openRoom(parts: Parts, studentId: number, teacherId: number) {
  const uuid = roomUuid(parts.namespace, studentId, teacherId);
  const find = () => findRoom(parts.database.manager, uuid, studentId);
  async function open(): Promise<SeenRoom[]> {
    const existing = await find();
    if (!existing) await createRoom(parts, { student_id: studentId, teacher_id: teacherId });
    return [existing ?? foundRoom(await find())];
  }
  return (await showRoomsNow(parts, open(), studentId))[0];
}
