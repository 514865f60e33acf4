import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import type { Listener } from './listener.ts';
import { as, openRoom, register, type Person } from './people.ts';
import { startSystem, type ProcessName, type System } from './system.ts';
import { scaled } from '@tutoring/shared/testing/scale';

/** Messages in total: 10,000 at full size. */
const MESSAGES = scaled(10_000, 500);
const SENDERS = 50;
/** Longer than a process takes to start anew on a slow machine. */
const PATIENCE_MS = 240_000;

let system: System;
let students: Person[];
let teachers: Person[];
const listeners = new Map<number, Listener>();

beforeAll(async () => {
  system = await startSystem();
  students = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => register(system, 'student', `Student ${name}`)));
  teachers = await Promise.all(['F', 'G', 'H', 'I'].map((name) => register(system, 'teacher', `Teacher ${name}`)));
});
afterAll(async () => {
  for (const listener of listeners.values()) listener.close();
  await system.stop();
});

interface Room {
  uuid: string;
  members: Person[];
}

async function openRooms(): Promise<Room[]> {
  const pairs = students.flatMap((student) => teachers.map((teacher) => [student, teacher] as const));
  return Promise.all(
    pairs.map(async ([student, teacher]) => ({
      uuid: await openRoom(system, student, teacher),
      members: [student, teacher],
    })),
  );
}

/** Sends like an app: repeats the same message until there is a response. Returns the message's id. */
const sendInto = ({ uuid, members }: Room, number: number) =>
  eventually(
    `message ${number}`,
    async () => {
      const sender = members[number % 2]!;
      const body = { message: `number ${number}`, client_message_id: `number-${number}` };
      const answer = await as(system, sender.token)
        .post(`api/rooms/${uuid}/messages`, body)
        .catch(() => undefined);
      return answer?.status === 200 && answer.body?.success === true && (answer.body.data.id as number);
    },
    PATIENCE_MS,
  );

test('each message reaches every listener once and in order while broker, gateway and services restart', async () => {
  const rooms = await openRooms();
  const people = [...students, ...teachers];
  for (const person of people) listeners.set(person.id, await system.listen(person.token));

  const sent = new Map<string, number[]>(rooms.map(({ uuid }) => [uuid, []]));
  let next = 0;
  const sender = async () => {
    for (let number = next++; number < MESSAGES; number = next++) {
      const room = rooms[number % rooms.length]!;
      sent.get(room.uuid)!.push(await sendInto(room, number));
    }
  };
  const restart = (name: ProcessName) => system.kill(name).then(() => system.start(name));
  const troubles: [share: number, trouble: () => Promise<void>][] = [
    [0.15, () => system.restartNats()],
    [0.3, () => restart('messaging')],
    [0.45, () => system.restartNats()],
    [0.6, () => restart('gateway')],
    [0.75, () => restart('identity')],
  ];
  const restarts = async () => {
    for (const [share, trouble] of troubles) {
      await eventually('enough is sent', () => next >= MESSAGES * share, 2 * PATIENCE_MS);
      await trouble();
    }
  };
  await Promise.all([restarts(), ...Array.from({ length: SENDERS }, sender)]);

  const heard = (person: Person, uuid: string) =>
    listeners
      .get(person.id)!
      .events.filter(({ event, data: message }) => event === 'message.created' && message['room_uuid'] === uuid)
      .map(({ data: message }) => message['id'] as number);
  for (const { uuid, members } of rooms) {
    const expected = sent.get(uuid)!.sort((a, b) => a - b);
    for (const member of members) {
      await eventually('the last message', () => heard(member, uuid).length >= expected.length, PATIENCE_MS);
      expect(heard(member, uuid)).toEqual(expected);
    }
  }
  for (const { opened, events } of listeners.values()) {
    expect(opened()).toBeGreaterThan(1);
    expect(events.filter(({ event }) => event === 'resync')).toEqual([]);
  }
}, 1_800_000);
