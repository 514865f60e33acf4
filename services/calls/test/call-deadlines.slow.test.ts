import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { blocksReader } from '@tutoring/shared/testing/plans';
import { startTestService, type TestService } from '@tutoring/shared/testing/service';
import { calls } from '../src/app.ts';
import { lapse, type Moment } from '../src/call/life-cycle.ts';
import { CALLS_ENV } from './scene.ts';

let service: TestService;
let blocksOf: Awaited<ReturnType<typeof blocksReader>>;
beforeAll(async () => {
  service = await startTestService(calls, { env: CALLS_ENV });
  blocksOf = await blocksReader(service, (blocks) => Math.max(...blocks));
  await service.asOwner(`insert into service (name, iterator, base_cost, iterator_cost) values ('X', 60, 1, 1)`);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.asOwner('truncate call, low_balance');
  await service.asOwner('truncate call_deadline');
});

/** Begins calls that nothing is due of for an hour: ringing, talking with and without money left. */
const begin = (count: number) =>
  service.asOwner(
    `insert into call (state, call_type, channel, student_id, teacher_id, service_id, ring_expires_at, accepted_at,
       iterator, base_cost, iterator_cost, commission_percent, steps, steps_due, reserved)
     select case when g % 10 = 0 then 'ringing' else 'active' end, 'video', gen_random_uuid(), g, g,
       (select min(id) from service), at, case when g % 10 > 0 then app_now() end, 3600, 1, 1, 10, step, step, g % 2
     from generate_series(1, $1::int) g,
       lateral (select app_now() + interval '1 hour' as at, case when g % 10 > 0 then 1 else 0 end as step) as of_call`,
    [count],
  );

test.each([1_000, 50_000])('a tick of the jobs reads next to nothing beside %i live calls', async (count) => {
  await begin(count);
  await service.asOwner('vacuum analyze call, call_deadline');
  for (const name of ['lapse', 'uncovered-calls', 'settlement']) {
    const job = service.service.jobs.find((one) => one.name === name)!;
    expect(await blocksOf(/ from call.* skip locked/, () => job.run())).toBeLessThan(50);
  }
});

test.each(['lapse', 'uncovered-calls', 'settlement'])(
  'the statistics of an hour without live calls do not mislead the job %s',
  async (name) => {
    for (const table of ['call', 'call_deadline'])
      await service.asOwner(`alter table ${table} set (autovacuum_enabled = false)`);
    await begin(500);
    await service.asOwner(
      `update call set settled = true, state = case when accepted_at is null then 'missed' else 'ended' end`,
    );
    await service.asOwner('vacuum analyze call, call_deadline');
    await begin(3_000);
    const job = service.service.jobs.find((one) => one.name === name)!;
    expect(await blocksOf(/ from call.* skip locked/, () => job.run())).toBeLessThan(100);
  },
);

const CALL = `insert into call (call_type, channel, student_id, teacher_id, service_id, state, ring_expires_at, accepting_at,
    accepted_at, billed_at, iterator, base_cost, iterator_cost, commission_percent)
  select 'video', gen_random_uuid(), 1, 2, (select min(id) from service), state, '2026-01-01'::timestamptz + ring, 
    '2026-01-01'::timestamptz + accepting, '2026-01-01'::timestamptz + accepted, '2026-01-01'::timestamptz + billed,
    60, 1, 1, 10 from (values ($1::text, $2::interval, $3::interval, $4::interval, $5::interval))
    as given (state, ring, accepting, accepted, billed)`;

test.each<[string, string, string | null, string | null, string | null]>([
  ['ringing', '45 s', null, null, null],
  ['ringing', '45 s', '20 s', null, null],
  ['ringing', '45 s', '44 s', null, null],
  ['active', '45 s', '5 s', '6 s', null],
  ['active', '45 s', '5 s', '6 s', '67 s'],
])('a call lapses at its deadline, not before: %s, rings %s, %s, %s, billed %s', async (...columns) => {
  await service.shiftClock(-400 * 24 * 3_600);
  await service.asOwner(CALL, columns);
  const micros = (interval: string) => `(extract(epoch from ${interval}) * 1000000)::float8`;
  const moments = await service.asOwner(
    `select state, iterator, ${micros('ring_expires_at - at')} as ring_left_us, ${micros('at - accepting_at')} as accepting_us,
       ${micros('at - greatest(accepted_at, billed_at)')} as silent_us
     from call join call_deadline on id = call_id,
       lateral (values (lapse_at - interval '1 microsecond'), (lapse_at)) as moment (at) order by at`,
  );
  const over = columns[0] === 'ringing' ? 'missed' : 'silent';
  expect((moments as unknown as Moment[]).map(lapse)).toEqual([undefined, over]);
  await service.shiftClock(0);
});

test('a settled call has no deadline', async () => {
  await begin(10);
  await service.asOwner(`update call set state = 'missed', settled = true where state = 'ringing'`);
  const [left] = await service.rows<{ count: number }>('select count(*) from call_deadline');
  expect(left!.count).toBe(9);
});
