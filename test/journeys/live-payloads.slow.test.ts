import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { liveEvents } from '@tutoring/shared/events/live';
import { eventually } from '@tutoring/shared/testing/wait';
import type { Listener } from './listener.ts';
import { adminToken, as, data, openRoom, payDeposit, register, type Person } from './people.ts';
import { createReferenceCheck, type OpenApi } from './reference.ts';
import { startSystem, type System } from './system.ts';

let system: System;
let student: Person;
let teacher: Person;
let admin: string;
let roomUuid: string;
const listeners: Listener[] = [];

beforeAll(async () => {
  system = await startSystem();
  student = await register(system, 'student', 'Awa Diallo');
  teacher = await register(system, 'teacher', 'Kossi Mensah');
  admin = await adminToken(system);
  for (const token of [student.token, teacher.token, admin]) listeners.push(await system.listen(token));
});
afterAll(async () => {
  for (const listener of listeners) listener.close();
  await system.stop();
});

const me = (person: Person) => as(system, person.token);
const heard = () => listeners.flatMap(({ events }) => events);
const hears = (name: string, times = 1) =>
  eventually(name, () => heard().filter(({ event }) => event === name).length >= times);

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

/** 200 pays the first step of a video call (150) and the second (50). */
async function pay(): Promise<void> {
  const deposit = data<{ id: number }>(await me(student).post('api/deposits', { amount: 200 }));
  await payDeposit(system, deposit.id);
  await hears('wallet.balance');
}

async function callInVain(): Promise<void> {
  await ring();
  data(await me(student).post('api/call/cancel', { teacher_user_id: teacher.id }));
  await ring();
  data(await me(teacher).post('api/call/reject', { student_user_id: student.id }));
  await ring();
  await system.shiftCallClock(50);
  await hears('call.missed');
  await system.shiftCallClock(0);
}

async function call(): Promise<void> {
  await ring();
  const identifier = await accept();
  await system.shiftCallClock(61);
  data(await me(teacher).post('api/call/bill', { identifier }));
  await hears('call.low_balance');
  data(await me(student).post('api/call/end', { room_uuid: roomUuid, identifier }));
  await hears('call.ended', 2);
}

test('every live event arrives and matches the reference', async () => {
  await talk();
  await pay();
  await callInVain();
  await call();
  await eventually(
    'one of each',
    () => new Set(heard().map(({ event }) => event)).size === Object.keys(liveEvents).length,
  );
  const reference = createReferenceCheck((await system.request('GET', 'api/openapi.json')).body as OpenApi);
  for (const { event, data: payload } of heard()) reference.checkEvent(event, payload);
  expect(() => reference.checkEvent('wallet.balance', { balance: '1' })).toThrow('wallet.balance');
  expect(() => reference.checkEvent('wallet.created', {})).toThrow('wallet.created');
});
