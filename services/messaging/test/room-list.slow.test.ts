import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blocksReader, fromSeries, vacuum } from '@tutoring/shared/testing/plans';
import { countUnread, listRooms, listUnread } from '../src/rooms/room-store.ts';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
let blocksOf: Awaited<ReturnType<typeof blocksReader>>;
const [FEW, MANY] = [7_000_250, 7_005_000];

/** Rooms of many teachers in random order of storage and activity; two of the teachers have unread messages. */
beforeAll(async () => {
  messaging = await startMessaging();
  const { asOwner } = messaging.service;
  await asOwner(
    `insert into room (uuid, student_id, teacher_id, created_at, updated_at)
     select gen_random_uuid(), g, teacher, at, at from (
       select g, 1000000 + g % 1000 as teacher ${fromSeries(100_000)}
       union all select g, $1 from generate_series(1, 250) g
       union all select g, $2 from generate_series(1, 5000) g
     ) as one, lateral (select app_now() - g * 7919 % 10007 * interval '1 minute' as at) as moment
     order by md5(g::text || teacher)`,
    [FEW, MANY],
  );
  await asOwner(
    `insert into message (room_uuid, sender_id, message, type, created_at)
     select uuid, student_id, 'x', 'message', updated_at from room, generate_series(1, 3) where teacher_id in ($1, $2)`,
    [FEW, MANY],
  );
  await asOwner(
    `update room set student_last_id = (select max(id) from message where room_uuid = uuid), teacher_unread = 3
     where teacher_id in ($1, $2)`,
    [FEW, MANY],
  );
  await vacuum(messaging.service);
  blocksOf = await blocksReader(messaging.service, (blocks) => Math.max(...blocks));
});
afterAll(() => messaging.stop());

const reader = () => messaging.service.service.database.manager;

test('a page of the room list costs the same with 250 and 5,000 rooms, also for pages far down the list', async () => {
  const list = (id: number, before?: string) =>
    listRooms(reader(), { id, platform: 'teacher' }, { before, limit: 200 });
  const all = await messaging.service.rows<{ uuid: string }>(
    'select uuid from room where teacher_id = $1 order by updated_at desc, uuid',
    [MANY],
  );
  const uuids = all.map(({ uuid }) => uuid);
  const pageAfter = async (offset: number) =>
    (await list(MANY, offset === 0 ? undefined : uuids[offset - 1])).map(({ uuid }) => uuid);
  for (const offset of [0, 200, 3_000, 4_900])
    expect(await pageAfter(offset)).toEqual(uuids.slice(offset, offset + 200));
  const few = await blocksOf(/ from room/, () => list(FEW));
  const many = [
    await blocksOf(/ from room/, () => list(MANY)),
    await blocksOf(/ from room/, () => list(MANY, uuids[3_000])),
  ];
  for (const blocks of many) expect(blocks).toBeLessThan(few * 1.5);
});

test('unread rooms and their total are found without reading the other rooms', async () => {
  expect([await countUnread(reader(), FEW), await countUnread(reader(), MANY)]).toEqual([750, 15_000]);
  await messaging.service.asOwner(
    `update room set teacher_read_id = student_last_id, teacher_unread = 0 where teacher_id = $1 and uuid <> all(array(
       select uuid from room where teacher_id = $1 order by uuid limit 3))`,
    [MANY],
  );
  await vacuum(messaging.service, 'room');
  expect((await listUnread(reader(), MANY)).map(({ unread }) => unread)).toEqual([3, 3, 3]);
  expect(await countUnread(reader(), MANY)).toBe(9);
  for (const read of [listUnread, countUnread])
    expect(await blocksOf(/ from room/, () => read(reader(), MANY))).toBeLessThan(40);
});
