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
  // The running service may have planned one run before the tables were analysed.
  blocksOf = await blocksReader(service, (blocks) => Math.min(...blocks));
  await service.asOwner(`insert into service (name, iterator, base_cost, iterator_cost) values ('X', 60, 1, 1)`);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.asOwner('truncate call, low_balance, booking, review');
  await service.asOwner('truncate call_deadline');
});

/** The jobs, each with the column of its deadline. */
const JOBS = [
  ['lapse', 'lapse_at'],
  ['uncovered-calls', 'uncovered_at'],
  ['settlement', 'open_at'],
] as const;
const blocksOfTick = (name: string, deadline: string) =>
  blocksOf(new RegExp(`order by ${deadline}`), () => service.runJob(name));

/** Inserts calls without a deadline within the next hour: ringing ones, and active ones with and without money left. */
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

test.each([1_000, 50_000])('a run of the jobs reads few blocks with %i live calls', async (count) => {
  await begin(count);
  await vacuum(service, 'call, call_deadline');
  for (const [name, deadline] of JOBS) expect(await blocksOfTick(name, deadline)).toBeLessThan(50);
});

test.each(JOBS)(
  'the job %s reads few blocks even with statistics from a time without live calls',
  async (name, deadline) => {
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
  },
);

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
    ['are the ring time-out while the call rings', ringing, { lapse_at: at(45), uncovered_at: null, open_at: null }],
    [
      'are the silence of a participant while the call is active and paid',
      active,
      { lapse_at: at(130), uncovered_at: null, open_at: null },
    ],
    [
      'include the time of the next step when the hold does not cover it',
      { ...active, reserved: 4 },
      { lapse_at: at(130), uncovered_at: at(130), open_at: null },
    ],
    [
      'are only the silence of a participant before the first step is charged',
      { ...active, steps: 0, steps_due: 0, reserved: 0 },
      { lapse_at: at(130), uncovered_at: null, open_at: null },
    ],
    [
      'include now when a due step has no lease holder',
      { ...active, steps_due: 3, reserved: 4 },
      { lapse_at: at(130), uncovered_at: null, open_at: '-infinity' },
    ],
    [
      'include the expiry of the lease when a due step has a lease holder',
      { ...active, steps_due: 3, leased_until: at(80) },
      { lapse_at: at(130), uncovered_at: null, open_at: at(80) },
    ],
    ['are now after the end of the call', ended, { lapse_at: null, uncovered_at: null, open_at: '-infinity' }],
    [
      'are the time of the retry after the end of the call and an outage of wallet',
      { ...ended, leased_until: at(80), retry_at: at(81) },
      { lapse_at: null, uncovered_at: null, open_at: at(81) },
    ],
    ['do not exist when the call is settled', { ...ended, settled: true }, undefined],
  ])('%s', (_name, call, deadlines) => expect(deadlinesOf(call)).toEqual(deadlines));
});
