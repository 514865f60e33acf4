import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { blocksReader, vacuum } from '@tutoring/shared/testing/plans';
import { startTestService, type TestService } from '@tutoring/shared/testing/service';
import { calls } from '../src/app.ts';
import { deadlinesOf, addMicroseconds, SECOND_US, type Call } from '../src/call/call.ts';
import { CALLS_ENV } from './scene.ts';

let service: TestService;
let blocksOf: Awaited<ReturnType<typeof blocksReader>>;
beforeAll(async () => {
  service = await startTestService(calls, { env: CALLS_ENV });
  // A tick of the running service may still have been planned before the tables were analysed.
  blocksOf = await blocksReader(service, (blocks) => Math.min(...blocks));
  await service.asOwner(`insert into service (name, iterator, base_cost, iterator_cost) values ('X', 60, 1, 1)`);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.asOwner('truncate call, low_balance, booking, review');
  await service.asOwner('truncate call_deadline');
});

/** The jobs and the deadline that each looks for. */
const JOBS = [
  ['lapse', 'lapse_at'],
  ['uncovered-calls', 'uncovered_at'],
  ['settlement', 'open_at'],
] as const;
const blocksOfTick = (name: string, deadline: string) =>
  blocksOf(new RegExp(`order by ${deadline}`), () => service.runJob(name));

/** Begins calls that nothing is due of for an hour: ringing, talking with and without money left. */
const begin = (count: number) =>
  service.asOwner(
    `with begun as (insert into call (state, call_type, channel, student_id, teacher_id, service_id, ring_expires_at, accepted_at,
       iterator, base_cost, iterator_cost, commission_percent, steps, steps_due, reserved)
     select case when g % 10 = 0 then 'ringing' else 'active' end, 'video', gen_random_uuid(), g, g,
       (select min(id) from service), at, case when g % 10 > 0 then app_now() end, 3600, 1, 1, 10, step, step, g % 2
     from generate_series(1, $1::int) g,
       lateral (select app_now() + interval '1 hour' as at, case when g % 10 > 0 then 1 else 0 end as step) as of_call
     returning *)
     insert into call_deadline (call_id, lapse_at, uncovered_at)
     select id, app_now() + interval '1 hour', case when state = 'active' and reserved = 0 then app_now() + interval '1 hour' end
     from begun`,
    [count],
  );

test.each([1_000, 50_000])('a tick of the jobs reads next to nothing beside %i live calls', async (count) => {
  await begin(count);
  await vacuum(service, 'call, call_deadline');
  for (const [name, deadline] of JOBS) expect(await blocksOfTick(name, deadline)).toBeLessThan(50);
});

test.each(JOBS)('the statistics of an hour without live calls do not mislead the job %s', async (name, deadline) => {
  for (const table of ['call', 'call_deadline'])
    await service.asOwner(`alter table ${table} set (autovacuum_enabled = false)`);
  await begin(500);
  await service.asOwner('delete from call_deadline');
  await service.asOwner(
    `update call set settled = true, state = case when accepted_at is null then 'missed' else 'ended' end`,
  );
  await vacuum(service, 'call, call_deadline');
  await begin(3_000);
  expect(await blocksOfTick(name, deadline)).toBeLessThan(100);
});

describe('the deadlines of a call', () => {
  const at = (second: number) => addMicroseconds('2026-01-01T00:00:00.000000Z', second * SECOND_US);
  const ringing = {
    ...{ state: 'ringing', ring_expires_at: at(45), accepting_at: null, accepted_at: null, billed_at: null },
    ...{ iterator: 60, base_cost: 1, iterator_cost: 5, commission_percent: 10, steps: 0, steps_due: 0, reserved: 0 },
    ...{ settled: false, leased_until: null, retry_at: null },
  } as Call;
  const active: Call = { ...ringing, state: 'active', accepted_at: at(10), steps: 2, steps_due: 2, reserved: 5 };
  const ended: Call = { ...active, state: 'ended' };

  test.each<[string, Call, ReturnType<typeof deadlinesOf>]>([
    ['while it rings: the time-out', ringing, { lapse_at: at(45), uncovered_at: null, open_at: null }],
    ['while it runs and is paid: silence', active, { lapse_at: at(130), uncovered_at: null, open_at: null }],
    [
      'when the hold does not cover the next step: when that is due',
      { ...active, reserved: 4 },
      { lapse_at: at(130), uncovered_at: at(130), open_at: null },
    ],
    [
      'before the first step is charged: silence alone',
      { ...active, steps: 0, steps_due: 0, reserved: 0 },
      { lapse_at: at(130), uncovered_at: null, open_at: null },
    ],
    [
      'when a step is due that nobody charges: at once',
      { ...active, steps_due: 3, reserved: 4 },
      { lapse_at: at(130), uncovered_at: null, open_at: '-infinity' },
    ],
    [
      'when somebody charges it: the end of his lease',
      { ...active, steps_due: 3, leased_until: at(80) },
      { lapse_at: at(130), uncovered_at: null, open_at: at(80) },
    ],
    ['after its end: at once', ended, { lapse_at: null, uncovered_at: null, open_at: '-infinity' }],
    [
      'after its end, when wallet was away: the next try',
      { ...ended, leased_until: at(80), retry_at: at(81) },
      { lapse_at: null, uncovered_at: null, open_at: at(81) },
    ],
    ['when it is settled: none', { ...ended, settled: true }, undefined],
  ])('%s', (_name, call, deadlines) => expect(deadlinesOf(call)).toEqual(deadlines));
});
