import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { rows } from '@tutoring/shared/kit/database/sql';
import { user } from '@tutoring/shared/testing/user';
import { retryWhileUnavailable } from '@tutoring/shared/testing/wait';
import { countUnread } from '../src/rooms/room-store.ts';
import { call, startMessaging, uuidOf, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

/** Users whose stored count differs from the number of unread messages, in one snapshot. */
const WRONG = `
  with unread as (
    select student_id as user_id, student_unread as kept, (select count(*) from message m
      where m.room_uuid = uuid and m.sender_id = teacher_id and m.id > student_read_id) as counted from room
    union all
    select teacher_id, teacher_unread, (select count(*) from message m
      where m.room_uuid = uuid and m.sender_id = student_id and m.id > teacher_read_id) from room
  ), person as (
    select user_id, sum(kept) as kept, sum(counted) as counted, bool_and(kept = counted) as each_right
    from unread group by user_id
  )
  select * from person where not each_right`;
const wrong = () => messaging.service.rows(WRONG);

const badge = (userId: number) => countUnread(messaging.service.service.database.manager, userId);
const total = async (userId: number, as: 'student' | 'teacher' = 'student') =>
  (await messaging.service.api[as](userId).get('/api/rooms/unread')).body.total as number;

/** Sends messages like the service, in a transaction of the test. */
async function send(tx: Tx, uuid: string, senderId: number, count: number): Promise<void> {
  await rows(tx, 'select from room where uuid = $1 for no key update', [uuid]);
  const stored = await rows<{ id: number }>(
    tx,
    `insert into message (room_uuid, sender_id, message, type, created_at)
     select $1, $2, 'old', 'message', app_now() from generate_series(1, $3::int) returning id`,
    [uuid, senderId, count],
  );
  const newest = Math.max(...stored.map(({ id }) => id));
  await rows(
    tx,
    `update room set student_last_id = $2, teacher_unread = teacher_unread + $3, updated_at = app_now()
     where uuid = $1 and student_id = $4`,
    [uuid, newest, count, senderId],
  );
  await rows(
    tx,
    `update room set teacher_last_id = $2, student_unread = student_unread + $3, updated_at = app_now()
     where uuid = $1 and teacher_id = $4`,
    [uuid, newest, count, senderId],
  );
}

test('counts are correct at every moment of concurrent sends and reads, with and without keys', async () => {
  const teacher = 900;
  const rooms = await Promise.all([901, 902, 903, 904, 905].map((student) => messaging.pair(student, teacher)));
  const write = (nr: number) => {
    const { uuid, student, teacher: other } = rooms[nr % rooms.length]!;
    const by = nr % 3 === 0 ? other : student;
    const key: Record<string, string> = nr % 2 === 0 ? { 'idempotency-key': randomUUID() } : {};
    return by.post(`/api/rooms/${uuid}/messages`, { message: `m${nr}` }, key);
  };
  const read = async (nr: number) => {
    const { uuid, student, teacher: other } = rooms[nr % rooms.length]!;
    const by = nr % 3 === 0 ? student : other;
    const [newest] = await messaging.service.rows<{ id: number }>(
      'select coalesce(max(id), 1) as id from message where room_uuid = $1',
      [uuid],
    );
    return by.post(`/api/rooms/${uuid}/read`, nr % 2 === 0 ? {} : { up_to: Math.max(1, newest!.id - 2) });
  };
  const numbers = Array.from({ length: 50 }, (_none, nr) => nr);
  const found: unknown[] = [];
  const checkRepeatedly = async () => {
    for (const _nr of numbers) found.push(...(await retryWhileUnavailable(wrong)));
  };
  const checking = checkRepeatedly();
  const answers = await Promise.all(numbers.flatMap((nr) => [write(nr), read(nr)]));
  await checking;
  // On a busy machine some requests may wait too long for a room; they get a 503 and change nothing.
  expect(answers.filter(({ status }) => status !== 200 && status !== 503).map(({ text }) => text)).toEqual([]);
  expect([...found, ...(await wrong())]).toEqual([]);
  expect(await badge(teacher)).toBe(await total(teacher, 'teacher'));
});

test('the badge counts every message, also more than a thousand', async () => {
  const [flooded, other] = [await messaging.pair(601, 602), await messaging.pair(601, 603)];
  await messaging.service.service.database.transact((tx) => send(tx, flooded.uuid, 602, 1_005));
  await other.teacher.post(`/api/rooms/${other.uuid}/messages`, { message: 'x' });
  expect([await badge(601), await total(601)]).toEqual([1_006, 1_006]);
  const [middle] = await messaging.service.rows<{ id: number }>(
    'select id from message where room_uuid = $1 order by id offset 999 limit 1',
    [flooded.uuid],
  );
  await flooded.student.post(`/api/rooms/${flooded.uuid}/read`, { up_to: middle!.id });
  expect([await badge(601), await total(601), await wrong()]).toEqual([6, 6, []]);
});

test('messages of different senders to one person do not wait for each other', async () => {
  const [slow, quick] = [await messaging.pair(801, 800), await messaging.pair(802, 800)];
  const path = `/api/rooms/${quick.uuid}/messages`;
  const answers = await messaging.service.service.database.transact(async (tx) => {
    await send(tx, slow.uuid, 801, 1);
    const sent = await quick.student.post(path, { message: 'now' });
    const keyed = await quick.student.post(path, { message: 'and now' }, { 'idempotency-key': randomUUID() });
    const read = await quick.teacher.post(`/api/rooms/${quick.uuid}/read`, { up_to: sent.body.id });
    return [sent.status, keyed.status, read.status];
  });
  expect([answers, await badge(800), await wrong()]).toEqual([[200, 200, 200], 2, []]);
});

test('support messages are counted; calls, blocks and deleted accounts do not change counts', async () => {
  const { uuid, student, teacher } = await messaging.pair(501, 502);
  const { service, meet } = messaging;
  await teacher.post(`/api/rooms/${uuid}/messages`, { message: 'x' });
  await student.post('/api/support/messages', { message: 'help' });
  const [support] = await service.rows<{ uuid: string }>('select uuid from support_room where user_id = 501');
  for (const message of ['yes?', 'still there?'])
    await service.api.admin().post(`/api/admin/rooms/${support!.uuid}/messages`, { message });
  expect([await badge(501), await total(501)]).toEqual([3, 3]);
  await meet(user(503, 'teacher'));
  await service.receive('call.changed', call(501, 503));
  await service.receive(
    'call.changed',
    call(501, 503, { state: 'missed', version: 2, ended_at: new Date().toISOString() }),
  );
  await student.put('/api/blocks/502');
  expect((await teacher.post(`/api/rooms/${uuid}/messages`, { message: 'x' })).status).toBe(409);
  await meet(user(502, 'teacher', { deleted: true, version: 2 }));
  expect(await service.rows('select 1 from room where uuid = $1', [uuidOf(501, 503)])).toHaveLength(1);
  expect([await badge(501), await total(501), await wrong()]).toEqual([3, 3, []]);
  await student.get('/api/support/messages');
  await student.get(`/api/rooms/${uuid}`);
  expect([await badge(501), await total(501), await wrong()]).toEqual([0, 0, []]);
});
