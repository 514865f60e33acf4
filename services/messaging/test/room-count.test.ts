import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsRead } from '@tutoring/shared/testing/plans';
import { recountInSteps } from '@tutoring/shared/testing/tally';
import { countAll, roomBacklog } from '../src/stats/stats-store.ts';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

let people = 0;
const open = (createdAt = 'now') =>
  messaging.service.asOwner('insert into room (uuid, student_id, teacher_id, created_at) values ($1, $2, 1, $3)', [
    randomUUID(),
    (people += 1),
    createdAt,
  ]);
const told = async () => (await messaging.service.api.service('identity').get('/internal/stats')).body.rooms;
const counted = async () => (await messaging.service.rows<{ n: number }>('select count(*) as n from room'))[0]!.n;

test('fifty rooms that are opened at once are all counted', async () => {
  await Promise.all(Array.from({ length: 50 }, () => open()));
  expect(await told()).toBe(50);
});

test('rooms from before the counter are counted in steps, exact in between, while others are opened', async () => {
  const between = async () => {
    await open();
    expect(await told()).toBe(await counted());
  };
  const [table, last] = ['room', `'ffffffff-ffff-ffff-ffff-ffffffffffff'`];
  await recountInSteps(messaging.service, { backlog: roomBacklog, table, last, step: 10, between });
});

test('rooms that are opened after the database’s clock has gone back are counted once', async () => {
  const between = async () => {
    for (let room = 0; room < 5; room += 1) await open('yesterday');
    expect(await told()).toBe(await counted());
  };
  const [table, last] = ['room', `'ffffffff-ffff-ffff-ffff-ffffffffffff'`];
  await recountInSteps(messaging.service, { backlog: roomBacklog, table, last, step: 30, between });
});

test('the number of rooms reads none of 100,000', async () => {
  await messaging.service.asOwner(
    `insert into room (uuid, student_id, teacher_id) select gen_random_uuid(), g, 2 from generate_series(1, 100000) g`,
  );
  expect(await rowsRead(messaging.service, 'room', countAll)).toBe(0);
  expect(await told()).toBe(await counted());
});
