import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveEvents } from '@tutoring/shared/contract/live-events';
import { scaled } from '@tutoring/shared/testing/scale';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import type { Listener } from './listener.ts';
import { adminToken, as, data, openRoom, payDeposit, register, type Person } from './people.ts';
import { createReferenceCheck, type OpenApi } from './reference.ts';
import { startSystem, type ProcessName, type System } from './system.ts';

/** Messages in total: 10,000 at full size. */
const MESSAGES = scaled(10_000, 500);
const SENDERS = 50;
/** Longer than a restart of a process takes on a slow machine. */
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
afterAll(() => system.stop());

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

/** Sends a message like an app: retries until there is a success. Returns the message's id. */
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

test('each message reaches every listener once and in order while NATS, gateway and services restart', async () => {
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
  const faults: [share: number, fault: () => Promise<void>][] = [
    [0.15, () => system.restartNats()],
    [0.3, () => restart('messaging')],
    [0.45, () => system.restartNats()],
    [0.6, () => restart('gateway')],
    [0.75, () => restart('identity')],
  ];
  const restarts = async () => {
    for (const [share, fault] of faults) {
      await eventually('enough messages are sent', () => next >= MESSAGES * share, 2 * PATIENCE_MS);
      await fault();
    }
  };
  await Promise.all([restarts(), ...Array.from({ length: SENDERS }, sender)]);

  const received = (person: Person, uuid: string) =>
    listeners
      .get(person.id)!
      .events.filter(({ event, data: message }) => event === 'message.created' && message['room_uuid'] === uuid)
      .map(({ data: message }) => message['id'] as number);
  for (const { uuid, members } of rooms) {
    const expected = sent.get(uuid)!.sort((a, b) => a - b);
    for (const member of members) {
      await eventually('the last message', () => received(member, uuid).length >= expected.length, PATIENCE_MS);
      expect(received(member, uuid)).toEqual(expected);
    }
  }
  for (const { opened, events } of listeners.values()) {
    expect(opened()).toBeGreaterThan(1);
    expect(events.filter(({ event }) => event === 'resync')).toEqual([]);
  }
}, 1_800_000);

describe('live events of two people', () => {
  let student: Person;
  let teacher: Person;
  let roomUuid: string;
  const open: Listener[] = [];
  beforeAll(async () => {
    student = await register(system, 'student', 'Awa Diallo');
    teacher = await register(system, 'teacher', 'Kossi Mensah');
    for (const token of [student.token, teacher.token, await adminToken(system)]) open.push(await system.listen(token));
  });

  const me = (person: Person) => as(system, person.token);
  const received = () => open.flatMap(({ events }) => events);
  const receive = (name: string, times = 1) =>
    eventually(name, () => received().filter(({ event }) => event === name).length >= times);

  const ring = async () =>
    data(await me(student).post('api/call/init', { teacher_user_id: teacher.id, call_type: 'video' }));

  async function accept(): Promise<string> {
    const answer = await me(teacher).post('api/call/accept', { student_user_id: student.id, call_type: 'video' });
    return data<{ transaction: { identifier: string } }>(answer).transaction.identifier;
  }

  async function talk(): Promise<void> {
    roomUuid = await openRoom(system, student, teacher);
    data(await me(student).post(`api/rooms/${roomUuid}/messages`, { message: 'Bonjour' }));
    data(await me(teacher).get(`api/rooms/${roomUuid}/messages`));
    data(await me(student).post('api/support/messages', { message_link: 'https://files.example.com/bill.pdf' }));
    data(await me(student).post('api/reports', { user_id: teacher.id, reason: 'other', room_uuid: roomUuid }));
  }

  /** Deposits 200, which pays the first two steps of a video call (150 and 50). */
  async function pay(): Promise<void> {
    const deposit = data<{ id: number }>(await me(student).post('api/deposits', { amount: 200 }));
    await payDeposit(system, deposit.id);
    await receive('wallet.balance');
  }

  async function failedCalls(): Promise<void> {
    await ring();
    data(await me(student).post('api/call/cancel', { teacher_user_id: teacher.id }));
    await ring();
    data(await me(teacher).post('api/call/reject', { student_user_id: student.id }));
    await ring();
    await system.shiftCallClock(50);
    await receive('call.missed');
    await system.shiftCallClock(0);
  }

  async function call(): Promise<void> {
    await ring();
    const identifier = await accept();
    await system.shiftCallClock(61);
    data(await retryWhile503(() => me(teacher).post('api/call/bill', { identifier })));
    await receive('call.low_balance');
    data(await me(student).post('api/call/end', { room_uuid: roomUuid, identifier }));
    await receive('call.ended', 2);
  }

  /** Books lessons: one is declined, one canceled, one moved, confirmed and about to begin. */
  async function book(): Promise<void> {
    const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '08:00', to: '20:00' }));
    const hours = { time_zone: 'UTC', slot_minutes: 60, min_notice_minutes: 0, weekly, exceptions: [] };
    data(await me(teacher).put('api/me/availability', hours));
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const found = await me(student).get(`api/teachers/${teacher.id}/slots?from=${day}&to=${day}`);
    const [first, second] = data<{ starts_at: string }[]>(found);
    const booked = async () => {
      const lesson = { teacher_id: teacher.id, starts_at: first!.starts_at, minutes: 60, call_type: 'video' };
      const { id } = data<{ id: number }>(await me(student).post('api/bookings', lesson));
      return `api/bookings/${id}`;
    };
    data(await me(teacher).post(`${await booked()}/decline`, {}));
    data(await me(student).post(`${await booked()}/cancel`, {}));
    const lesson = await booked();
    data(await me(student).post(`${lesson}/reschedule`, { starts_at: second!.starts_at }));
    data(await me(teacher).post(`${lesson}/confirm`, {}));
    await system.shiftCallClock(Math.ceil((Date.parse(second!.starts_at) - Date.now()) / 1_000) - 59 * 60);
    await receive('booking.reminder');
    await system.shiftCallClock(0);
  }

  /** Resolves the student's case, and pays the teacher in a batch. */
  async function administer(): Promise<void> {
    const admin = as(system, await adminToken(system));
    const cases = await admin.post('api/admin/desk/casesall', { user_id: student.id });
    const { id } = data<{ data: { id: number }[] }>(cases).data[0]!;
    data(await admin.put('api/admin/desk/presence', { case_id: id, state: 'viewing' }));
    data(await admin.put(`api/admin/desk/cases/${id}`, { state: 'resolved' }));
    await system.sql('wallet', 'update account set balance = balance + 1000 where user_id = $1', [teacher.id]);
    const asked = { amount: 1_000, method: 'bank', account: 'SN-1' };
    const withdrawal = data<{ id: number }>(await me(teacher).post('api/withdrawals', asked));
    data(await admin.post('api/admin/payout-batches', { withdrawal_ids: [withdrawal.id], format: 'csv' }));
  }

  test('every live event arrives and matches the reference', async () => {
    await talk();
    await pay();
    await failedCalls();
    await call();
    await book();
    await administer();
    await eventually(
      'each event is received',
      () => new Set(received().map(({ event }) => event)).size === Object.keys(liveEvents).length,
    );
    const reference = createReferenceCheck((await system.request('GET', 'api/openapi.json')).body as OpenApi);
    for (const { event, data: payload } of received()) reference.checkEvent(event, payload);
    expect(() => reference.checkEvent('wallet.balance', { balance: '1' })).toThrow('wallet.balance');
    expect(() => reference.checkEvent('wallet.created', {})).toThrow('wallet.created');
  });
});
