import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import type { Push } from '../src/push/push.ts';
import { enqueuePushes } from '../src/push/push-store.ts';
import { user } from '@tutoring/shared/testing/user';
import { call, sameTexts, startMessaging, uuidOf, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

const devices = (user_id: number, device_keys: string[], version = 1) =>
  messaging.service.receive('devices.changed', { user_id, device_keys, version });
const sentTo = async (key: string) =>
  (await messaging.pushes()).filter(({ to }) => to === key).map(({ subject, text }) => `${subject}: ${text}`);
const arrived = (key: string, count: number) =>
  eventually(`${count} pushes to ${key}`, async () => {
    const texts = await sentTo(key);
    return texts.length >= count && texts;
  });
const queue = () => messaging.service.rows<Push>('select * from push order by id');

describe('pushes to the mailbox', () => {
  test('every message goes to each device of the recipient, with the absolute number of unread messages', async () => {
    const { uuid, student, teacher } = await messaging.pair(1, 2);
    await devices(2, ['phone-2', 'tablet-2', 'phone-2']);
    await devices(1, ['phone-1']);
    await student.post(`/api/rooms/${uuid}/messages`, { message: 'Hello' });
    expect(await arrived('phone-2', 1)).toEqual(['Sam 1: Hello (1 unread)']);
    expect(await arrived('tablet-2', 1)).toEqual(['Sam 1: Hello (1 unread)']);
    await student.post(`/api/rooms/${uuid}/messages`, { type: 'image', message_link: 'https://x.test/1.png' });
    expect((await arrived('phone-2', 2))[1]).toBe('Sam 1: Sent an image (2 unread)');
    await teacher.get(`/api/rooms/${uuid}/messages`);
    await student.post(`/api/rooms/${uuid}/messages`, { message: 'x'.repeat(300) });
    expect((await arrived('phone-2', 3))[2]).toBe(`Sam 1: ${'x'.repeat(159)}… (1 unread)`);
    expect(await sentTo('phone-1')).toEqual([]);
    const [entry] = await messaging.pushes();
    expect(Object.keys(entry!).sort()).toEqual(['at', 'channel', 'subject', 'text', 'to', 'ttl']);
    await eventually('the queue is empty', async () => (await queue()).length === 0);
  });

  test('the number of unread messages covers all rooms and support', async () => {
    const first = await messaging.pair(11, 10);
    const second = await messaging.pair(12, 10);
    await devices(10, ['phone-10']);
    await first.student.post(`/api/rooms/${first.uuid}/messages`, { message: 'a' });
    await arrived('phone-10', 1);
    await second.student.post(`/api/rooms/${second.uuid}/messages`, { message: 'b' });
    expect((await arrived('phone-10', 2))[1]).toBe('Sam 12: b (2 unread)');
    await first.teacher.get('/api/support/messages');
    const [room] = (await messaging.service.api.admin().get('/api/admin/rooms')).body;
    await messaging.service.api.admin().post(`/api/admin/rooms/${room.uuid}/messages`, { message: 'c' });
    expect((await arrived('phone-10', 3))[2]).toBe('Support: c (3 unread)');
  });

  test('a repeated send is pushed once; nothing is queued for a user without devices', async () => {
    const { uuid, student, teacher } = await messaging.pair(21, 20);
    await devices(20, ['phone-20']);
    const body = { message: 'once', client_message_id: 'c' };
    await Promise.all([1, 2, 3].map(() => student.post(`/api/rooms/${uuid}/messages`, body)));
    await student.post(`/api/rooms/${uuid}/messages`, { message: 'last' });
    await arrived('phone-20', 2);
    expect(await sentTo('phone-20')).toHaveLength(2);
    await teacher.post(`/api/rooms/${uuid}/messages`, { message: 'nowhere to go' });
    expect((await queue()).filter(({ user_id }) => user_id === 21)).toEqual([]);
  });

  test('a ringing call is pushed to the teacher until it times out; a missed call is pushed, and is no message', async () => {
    const { teacher } = await messaging.pair(31, 30);
    const other = await messaging.pair(32, 30);
    await devices(30, ['phone-30']);
    await devices(31, ['phone-31']);
    await other.student.post(`/api/rooms/${other.uuid}/messages`, { message: 'Hello' });
    await arrived('phone-30', 1);
    const ringing = call(31, 30, { call_type: 'audio' });
    await messaging.service.receive('call.changed', ringing);
    expect((await arrived('phone-30', 2))[1]).toBe('Sam 31: Incoming audio call (1 unread)');
    const { ttl } = (await messaging.pushes()).find(({ text }) => text.startsWith('Incoming audio'))!;
    // The rest of the 45 seconds at the time of sending.
    expect([Number(ttl) > 15, Number(ttl) <= 45]).toEqual([true, true]);
    await messaging.service.receive('call.changed', ringing);
    await eventually('the queue is empty', async () => (await queue()).length === 0);
    expect(await sentTo('phone-30')).toHaveLength(2);

    const missed = { ...ringing, state: 'missed' as const, version: 2, ended_at: new Date().toISOString() };
    await messaging.service.receive('call.changed', missed);
    await messaging.service.receive('call.changed', missed);
    expect((await arrived('phone-30', 3))[2]).toBe('Sam 31: Missed call (1 unread)');
    await eventually('the queue is empty', async () => (await queue()).length === 0);
    expect(await sentTo('phone-30')).toHaveLength(3);
    expect(await sentTo('phone-31')).toEqual([]);

    const uuid = uuidOf(31, 30);
    expect((await teacher.get(`/api/rooms/${uuid}/messages`)).body).toEqual([]);
    const listed = (await teacher.get('/api/rooms')).body as { uuid: string; last_message: unknown }[];
    expect(listed.map((room) => room.uuid)).toEqual([other.uuid, uuid]);
    expect(listed[1]!.last_message).toBeNull();
    const live = (await messaging.service.live()).filter(({ event }) => event === 'message.created');
    expect(live.filter(({ data }) => data['room_uuid'] === uuid)).toEqual([]);
  });

  test.each([
    ['active', 'The call was accepted'],
    ['rejected', 'The call was rejected'],
    ['canceled', 'The call was canceled'],
  ] as const)('a call that becomes %s is removed once from the devices that rang', async (state, text) => {
    const teacher = { active: 60, rejected: 62, canceled: 64 }[state];
    const student = teacher + 1;
    await messaging.meet(user(student, 'student'), user(teacher, 'teacher'));
    await devices(teacher, [`phone-${teacher}`]);
    await messaging.service.receive('call.changed', call(student, teacher));
    await arrived(`phone-${teacher}`, 1);
    await eventually('the queue is empty', async () => (await queue()).length === 0);
    await messaging.service.receive('call.changed', call(student, teacher, { state, version: 2 }));
    expect((await arrived(`phone-${teacher}`, 2))[1]).toBe(`Sam ${student}: ${text} (0 unread)`);
    await messaging.service.receive('call.changed', call(student, teacher, { state, version: 2 }));
    await messaging.service.receive('call.changed', call(student, teacher, { state: 'ended', version: 3 }));
    await eventually('the queue is empty', async () => (await queue()).length === 0);
    expect(await sentTo(`phone-${teacher}`)).toHaveLength(2);
  });

  test('a ring that has expired when its event arrives is not pushed; a missed call creates the room of the pair', async () => {
    await messaging.meet(user(41, 'student'), user(40, 'teacher'));
    await devices(40, ['phone-40']);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
    const gone = { created_at: ago(120), ring_expires_at: ago(75) };
    await messaging.service.receive('call.changed', call(41, 40, { identifier: 'old', ...gone }));
    const ended = { identifier: 'ended', state: 'ended' as const, ended_at: ago(1), version: 4 };
    await messaging.service.receive('call.changed', call(41, 40, ended));
    const longAgo = { identifier: 'long ago', state: 'missed' as const, ended_at: ago(90_000), version: 3 };
    await messaging.service.receive('call.changed', call(41, 40, longAgo));
    const missed = { identifier: 'gone', state: 'missed' as const, ended_at: ago(0), version: 3 };
    await messaging.service.receive('call.changed', call(41, 40, missed));
    await arrived('phone-40', 1);
    await eventually('the queue is empty', async () => (await queue()).length === 0);
    expect(await sentTo('phone-40')).toEqual(['Sam 41: Missed call (0 unread)']);
    const rooms = (await messaging.service.api.student(41).get('/api/rooms')).body;
    expect(rooms).toMatchObject([{ uuid: uuidOf(41, 40), last_message: null }]);
  });

  test('queued notifications survive a restart; a deleted user gets none', async () => {
    const { uuid, student } = await messaging.pair(51, 50);
    await devices(50, ['phone-50']);
    await student.post(`/api/rooms/${uuid}/messages`, { message: 'before' });
    await arrived('phone-50', 1);
    const notification = { kind: 'message' as const, texts: sameTexts('T', 'waits'), data: {}, lifetime: 3_600 };
    await messaging.service.service.database.transact((tx) => enqueuePushes(tx, [{ userId: 50, notification }]));
    await messaging.service.rows(`update push set next_attempt_at = now() + interval '1 hour' where body = 'waits'`);
    await messaging.service.restart();
    await messaging.service.rows(`update push set next_attempt_at = now() where body = 'waits'`);
    expect((await arrived('phone-50', 2))[1]).toBe('T: waits (1 unread)');
    await messaging.service.service.database.transact((tx) =>
      enqueuePushes(tx, [{ userId: 50, notification: { ...notification, texts: sameTexts('T', 'never') } }]),
    );
    await messaging.meet(user(50, 'teacher', { deleted: true, version: 9 }));
    expect((await queue()).filter(({ user_id }) => user_id === 50)).toEqual([]);
  });
});
