import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FROM_SERIES, scansOfJobs } from '@tutoring/shared/testing/plans';
import { startTestService, type TestService } from '@tutoring/shared/testing/service';
import { calls } from '../src/app.ts';
import { callStats } from '../src/internal/internal-store.ts';
import { CALLS_ENV } from './scene.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(calls, { env: CALLS_ENV });
});
afterAll(() => service.stop());

test('no job, no query of daily figures and no search scans a whole growing table', async () => {
  const growing = {
    call: `(state, call_type, channel, student_id, teacher_id, service_id, ring_expires_at, settled)
      select 'missed', 'video', gen_random_uuid(), g, g, (select min(id) from service), app_now(), true ${FROM_SERIES}`,
    call_deadline: `(call_id, lapse_at, uncovered_at, open_at)
      select -g, 'infinity', 'infinity', 'infinity' ${FROM_SERIES}`,
    teacher_count: `(teacher_id, accepted) select g, 1 ${FROM_SERIES}`,
    low_balance: `(call_id, at) select id, app_now() from call`,
    refunds_copy: `select g, 1, 1 ${FROM_SERIES}`,
    user_copy: `select g, case when g < 1000 then 'teacher' else 'student' end, 'active', false, 'n', '', null, '{}', 0, '', null, false, app_now(), app_now(), 1,
      'u' || g || '@example.com', '+22890' || 100000 + g ${FROM_SERIES}`,
    block_copy: `select g, g + 1000000, true, 1 ${FROM_SERIES}`,
    room_copy: `select gen_random_uuid() ${FROM_SERIES}`,
    availability: `select g, 'UTC', 60, 0, '[]', '[]' ${FROM_SERIES}`,
    calendar_feed: `select g, 1 ${FROM_SERIES}`,
    booking: `(student_id, teacher_id, starts_at, ends_at, time_zone, call_type, status, asked)
      select g, g % 1000, app_now() + make_interval(hours => 48 + g), app_now() + make_interval(hours => 49 + g), 'UTC', 'video',
        'confirmed', 'teacher' ${FROM_SERIES}`,
    review: `(call_id, identifier, student_id, teacher_id, rating) select id, identifier, student_id, teacher_id, 5
      from call`,
    teacher_rating: `select g, 1, 5, 1 ${FROM_SERIES}`,
  };
  await service.asOwner(
    `insert into service (name, iterator, base_cost, iterator_cost) values ('X', 60, 1, 1) on conflict do nothing`,
  );
  const also = async () => {
    const days = await service.api.service('identity').get('/internal/stats/days?from=2025-01-01&to=2025-12-31');
    expect(days.body).toEqual([]);
    await callStats(service.service.database.manager);
    for (const path of [
      'bookings?state=upcoming',
      'bookings?state=past',
      'teachers/7/slots?from=2031-01-01&to=2031-01-31',
    ])
      expect((await service.api.student(7).get(`/api/${path}`)).status).toBe(200);
    expect((await service.api.student(7).get('/api/teachers/7/reviews')).status).toBe(200);
    for (const filter_value of ['u777@example', '+228 90 100 777', '0 100 777', 'nobody']) {
      const { body } = await service.api.admin().post('/api/admin/callsall', { filter_value });
      expect([filter_value, body.total]).toEqual([filter_value, filter_value === 'nobody' ? 0 : 1]);
    }
    // A search by id.
    expect((await service.api.admin().post('/api/admin/bookingsall', { filter_value: '7777' })).status).toBe(200);
  };
  expect(
    await scansOfJobs(service, {
      growing,
      also,
      small: ['service', 'plan_copy', 'setting_copy', 'call_tally', 'booking_tally', 'review_tally'],
    }),
  ).toEqual([]);
});
