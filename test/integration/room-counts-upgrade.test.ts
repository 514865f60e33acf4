import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { afterPartitions, databaseOfBefore, type DatabaseOfBefore } from './database-of-before.ts';

/* Rooms that neither a writer nor the job of the last release has counted are counted by the upgrade. */

let place: DatabaseOfBefore;
beforeEach(async () => {
  place = await databaseOfBefore('messaging', afterPartitions);
  // Three messages of each side; the student has read one. Nobody has counted.
  for (const statement of [
    `insert into room (uuid, student_id, teacher_id) select md5('r' || g)::uuid, g, 1000 from generate_series(1, 450) g`,
    `insert into message (room_uuid, sender_id, message, type, created_at)
     select uuid, case when n % 2 = 0 then student_id else teacher_id end, 'x', 'message', app_now()
     from room, generate_series(1, 6) n order by n`,
    'alter table room disable trigger user',
    `update room set student_unread = null, teacher_unread = null,
       student_last_id = (select max(id) from message where room_uuid = uuid and sender_id = student_id),
       teacher_last_id = (select max(id) from message where room_uuid = uuid and sender_id = teacher_id),
       student_read_id = (select min(id) from message where room_uuid = uuid and sender_id = teacher_id)`,
    'alter table room enable trigger user',
  ])
    await place.asOwner(statement);
});
afterEach(() => place.drop());

const uncounted = async () =>
  (await place.asOwner('select count(*)::int as rooms from room where student_unread is null'))[0]!['rooms'];

test('every room is counted, also one that is being written meanwhile', async () => {
  expect(await uncounted()).toBe(450);
  let upgrade: Promise<void> | undefined;
  await place.whileOwnerHas('select from room where student_id = 7 for update', async () => {
    upgrade = place.upgrade();
    await eventually('the others are counted', async () => (await uncounted()) === 1);
  });
  await upgrade;
  const counts = 'select distinct student_unread, teacher_unread from room';
  expect(await place.asOwner(counts)).toEqual([{ student_unread: 2, teacher_unread: 3 }]);
  const badges = `select user_id = 1000 as is_teacher, count(distinct user_id)::int as people, sum(messages)::int as unread
    from unread_share group by 1 order by 1`;
  expect(await place.asOwner(badges)).toEqual([
    { is_teacher: false, people: 450, unread: 900 },
    { is_teacher: true, people: 1, unread: 1_350 },
  ]);
});

test('the last release goes on: new rooms are counted from the start, and its job finds nothing to do', async () => {
  await place.upgrade();
  await place.asOwner(`insert into room (uuid, student_id, teacher_id) values (md5('new')::uuid, 5000, 1000)`);
  const job = `update room set student_unread = null where uuid = any(array(
    select uuid from room where student_unread is null order by student_id limit 200 for no key update skip locked)) returning 1`;
  expect([await place.asOwner(job), await uncounted()]).toEqual([[], 0]);
  await expect(place.asOwner('update room set student_unread = null')).rejects.toThrow('null value');
});
