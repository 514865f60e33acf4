import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

const statuses = (answer: { body: { id: number; status: string }[] }) => answer.body.map(({ status }) => status);
const bodies = (answer: { body: { message: string }[] }) => answer.body.map(({ message }) => message);

describe('reading', () => {
  async function roomOf(studentId: number, teacherId: number, sent: string[]) {
    const made = await messaging.pair(studentId, teacherId);
    const ids: number[] = [];
    for (const message of sent) {
      const answer = await made.student.post(`/api/rooms/${made.uuid}/messages`, { message });
      ids.push(answer.body.id);
    }
    return { ...made, ids, path: `/api/rooms/${made.uuid}/messages` };
  }
  const eventsOf = async (uuid: string, name: string) =>
    (await messaging.service.live()).filter(({ event, data }) => event === name && data['room_uuid'] === uuid);
  const readEvents = async (uuid: string) =>
    (await eventsOf(uuid, 'message.read')).map(({ to, data }) => [to, data['up_to']]);

  test.each(['', '/messages'])(
    'GET api/rooms/{uuid}%s marks its messages as read, once, and shows them as before',
    async (suffix) => {
      const offset = suffix === '' ? 0 : 100;
      const { uuid, student, teacher, ids, path } = await roomOf(200 + offset, 201 + offset, ['a', 'b']);
      expect(statuses(await student.get(path))).toEqual(['unread', 'unread']);
      expect(statuses(await student.get(path))).toEqual(['unread', 'unread']);
      expect(statuses(await teacher.get(`/api/rooms/${uuid}${suffix}`))).toEqual(['unread', 'unread']);
      expect(statuses(await teacher.get(`/api/rooms/${uuid}${suffix}`))).toEqual(['read', 'read']);
      expect(statuses(await student.get(path))).toEqual(['read', 'read']);
      expect(await readEvents(uuid)).toEqual([[`user.${201 + offset - 1}`, ids[1]]]);
    },
  );

  test('POST read marks messages up to `up_to`, by default up to the newest, and never moves back', async () => {
    const { uuid, student, teacher, ids, path } = await roomOf(400, 401, ['a', 'b', 'c']);
    const read = async (body: object) => (await teacher.post(`/api/rooms/${uuid}/read`, body)).body;
    expect(await read({ up_to: ids[1] })).toEqual({ room_uuid: uuid, up_to: ids[1] });
    expect(statuses(await student.get(path))).toEqual(['read', 'read', 'unread']);
    expect(await read({ up_to: ids[0] })).toEqual({ room_uuid: uuid, up_to: ids[1] });
    expect(await read({})).toEqual({ room_uuid: uuid, up_to: ids[2] });
    expect(await read({ up_to: 9_007_199_254_740_991 })).toEqual({ room_uuid: uuid, up_to: ids[2] });
    expect(await readEvents(uuid)).toEqual([
      ['user.400', ids[1]],
      ['user.400', ids[2]],
    ]);
    const others = (await eventsOf(uuid, 'room.read')).map(({ to, data }) => [to, data['up_to'], data['unread']]);
    expect(others).toEqual([
      ['user.401', ids[1], 1],
      ['user.401', ids[2], 0],
    ]);
    for (const up_to of ['x', 0, -1, 1.5])
      expect((await teacher.post(`/api/rooms/${uuid}/read`, { up_to })).status).toBe(422);
  });

  test('the cursor of a user without received messages stays 0', async () => {
    const { uuid, student } = await roomOf(402, 403, ['a']);
    expect((await student.post(`/api/rooms/${uuid}/read`, {})).body).toEqual({ room_uuid: uuid, up_to: 0 });
    expect(await readEvents(uuid)).toEqual([]);
  });

  test('cursors are ids; pages have no gap or overlap; an old page marks nothing newer as read', async () => {
    const all = Array.from({ length: 7 }, (_none, index) => `m${index}`);
    const { teacher, student, ids, path } = await roomOf(404, 405, all);
    const page = async (query: string) => bodies(await teacher.get(`${path}?${query}`));
    expect(await page(`before=${ids[4]}&limit=3`)).toEqual(['m1', 'm2', 'm3']);
    expect(statuses(await student.get(path))).toEqual([...Array(4).fill('read'), ...Array(3).fill('unread')]);
    expect(await page('limit=3')).toEqual(['m4', 'm5', 'm6']);
    expect(await page(`before=${ids[1]}&limit=3`)).toEqual(['m0']);
    expect(await page(`before=${ids[0]}`)).toEqual([]);
    expect(await page(`after=${ids[2]}&limit=2`)).toEqual(['m3', 'm4']);
    expect(await page(`after=${ids[6]}`)).toEqual([]);
    expect(await page('after=0')).toEqual(all);
    expect(await page(`after=${ids[1]}&before=${ids[4]}`)).toEqual(['m2', 'm3']);
    expect(await page('limit=100000')).toEqual(all);
    for (const query of ['limit=0', 'before=x', 'after=-1', 'before=1e3'])
      expect((await teacher.get(`${path}?${query}`)).status).toBe(422);
  });

  test('without cursors the list is the newest 500 messages, oldest first', async () => {
    const { uuid, teacher, path } = await roomOf(406, 407, []);
    await messaging.service.asOwner(
      `insert into message (room_uuid, sender_id, message, type, created_at)
       select $1, 406, 'm' || n, 'message', now() from generate_series(1, 510) as n order by n`,
      [uuid],
    );
    await messaging.service.asOwner(
      `update room set student_last_id = (select max(id) from message where room_uuid = $1), teacher_unread = 510
       where uuid = $1`,
      [uuid],
    );
    const listed = bodies(await teacher.get(path));
    expect(listed).toEqual(Array.from({ length: 500 }, (_none, index) => `m${index + 11}`));
  });

  test('the age of a message is measured by the clock of the database', async () => {
    const { student, path } = await roomOf(408, 409, ['old']);
    const ageAfter = async (seconds: number) => {
      await messaging.service.shiftClock(seconds);
      return (await student.get(path)).body[0].time;
    };
    expect(await ageAfter(5 * 60 + 30)).toBe('5 minutes ago');
    expect(await ageAfter(8 * 86_400)).toBe('1 week ago');
    expect(await ageAfter(-3_600)).toBe('1 second ago');
    await messaging.service.shiftClock(0);
  });
});
