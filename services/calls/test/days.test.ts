import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { rowsRead } from '@tutoring/shared/testing/plans';
import { callDays, callStats } from '../src/internal/internal-store.ts';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterEach(() => scene.service.shiftClock(0));
afterAll(async () => {
  await scene.stop();
});

/** The figures of a day without bookings and reviews. */
const NONE = { bookings: 0, confirmed_bookings: 0, missed_bookings: 0, reviews: 0, stars: 0 };
const days = async (from: string, to: string) =>
  (await scene.service.api.service('identity').get(`/internal/stats/days?from=${from}&to=${to}`)).body;

/** Inserts ended calls of `seconds`, accepted at the times that the SQL `accepted` selects; no job settles them. */
const insert = (accepted: string, seconds: number, settled = true) =>
  scene.service.asOwner(`insert into call (state, call_type, channel, student_id, teacher_id, service_id,
      ring_expires_at, iterator, base_cost, iterator_cost, commission_percent, accepted_at, ended_at, total_duration,
      settled, retry_at)
    select 'ended', 'video', gen_random_uuid(), 1, 2, (select min(id) from service), at, 60, 0, 0, 0, at,
      at + interval '1 day', ${seconds}, ${settled}, 'infinity' from (${accepted}) as moment(at)`);
const each = (moments: string[]) => `select unnest(array['${moments.join("','")}']::timestamptz[])`;

async function expectExactFigures() {
  const { manager } = scene.service.service.database;
  const [counted] = await scene.service.rows(
    `select count(*) filter (where accepted_at is not null) as count,
       coalesce(sum(total_duration) filter (where accepted_at is not null), 0)::bigint as seconds,
       count(*) filter (where state = 'active') as active from call`,
  );
  expect(await callStats(manager)).toEqual(counted);
  const byDay = await scene.service.rows<{ date: string; calls: number; seconds: number }>(
    `select (accepted_at at time zone 'UTC')::date::text as date, count(*) as calls,
       coalesce(sum(total_duration), 0)::bigint as seconds
     from call where accepted_at is not null group by 1 order by 1`,
  );
  expect(await callDays(manager, { from: '2020-01-01', to: '2099-12-31' })).toEqual(
    byDay.map((day) => ({ ...day, ...NONE })),
  );
}

test('the figures per UTC day are exact, also when a call is settled late', async () => {
  await insert(
    each(['2026-01-01T00:00:00Z', '2026-01-01T23:59:59.999999Z', '2026-01-02T00:00:00Z', '2026-01-05T12:00:00Z']),
    61,
  );
  await insert(each(['2026-01-03T12:00:00Z']), 100, false);
  const expected = [
    { date: '2026-01-01', calls: 2, seconds: 122, ...NONE },
    { date: '2026-01-02', calls: 1, seconds: 61, ...NONE },
    { date: '2026-01-03', calls: 1, seconds: 100, ...NONE },
    { date: '2026-01-05', calls: 1, seconds: 61, ...NONE },
  ];
  expect(await days('2025-12-30', '2026-01-10')).toEqual(expected);
  expect(await days('2026-01-02', '2026-01-02')).toEqual([expected[1]]);
  await scene.service.asOwner(
    `update call set total_duration = 40, settled = true where not settled and total_duration = 100`,
  );
  expect(await days('2026-01-03', '2026-01-03')).toEqual([{ date: '2026-01-03', calls: 1, seconds: 40, ...NONE }]);
});

test('a call counts as active while it is, and in the figures of its day', async () => {
  const party = scene.party();
  const { identifier, channel, lasted } = await scene.begin(party);
  expect((await callStats(scene.service.service.database.manager)).active).toBe(1);
  await expectExactFigures();
  await scene.service.shiftClock(30);
  await scene.end('student', party, identifier, channel);
  const accepted = String((await scene.row(identifier))['accepted_at']).slice(0, 10);
  expect(await days(accepted, accepted)).toEqual([{ date: accepted, calls: 1, seconds: lasted(30), ...NONE }]);
  await expectExactFigures();
});

test('bookings are counted by their status, and reviews unless they are hidden', async () => {
  const at = (day: string) => `2024-05-${day}T12:00:00Z`;
  const booked = ['confirmed', 'done', 'missed', 'requested', 'canceled'].map(
    (status, nr) =>
      `(${nr}, 2, '2024-06-0${nr + 1}', '2024-06-0${nr + 1} 01:00', 'UTC', 'video', '${status}', 'teacher', '${at('01')}')`,
  );
  await scene.service.asOwner(`insert into booking
      (student_id, teacher_id, starts_at, ends_at, time_zone, call_type, status, asked, created_at) values ${booked.join()}`);
  await insert(each([at('02'), at('02'), at('02')]), 60);
  await scene.service
    .asOwner(`insert into review (call_id, identifier, student_id, teacher_id, rating, hidden, created_at)
    select id, identifier, 1, 2, 2 + row_number() over (order by id), row_number() over (order by id) = 1, '${at('03')}'
    from call where accepted_at = '${at('02')}'`);
  expect(await days('2024-05-01', '2024-05-31')).toEqual([
    { date: '2024-05-01', calls: 0, seconds: 0, ...NONE, bookings: 5, confirmed_bookings: 2, missed_bookings: 1 },
    { date: '2024-05-02', calls: 3, seconds: 180, ...NONE },
    { date: '2024-05-03', calls: 0, seconds: 0, ...NONE, reviews: 2, stars: 9 },
  ]);
  await scene.service.asOwner(`update review set hidden = true where created_at = '${at('03')}'`);
  expect(await days('2024-05-03', '2024-05-03')).toEqual([]);
  await scene.service.asOwner(`delete from booking where created_at = '${at('01')}'`);
});

test('fifty concurrent changes of calls are counted exactly', async () => {
  await insert(`select timestamptz '2026-02-01' + g * interval '1 hour' from generate_series(1, 50) g`, 10, false);
  await Promise.all(
    Array.from({ length: 50 }, (_, nr) =>
      scene.service.asOwner(
        `update call set total_duration = total_duration + id where id % 50 = ${nr} and total_duration is not null`,
      ),
    ),
  );
  await expectExactFigures();
});

test('the figures are read without the rows of 100,000 calls', async () => {
  await insert(`select timestamptz '2026-03-01' + g * interval '1 minute' from generate_series(1, 100000) g`, 10);
  expect(await rowsRead(scene.service, 'call', callStats)).toBe(0);
  expect(await rowsRead(scene.service, 'call', (tx) => callDays(tx, { from: '2026-03-01', to: '2026-12-31' }))).toBe(0);
  await expectExactFigures();
});
