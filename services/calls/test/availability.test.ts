import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

const HOURS = {
  time_zone: 'Europe/Paris',
  slot_minutes: 60,
  min_notice_minutes: 0,
  weekly: [
    { day: 7, from: '01:00', to: '04:00' },
    { day: 1, from: '09:00', to: '10:30' },
  ],
  exceptions: [{ date: '2031-03-31', from: '09:00', to: '24:00', available: false }],
};
const of = (teacher: number) => scene.service.api.teacher(teacher);
const free = (teacher: number, from: string, to: string) =>
  scene.service.api.student(1).get(`/api/teachers/${teacher}/slots?from=${from}&to=${to}`);

test('a teacher has no hours at first, and then the saved ones', async () => {
  const { teacher } = scene.party();
  const none = { time_zone: 'UTC', slot_minutes: 60, min_notice_minutes: 0, weekly: [], exceptions: [] };
  expect((await of(teacher).get('/api/me/availability')).body).toEqual(none);
  expect((await free(teacher, '2031-03-30', '2031-03-31')).body).toEqual([]);
  for (const hours of [HOURS, { ...HOURS, weekly: [] }, HOURS]) {
    const saved = await of(teacher).put('/api/me/availability', hours);
    expect([saved.status, saved.body]).toEqual([200, hours]);
    // The keys are in the declared order.
    expect((await of(teacher).get('/api/me/availability')).text).toBe(JSON.stringify(hours));
  }
  // The clock changes on 2031-03-30, a Sunday: 01:00 is winter time, 03:00 summer time. An exception removes the
  // Monday.
  expect((await free(teacher, '2031-03-30', '2031-04-06')).body).toEqual(
    ['2031-03-30T00', '2031-03-30T01', '2031-04-05T23', '2031-04-06T00', '2031-04-06T01'].map((hour) => ({
      starts_at: `${hour}:00:00.000000Z`,
      ends_at: new Date(Date.parse(`${hour}:00:00Z`) + 3_600_000).toISOString().replace('Z', '000Z'),
    })),
  );
});

test('slots within the minimum notice are not free', async () => {
  const { teacher } = scene.party();
  const every = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }));
  const hours = { ...HOURS, time_zone: 'UTC', weekly: every, exceptions: [], min_notice_minutes: 24 * 60 };
  await of(teacher).put('/api/me/availability', hours);
  const [now] = await scene.service.rows<{ at: Date }>('select app_now() as at');
  const today = Date.parse(String(now!.at));
  const day = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10);
  const slots = (await free(teacher, day(0), day(2))).body as { starts_at: string }[];
  expect(slots[0]!.starts_at >= new Date(today + 86_400_000).toISOString()).toBe(true);
  // The whole day after tomorrow, and the rest of tomorrow, which may have no slot.
  expect(slots.length).toBeGreaterThanOrEqual(24);
});

