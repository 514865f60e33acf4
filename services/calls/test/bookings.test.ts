import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { at, idOf, startLessons, type Lessons } from './lessons.ts';
import { person, type Party } from './scene.ts';

let lessons: Lessons;
beforeAll(async () => {
  lessons = await startLessons();
});
afterAll(() => lessons.stop());

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const student = (parties: Party) => lessons.student(parties);
const teacher = (parties: Party) => lessons.teacher(parties);
const pair = () => lessons.pair();
const book = (...given: Parameters<Lessons['book']>) => lessons.book(...given);
/** Names of the live events about a booking that a participant received, in order. */
const liveEventNames = async (user: number, id: number) =>
  (await lessons.liveEventsTo(user, id)).map(({ event }) => event);

describe('a booking', () => {
  test('is requested, confirmed and listed', async () => {
    const parties = await pair();
    const made = await book(parties, '2031-05-01T09:00', { note: 'Fractions' });
    const { id } = made.body as { id: number };
    const expected = {
      id,
      student_id: parties.student,
      teacher_id: parties.teacher,
      student_name: `student ${parties.student}`,
      teacher_name: `teacher ${parties.teacher}`,
      starts_at: at('2031-05-01T09:00'),
      ends_at: at('2031-05-01T10:00'),
      proposed_starts_at: null,
      call_type: 'video',
      note: 'Fractions',
      status: 'requested',
      created_at: ISO,
      updated_at: ISO,
    };
    expect([made.status, made.body]).toEqual([200, { ...expected, updated_at: made.body.created_at }]);
    expect((await student(parties).post(`/api/bookings/${id}/confirm`)).status).toBe(403);
    for (let times = 0; times < 2; times += 1)
      expect((await teacher(parties).post(`/api/bookings/${id}/confirm`)).body).toEqual({
        ...expected,
        status: 'confirmed',
      });
    for (const who of [student, teacher])
      for (const query of ['', '?state=upcoming'])
        expect((await who(parties).get(`/api/bookings${query}`)).body).toEqual([{ ...expected, status: 'confirmed' }]);
    expect((await teacher(parties).post(`/api/bookings/${id}/decline`)).status).toBe(409);
    expect((await student(parties).get('/api/bookings?state=past')).body).toEqual([]);
  });

  test('is published to both participants at each change', async () => {
    const parties = await pair();
    const id = idOf(await book(parties, '2031-05-02T09:00'));
    await teacher(parties).post(`/api/bookings/${id}/reschedule`, { starts_at: at('2031-05-02T11:00') });
    await student(parties).post(`/api/bookings/${id}/confirm`);
    await student(parties).post(`/api/bookings/${id}/cancel`, { reason: 'I am ill.' });
    const other = idOf(await book(parties, '2031-05-02T09:00'));
    await teacher(parties).post(`/api/bookings/${other}/decline`);
    for (const user of Object.values(parties)) {
      const turns = ['requested', 'rescheduled', 'confirmed', 'canceled'].map((turn) => `booking.${turn}`);
      expect(await liveEventNames(user, id)).toEqual(turns);
      expect(await liveEventNames(user, other)).toEqual(['booking.requested', 'booking.declined']);
      const reason = (await lessons.liveEventsTo(user, id)).map(({ data }) => data['reason']);
      expect(reason).toEqual([undefined, undefined, undefined, 'I am ill.']);
    }
    const toStudent = { to: [{ user_id: parties.student, from: `teacher ${parties.teacher}` }] };
    const toTeacher = { to: [{ user_id: parties.teacher, from: `student ${parties.student}` }] };
    expect(await lessons.announced(id)).toMatchObject([
      { turn: 'requested', ...toTeacher, starts_at: at('2031-05-02T09:00'), time_zone: 'UTC' },
      { turn: 'rescheduled', ...toStudent, starts_at: at('2031-05-02T11:00') },
      { turn: 'confirmed', ...toTeacher },
      { turn: 'canceled', ...toTeacher, reason: 'I am ill.' },
    ]);
    for (const path of ['confirm', 'decline', 'cancel'])
      expect((await teacher(parties).post(`/api/bookings/${id}/${path}`)).status).toBe(409);
    const past = (await student(parties).get('/api/bookings?state=past')).body as { id: number; status: string }[];
    expect(past.map((each) => [each.id, each.status])).toEqual([
      [id, 'canceled'],
      [other, 'declined'],
    ]);
  });

  test('takes slots, also when it is moved, and frees them when it is canceled', async () => {
    const parties = await pair();
    const free = async () => {
      const path = `/api/teachers/${parties.teacher}/slots?from=2031-05-03&to=2031-05-03`;
      return ((await student(parties).get(path)).body as { starts_at: string }[]).length;
    };
    expect(await free()).toBe(48);
    const id = idOf(await book(parties, '2031-05-03T09:00'));
    expect(await free()).toBe(46);
    const moved = (time: string) =>
      student(parties).post(`/api/bookings/${id}/reschedule`, { starts_at: at(`2031-05-03T${time}`) });
    // First to a time that overlaps its own, then to one that is not on the grid.
    expect((await moved('09:30')).body).toMatchObject({ starts_at: at('2031-05-03T09:30'), status: 'requested' });
    expect((await moved('11:15')).status).toBe(409);
    expect(await free()).toBe(46);
    // Only the student learns of the student's booking with another teacher.
    const other = { ...(await pair()), student: parties.student };
    expect((await book(other, '2031-05-03T15:00')).status).toBe(200);
    expect((await moved('15:00')).body).toMatchObject({ message: 'You have another booking at that time.' });
    const byTeacher = { starts_at: at('2031-05-03T15:00') };
    expect(await teacher(parties).post(`/api/bookings/${id}/reschedule`, byTeacher)).toMatchObject({
      status: 409,
      body: { message: 'This time is not free.' },
    });
    await student(parties).post(`/api/bookings/${id}/cancel`);
    expect(await free()).toBe(48);
  });

  test('is refused for a time that is taken or does not consist of slots; strangers cannot cancel it', async () => {
    const parties = await pair();
    const other = { ...(await pair()), teacher: parties.teacher };
    const id = idOf(await book(parties, '2031-05-04T09:00'));
    for (const [time, more] of [
      ['09:00', {}],
      ['08:30', {}],
      ['11:00', { minutes: 45 }],
      ['11:10', {}],
    ] as const)
      expect((await book(other, `2031-05-04T${time}`, more)).status).toBe(409);
    const last = `/api/teachers/${parties.teacher}/slots?from=9999-12-31&to=9999-12-31`;
    expect((await student(other).get(last)).body).toEqual([]);
    expect((await book(other, '2031-05-04T08:00')).status).toBe(200);
    expect((await student(other).post(`/api/bookings/${id}/cancel`)).status).toBe(404);
    expect((await book({ ...parties, teacher: parties.student }, '2031-05-04T15:00')).status).toBe(422);
    expect((await student(parties).get('/api/bookings?state=all')).status).toBe(422);
    const wrong = await book(parties, 'tomorrow', { minutes: 0, call_type: 'smoke' });
    expect(Object.keys((wrong.body as { errors: object }).errors)).toEqual(['starts_at', 'minutes', 'call_type']);
  });

  test('is made once when fifty students want one hour, or one student books many teachers for one hour', async () => {
    const wanted = await pair();
    const students = Array.from({ length: 50 }, () => ({ ...lessons.party(), teacher: wanted.teacher }));
    const answers = await Promise.all(
      students.map((parties) => retryWhile503(() => book(parties, '2031-05-05T09:00'))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const teachers = await Promise.all(Array.from({ length: 10 }, pair));
    const wishes = teachers.map(({ teacher: id }) => ({ student: wanted.student, teacher: id }));
    const made = await Promise.all(wishes.map((parties) => retryWhile503(() => book(parties, '2031-05-06T09:00'))));
    expect(made.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('is made once per Idempotency-Key', async () => {
    const parties = await pair();
    const body = { teacher_id: parties.teacher, starts_at: at('2031-05-07T09:00'), minutes: 30, call_type: 'audio' };
    const send = () => student(parties).post('/api/bookings', body, { 'idempotency-key': 'one' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.body]).toEqual([200, first.body]);
    await lessons.service.receive('user.changed', person(parties.teacher, 'teacher', { status: 'banned', version: 9 }));
    expect(await send()).toMatchObject({ status: 200, body: first.body });
  });

  test('is confirmed at once when booking_auto_confirm is 1', async () => {
    const parties = await pair();
    await lessons.setting('booking_auto_confirm', 1, 1);
    expect((await book(parties, '2031-05-08T09:00')).body).toMatchObject({ status: 'confirmed' });
    await lessons.setting('booking_auto_confirm', 0, 2);
    expect((await book(parties, '2031-05-08T10:00')).body).toMatchObject({ status: 'requested' });
  });

  test('is refused when the teacher has blocked the student or is banned', async () => {
    const parties = await pair();
    const block = { id: 1, user_id: parties.teacher, blocked_id: parties.student, created_at: at('2026-01-01T00:00') };
    await lessons.service.receive('block.changed', { ...block, active: true, version: 1 });
    expect((await book(parties, '2031-05-09T09:00')).status).toBe(409);
    await lessons.service.receive('block.changed', { ...block, active: false, version: 2 });
    await lessons.service.receive('user.changed', person(parties.teacher, 'teacher', { status: 'banned', version: 9 }));
    expect((await book(parties, '2031-05-09T09:00')).status).toBe(409);
    const slots = await student(parties).get(`/api/teachers/${parties.teacher}/slots?from=2031-05-09&to=2031-05-09`);
    expect(slots.body).toEqual([]);
  });

  test('with an unverified teacher is refused only when require_verified_teacher is 1', async () => {
    const parties = await pair();
    const slots = `/api/teachers/${parties.teacher}/slots?from=2031-05-10&to=2031-05-10`;
    const seen = async (): Promise<unknown> => [
      ((await student(parties).get(slots)).body as unknown[]).length,
      (await book(parties, '2031-05-10T09:00')).status,
    ];
    await lessons.setting('require_verified_teacher', 1, 1);
    expect(await seen()).toEqual([0, 409]);
    const verified = person(parties.teacher, 'teacher', { verified: true, version: 9 });
    await lessons.service.receive('user.changed', verified);
    expect(await seen()).toEqual([48, 200]);
    await lessons.setting('require_verified_teacher', 0, 2);
    expect((await book(await pair(), '2031-05-10T09:00')).status).toBe(200);
  });
});

test('administrators find bookings by status, user, name, id and day', async () => {
  const parties = await pair();
  const id = idOf(await book(parties, '2031-07-01T09:00'));
  const found = async (filter: object) => {
    const { body } = await lessons.service.api.admin().post('/api/admin/bookingsall', filter);
    return (body as { data: { id: number; student_name: string }[] }).data;
  };
  const own = { user_id: parties.teacher };
  expect(await found({ ...own, status: 'requested' })).toMatchObject([
    { id, student_name: `student ${parties.student}` },
  ]);
  expect((await found({ filter_value: `teacher ${parties.teacher}` })).map((each) => each.id)).toEqual([id]);
  for (const filter of [
    { ...own, status: 'done' },
    { ...own, filter_value: 'nobody' },
    { ...own, to: '2020-01-01' },
  ])
    expect(await found(filter)).toEqual([]);
  expect((await found({ ...own, filter_value: String(id) })).map((each) => each.id)).toEqual([id]);
  const unknown = await lessons.service.api.admin().post('/api/admin/bookingsall', { user_id: 999_999 });
  expect([unknown.status, unknown.body]).toMatchObject([422, { errors: { user_id: [expect.any(String)] } }]);
  expect((await student(parties).post('/api/admin/bookingsall', {})).status).toBe(403);
  const day = (starts_from: string, starts_to: string) => found({ ...own, starts_from, starts_to });
  expect((await day('2031-07-01', '2031-07-01')).map((each) => each.id)).toEqual([id]);
  expect([await day('2031-06-01', '2031-06-30'), await day('2031-07-02', '2031-08-01')]).toEqual([[], []]);
  await student(parties).post(`/api/bookings/${id}/cancel`, { reason: 'I am ill.' });
  expect(await found(own)).toMatchObject([{ cancel_reason: 'I am ill.', canceled_by: 'student', time_zone: 'UTC' }]);
});

describe('an upcoming booking', () => {
  const status = async (id: number) =>
    (
      await lessons.service.rows<{ status: string; note: string }>('select status, note from booking where id = $1', [
        id,
      ])
    )[0];

  test('is canceled when a participant is banned; a deletion deletes notes, reasons and hours', async () => {
    const parties = await pair();
    const id = idOf(await book(parties, '2031-06-01T09:00', { note: 'Fractions' }));
    const gone = idOf(await book(parties, '2031-06-01T11:00'));
    await student(parties).post(`/api/bookings/${gone}/cancel`, { reason: 'I am ill.' });
    await teacher(parties).post(`/api/bookings/${id}/confirm`);
    await lessons.service.receive('user.changed', person(parties.teacher, 'teacher', { status: 'banned', version: 5 }));
    expect(await status(id)).toEqual({ status: 'canceled', note: 'Fractions' });
    expect(await liveEventNames(parties.student, id)).toEqual([
      'booking.requested',
      'booking.confirmed',
      'booking.canceled',
    ]);
    await lessons.service.receive('user.changed', person(parties.student, 'student', { deleted: true, version: 5 }));
    expect(await status(id)).toEqual({ status: 'canceled', note: '' });
    const reasons = `select 1 from booking where student_id = $1 and cancel_reason <> ''`;
    expect(await lessons.service.rows(reasons, [parties.student])).toEqual([]);
    await lessons.service.receive('user.changed', person(parties.teacher, 'teacher', { deleted: true, version: 6 }));
    const hours = 'select 1 from availability where teacher_id = $1';
    expect(await lessons.service.rows(hours, [parties.teacher])).toEqual([]);
  });

  test('of a teacher who is banned at the same time is refused or canceled', async () => {
    for (let day = 1; day <= 9; day += 1) {
      const parties = await pair();
      const banned = person(parties.teacher, 'teacher', { status: 'banned', version: 5 });
      const [made] = await Promise.all([
        retryWhile503(() => book(parties, `2031-06-0${day}T15:00`)),
        lessons.service.receive('user.changed', banned),
      ]);
      expect([200, 409]).toContain(made.status);
      const open = `select 1 from booking where teacher_id = $1 and status in ('requested', 'confirmed')`;
      expect(await lessons.service.rows(open, [parties.teacher])).toEqual([]);
    }
  });

  test('is canceled when one participant blocks the other; other bookings are not', async () => {
    const parties = await pair();
    const other = { ...lessons.party(), teacher: parties.teacher };
    const [id, others] = [idOf(await book(parties, '2031-06-02T09:00')), idOf(await book(other, '2031-06-02T10:00'))];
    const block = { id: 7, user_id: parties.student, blocked_id: parties.teacher, created_at: at('2026-01-01T00:00') };
    await lessons.service.receive('block.changed', { ...block, active: true, version: 1 });
    expect([(await status(id))?.status, (await status(others))?.status]).toEqual(['canceled', 'requested']);
  });
});
