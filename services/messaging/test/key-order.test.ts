import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMessaging, type Messaging } from './kit.ts';

/* Responses have their keys in the order of the interface specification. */

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

const REST = ['message', 'time', 'status', 'type', 'message_link', 'created_at', 'updated_at'];
const MESSAGE = ['id', 'room_uuid', 'sender_id', ...REST];
const ROOM = ['uuid', 'rtc_token', 'student', 'teacher', 'last_message', 'created_at', 'updated_at'];
const STUDENT = ['id', 'name', 'email', 'level_study', 'subjects_interest', 'photo'];
const TEACHER = ['id', 'name', 'email', 'domains', 'experience', 'availability', 'photo'];
const SENDER = [
  ...['id', 'name', 'email', 'solde', 'level_study', 'subjects_interest', 'phone_number', 'photo', 'address', 'city'],
  ...['country', 'about_me', 'status', 'created_at', 'updated_at'],
];

/** The keys of the raw response, in the order they were sent. */
const keysOf = (text: string, ...path: (string | number)[]) => {
  const found = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(text));
  return Object.keys(found as object);
};

test('the keys of rooms and of their people are in the order of the specification', async () => {
  const { uuid, student } = await messaging.pair(1, 2);
  const opened = await student.post('/api/rooms', { teacher_id: 2 });
  await student.post(`/api/rooms/${uuid}/messages`, { message: 'Bonjour' });
  const listed = await student.get('/api/rooms');
  expect(keysOf(opened.text)).toEqual(ROOM);
  expect(keysOf(listed.text, 0)).toEqual(ROOM);
  expect(keysOf(listed.text, 0, 'student')).toEqual(STUDENT);
  expect(keysOf(listed.text, 0, 'teacher')).toEqual(TEACHER);
  expect(keysOf(listed.text, 0, 'last_message')).toEqual(MESSAGE);
});

test('the keys of messages are in the order of the specification, with the sender in place of sender_id', async () => {
  const { uuid, student, teacher } = await messaging.pair(3, 4);
  const sent = await student.post(`/api/rooms/${uuid}/messages`, { message: 'Bonjour' });
  const again = { message: 'Bonjour', client_message_id: 'c' };
  await student.post(`/api/rooms/${uuid}/messages`, again);
  const repeated = await student.post(`/api/rooms/${uuid}/messages`, again);
  const detail = await teacher.get(`/api/rooms/${uuid}`);
  expect([keysOf(sent.text), keysOf(repeated.text)]).toEqual([MESSAGE, MESSAGE]);
  expect(keysOf((await teacher.get(`/api/rooms/${uuid}/messages`)).text, 0)).toEqual(MESSAGE);
  expect(keysOf(detail.text, 0)).toEqual(['id', 'room_uuid', 'sender', ...REST]);
  expect(keysOf(detail.text, 0, 'sender')).toEqual(SENDER);
});

test('the keys of support rooms are in the order of the specification', async () => {
  const { student } = await messaging.pair(5, 6);
  expect(keysOf((await student.post('/api/support/messages', { message: 'Help' })).text)).toEqual(MESSAGE);
  const list = (await messaging.service.api.admin().get('/api/admin/rooms')).text;
  expect(keysOf(list, 0)).toEqual(['uuid', 'user', 'last_message']);
  expect(keysOf(list, 0, 'user')).toEqual(['id', 'name', 'email', 'phone_number']);
  expect(keysOf(list, 0, 'last_message')).toEqual(MESSAGE);
  const { uuid } = JSON.parse(list)[0];
  const detail = (await messaging.service.api.admin().get(`/api/admin/rooms/${uuid}`)).text;
  expect(keysOf(detail)).toEqual(['uuid', 'user_id', 'last_message_at', 'created_at', 'updated_at', 'messages']);
  expect(keysOf(detail, 'messages', 0)).toEqual(MESSAGE);
});

test('a replay by Idempotency-Key is the first response byte for byte, even after the length limit is lowered', async () => {
  const { uuid, teacher } = await messaging.pair(7, 8);
  const room = `/api/rooms/${uuid}/messages`;
  const support = (await messaging.service.api.admin().get('/api/admin/rooms')).body[0].uuid as string;
  const key = { 'idempotency-key': 'k' };
  const body = { message: 'Très long' };
  const sends = [
    () => messaging.service.api.student(7).post(room, { ...body, client_message_id: 'x' }, key),
    () => messaging.service.api.student(7).post('/api/support/messages', body, key),
    () => messaging.service.api.admin().post(`/api/admin/rooms/${support}/messages`, body, key),
    () => messaging.service.api.admin().post('/api/admin/desk/cases', { ...body, user_id: 8 }, key),
  ];
  const first = [];
  for (const send of sends) first.push((await send()).text);
  await teacher.get(room);
  await messaging.service.receive('setting.changed', { name: 'message_max_length', value: 3, version: 2 });
  await messaging.service.restart();
  for (const [index, send] of sends.entries()) {
    const again = await send();
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first[index], 'true']);
  }
  await messaging.service.receive('setting.changed', { name: 'message_max_length', value: 5000, version: 3 });
});