describe('a time zone', () => {
  test.each([
    ['europe/paris', 'Europe/Paris'],
    ['AMERICA/ARGENTINA/BUENOS_AIRES', 'America/Argentina/Buenos_Aires'],
    ['asia/calcutta', 'Asia/Calcutta'],
    ['utc', 'UTC'],
    ['us/pacific', 'US/Pacific'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('%s is stored as %s', async (given, stored) => {
    const { teacher } = scene.party();
    const saved = await of(teacher).put('/api/me/availability', { ...HOURS, time_zone: given });
    expect([saved.status, saved.body]).toEqual([200, { ...HOURS, time_zone: stored }]);
    expect((await of(teacher).get('/api/me/availability')).body).toEqual({ ...HOURS, time_zone: stored });
    expect((await free(teacher, '2031-03-01', '2031-03-31')).status).toBe(200);
  });

  test.each(['IST', 'PST', 'EAT', 'JST', 'ACT', 'SystemV/PST8PDT', 'Mars/Olympus', '+01:00', 'Z', 'Etc/Unknown', 'a'])(
    '%s is refused because Temporal does not know it',
    async (time_zone) => {
      const { status, body } = await of(scene.party().teacher).put('/api/me/availability', { ...HOURS, time_zone });
      expect([status, body]).toMatchObject([
        422,
        { errors: { time_zone: ['The time zone field must be a valid timezone.'] } },
      ]);
    },
  );

  test.each(['IST', 'Mars/Olympus', ''])('%j that an older release stored causes no error', async (time_zone) => {
    const { student, teacher } = scene.party();
    await of(teacher).put('/api/me/availability', HOURS);
    await scene.service.rows('update availability set time_zone = $2 where teacher_id = $1', [teacher, time_zone]);
    const made = await scene.service.rows<{ id: number }>(
      `insert into booking (student_id, teacher_id, starts_at, ends_at, time_zone, call_type, status, asked)
       values ($1, $2, app_now() + interval '30 days', app_now() + interval '30 days 1 hour', $3, 'video', 'confirmed',
         'teacher') returning id`,
      [student, teacher, time_zone],
    );
    expect((await free(teacher, '2031-03-30', '2031-04-06')).body).toEqual([]);
    expect((await of(teacher).get('/api/me/availability')).body).toMatchObject({ time_zone });
    const wish = {
      teacher_id: teacher,
      minutes: 60,
      call_type: 'video',
      starts_at: new Date(Date.now() + 864e5).toISOString(),
    };
    expect((await scene.service.api.student(student).post('/api/bookings', wish)).status).toBe(409);
    expect((await scene.service.api.student(student).get('/api/bookings')).body).toMatchObject([{ id: made[0]!.id }]);
    const all = await scene.service.api.admin().post('/api/admin/bookingsall', { user_id: teacher });
    expect(all.body).toMatchObject({ data: [{ time_zone }] });
    const later = { starts_at: wish.starts_at };
    expect((await of(teacher).post(`/api/bookings/${made[0]!.id}/reschedule`, later)).status).toBe(409);
    expect((await of(teacher).post(`/api/bookings/${made[0]!.id}/cancel`)).status).toBe(200);
  });
});

describe('cached slots', () => {
  const every = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }));
  const hours = { ...HOURS, time_zone: 'UTC', weekly: every, exceptions: [] };
  const times = async (teacher: number) =>
    ((await free(teacher, '2031-03-01', '2031-03-02')).body as { starts_at: string }[]).map(
      ({ starts_at }) => starts_at,
    );

  test('depend on the hours, the bookings and the teacher', async () => {
    const { student, teacher } = scene.party();
    await of(teacher).put('/api/me/availability', hours);
    for (let repeat = 0; repeat < 2; repeat += 1) expect(await times(teacher)).toHaveLength(48);
    await scene.service.rows(
      `insert into booking (student_id, teacher_id, starts_at, ends_at, time_zone, call_type, status, asked)
       values ($1, $2, '2031-03-01T23:30Z', '2031-03-02T01:00Z', 'UTC', 'video', 'requested', 'teacher')`,
      [student, teacher],
    );
    expect(await times(teacher)).toHaveLength(46);
    await of(teacher).put('/api/me/availability', { ...hours, slot_minutes: 30 });
    expect(await times(teacher)).toHaveLength(93);
    expect(await times(scene.party().teacher)).toEqual([]);
  });
});

describe('a request is refused', () => {
  const wrong = async (changes: object) => {
    const { status, body } = await of(scene.party().teacher).put('/api/me/availability', { ...HOURS, ...changes });
    return [status, Object.keys((body as { errors: object }).errors)];
  };

  test.each([
    [{ time_zone: 'Mars/Olympus' }, ['time_zone']],
    [{ time_zone: '+01:00' }, ['time_zone']],
    [{ slot_minutes: 0, min_notice_minutes: -1 }, ['slot_minutes', 'min_notice_minutes']],
    [{ weekly: undefined, exceptions: undefined }, ['weekly', 'exceptions']],
    [{ weekly: [{ day: 8, from: '9:00', to: '24:01' }] }, ['weekly.0.day', 'weekly.0.from', 'weekly.0.to']],
    [{ weekly: [{ day: 1, from: '10:00', to: '10:00' }] }, ['weekly.0.to']],
    [{ weekly: [...HOURS.weekly, { day: 1, from: '10:00', to: '11:00' }] }, ['weekly.2.from']],
    [{ exceptions: [{ date: '2031-02-29', from: '09:00', to: '10:00', available: true }] }, ['exceptions.0.date']],
    [{ exceptions: [...HOURS.exceptions, { ...HOURS.exceptions[0], available: true }] }, ['exceptions.1.from']],
  ])('to save the hours %j', async (changes, fields) => {
    expect(await wrong(changes)).toEqual([422, fields]);
  });

  test('with the message of Laravel for an unknown time zone', async () => {
    const zone = { ...HOURS, time_zone: 'Mars/Olympus' };
    const { body } = await of(scene.party().teacher).put('/api/me/availability', zone);
    expect(body).toMatchObject({ message: 'The time zone field must be a valid timezone.' });
  });

  test.each([
    ['from=2031-01-01', ['to']],
    ['from=2031-01-02&to=2031-01-01', ['to']],
    ['from=2031-01-01&to=2031-02-01', ['to']],
    ['from=yesterday&to=2031-01-01', ['from']],
  ])('for the slots of %s', async (query, fields) => {
    const answer = await scene.service.api.student(1).get(`/api/teachers/${scene.party().teacher}/slots?${query}`);
    expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([422, fields]);
  });

  test('to read the hours as a student, and to read slots of a user who is not a teacher', async () => {
    const { student } = scene.party();
    expect((await scene.service.api.student(student).get('/api/me/availability')).status).toBe(403);
    for (const id of [student, 999_999]) expect((await free(id, '2031-01-01', '2031-01-31')).status).toBe(404);
  });
});
