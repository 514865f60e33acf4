import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsRead } from '@tutoring/shared/testing/plans';
import { countAll } from '../src/stats/stats-store.ts';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

let people = 0;
const open = () =>
  messaging.service.asOwner('insert into room (uuid, student_id, teacher_id) values ($1, $2, 1)', [
    randomUUID(),
    (people += 1),
  ]);
const reported = async () => (await messaging.service.api.service('identity').get('/internal/stats')).body.rooms;
const stored = async () => (await messaging.service.rows<{ n: number }>('select count(*) as n from room'))[0]!.n;

test('fifty rooms that are opened concurrently are all counted', async () => {
  await Promise.all(Array.from({ length: 50 }, () => open()));
  expect(await reported()).toBe(50);
});

test('the number of rooms is found without reading the 100,000 rooms', async () => {
  await messaging.service.asOwner(
    `insert into room (uuid, student_id, teacher_id) select gen_random_uuid(), g, 2 from generate_series(1, 100000) g`,
  );
  expect(await rowsRead(messaging.service, 'room', countAll)).toBe(0);
  expect(await reported()).toBe(await stored());
});
