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

test('a teacher has no hours until they are said, and then these', async () => {
  const { teacher } = scene.party();
  const none = { time_zone: 'UTC', slot_minutes: 60, min_notice_minutes: 0, weekly: [], exceptions: [] };
  expect((await of(teacher).get('/api/me/availability')).body).toEqual(none);
  expect((await free(teacher, '2031-03-30', '2031-03-31')).body).toEqual([]);
  for (const hours of [HOURS, { ...HOURS, weekly: [] }, HOURS]) {
    const saved = await of(teacher).put('/api/me/availability', hours);
    expect([saved.status, saved.body]).toEqual([200, hours]);
    // The keys too are in the order in which they were declared.
    expect((await of(teacher).get('/api/me/availability')).text).toBe(JSON.stringify(hours));
  }
  // 2031-03-30 is the Sunday of the change: 01:00 in winter, 03:00 in summer; the Monday is taken away.
  expect((await free(teacher, '2031-03-30', '2031-04-06')).body).toEqual(
    ['2031-03-30T00', '2031-03-30T01', '2031-04-05T23', '2031-04-06T00', '2031-04-06T01'].map((hour) => ({
      starts_at: `${hour}:00:00.000000Z`,
      ends_at: new Date(Date.parse(`${hour}:00:00Z`) + 3_600_000).toISOString().replace('Z', '000Z'),
    })),
  );
});

test('what begins sooner than the notice is not free', async () => {
  const { teacher } = scene.party();
  const every = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }));
  const hours = { ...HOURS, time_zone: 'UTC', weekly: every, exceptions: [], min_notice_minutes: 24 * 60 };
  await of(teacher).put('/api/me/availability', hours);
  const [now] = await scene.service.rows<{ at: Date }>('select app_now() as at');
  const today = Date.parse(String(now!.at));
  const day = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10);
  const slots = (await free(teacher, day(0), day(2))).body as { starts_at: string }[];
  expect(slots[0]!.starts_at >= new Date(today + 86_400_000).toISOString()).toBe(true);
  // The whole day after tomorrow, and what is left of tomorrow: nothing in its last hour.
  expect(slots.length).toBeGreaterThanOrEqual(24);
});

describe('is refused', () => {
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
  ])('%j', async (changes, fields) => {
    expect(await wrong(changes)).toEqual([422, fields]);
  });

  test('a time zone that there is not, as Laravel says it', async () => {
    const zone = { ...HOURS, time_zone: 'Mars/Olympus' };
    const { body } = await of(scene.party().teacher).put('/api/me/availability', zone);
    expect(body).toMatchObject({ message: 'The time zone field must be a valid timezone.' });
  });

  test.each([
    ['from=2031-01-01', ['to']],
    ['from=2031-01-02&to=2031-01-01', ['to']],
    ['from=2031-01-01&to=2031-02-01', ['to']],
    ['from=yesterday&to=2031-01-01', ['from']],
  ])('slots of %s', async (query, fields) => {
    const answer = await scene.service.api.student(1).get(`/api/teachers/${scene.party().teacher}/slots?${query}`);
    expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([422, fields]);
  });

  test('for students, and slots of who is no teacher', async () => {
    const { student } = scene.party();
    expect((await scene.service.api.student(student).get('/api/me/availability')).status).toBe(403);
    for (const id of [student, 999_999]) expect((await free(id, '2031-01-01', '2031-01-31')).status).toBe(404);
  });
});
