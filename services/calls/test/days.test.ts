import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { closeDays } from '../src/stats/stats-store.ts';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterEach(() => scene.service.shiftClock(0));
afterAll(async () => {
  await scene.stop();
});

const days = async (from: string, to: string) =>
  (await scene.service.api.service('identity').get(`/internal/stats/days?from=${from}&to=${to}`)).body;
const close = () => scene.service.service.database.autocommit((tx) => closeDays(tx, 2));
const closed = async () =>
  (await scene.service.rows<{ day: string }>('select day::text as day from call_day order by day')).map(
    ({ day }) => day,
  );

/** Ended calls, `seconds` long, that were accepted at these moments; no job settles them in the meantime. */
const insert = (accepted: string[], seconds: number, settled = true) =>
  scene.service.asOwner(`insert into call (state, call_type, channel, student_id, teacher_id, service_id,
      ring_expires_at, iterator, base_cost, iterator_cost, commission_percent, accepted_at, ended_at, total_duration,
      settled, retry_at)
    select 'ended', 'video', gen_random_uuid(), 1, 2, (select min(id) from service), at, 60, 0, 0, 0, at,
      at + interval '1 day', ${seconds}, ${settled}, 'infinity'
    from unnest(array['${accepted.join("','")}']::timestamptz[]) as at`);

test('the counts per UTC day are exact before and after the day is closed', async () => {
  await insert(
    ['2026-01-01T00:00:00Z', '2026-01-01T23:59:59.999999Z', '2026-01-02T00:00:00Z', '2026-01-05T12:00:00Z'],
    61,
  );
  await insert(['2026-01-03T12:00:00Z'], 100, false);
  const told = [
    { date: '2026-01-01', calls: 2, seconds: 122 },
    { date: '2026-01-02', calls: 1, seconds: 61 },
    { date: '2026-01-03', calls: 1, seconds: 100 },
    { date: '2026-01-05', calls: 1, seconds: 61 },
  ];
  expect(await days('2025-12-30', '2026-01-10')).toEqual(told);
  expect(await close()).toBe(true);
  expect((await closed()).slice(0, 2)).toEqual(['2026-01-01', '2026-01-02']);
  while (await close());
  expect((await closed()).slice(0, 4)).toEqual(['2026-01-01', '2026-01-02', '2026-01-04', '2026-01-05']);
  expect(await days('2025-12-30', '2026-01-10')).toEqual(told);
  expect(await days('2026-01-02', '2026-01-02')).toEqual([told[1]]);
  // The call that settles late becomes shorter; its day was left open.
  await scene.service.asOwner(
    `update call set total_duration = 40, settled = true where not settled and total_duration = 100`,
  );
  while (await close());
  expect(await closed()).toContain('2026-01-03');
  expect(await days('2026-01-03', '2026-01-03')).toEqual([{ date: '2026-01-03', calls: 1, seconds: 40 }]);
});

test('today is counted at once and stays open', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const party = scene.party();
  const { identifier, channel } = await scene.begin(party);
  await scene.service.shiftClock(30);
  await scene.end('student', party, identifier, channel);
  while (await close());
  expect(await closed()).not.toContain(today);
  const accepted = String((await scene.row(identifier))['accepted_at']).slice(0, 10);
  expect(await days(accepted, accepted)).toEqual([{ date: accepted, calls: 1, seconds: 30 }]);
});
