import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { at, startLessons, type Lessons } from './lessons.ts';

let lessons: Lessons;
beforeAll(async () => {
  lessons = await startLessons();
});
afterAll(() => lessons.stop());

type Who = 'student' | 'teacher';
const send = (...given: Parameters<Lessons['send']>) => lessons.send(...given);
const move = (...given: Parameters<Lessons['move']>) => lessons.move(...given);
const listedBooking = (...given: Parameters<Lessons['listedBooking']>) => lessons.listedBooking(...given);
const requestLesson = (time: string) => lessons.requestLesson(time);
const confirmLesson = (time: string) => lessons.confirmLesson(time);
const turnsOf = async (id: number) => (await lessons.announced(id)).map(({ turn }) => turn);

describe('an answer with a time', () => {
  test.each(['confirm', 'decline'])('to %s is refused when the lesson has been moved', async (answer) => {
    const { parties, id } = await requestLesson('2031-04-01T09:00');
    await move(parties, 'student', id, '2031-04-01T15:00');
    const old = await send(parties, 'teacher', id, answer, { starts_at: at('2031-04-01T09:00') });
    expect(old).toMatchObject({ status: 409, body: { message: 'The time of the lesson has changed.' } });
    expect(await listedBooking(parties, id)).toMatchObject({ status: 'requested', starts_at: at('2031-04-01T15:00') });
    // The same instant in another time zone.
    const now = await send(parties, 'teacher', id, answer, { starts_at: '2031-04-01T17:00:00+02:00' });
    expect(now).toMatchObject({ status: 200, body: { starts_at: at('2031-04-01T15:00') } });
    expect(await turnsOf(id)).toEqual(['requested', 'rescheduled', answer === 'confirm' ? 'confirmed' : 'declined']);
  });

  test('must have the proposed time of a confirmed lesson', async () => {
    const { parties, id } = await confirmLesson('2031-04-02T09:00');
    await move(parties, 'student', id, '2031-04-02T11:00');
    for (const time of ['2031-04-02T09:00', '2031-04-02T12:00'])
      for (const answer of ['confirm', 'decline'])
        expect((await send(parties, 'teacher', id, answer, { starts_at: at(time) })).status).toBe(409);
    const yes = { starts_at: at('2031-04-02T11:00') };
    expect((await send(parties, 'teacher', id, 'confirm', yes)).body).toMatchObject({ ...yes, status: 'confirmed' });
    // A repeat, as after a lost answer.
    expect((await send(parties, 'teacher', id, 'confirm', yes)).status).toBe(200);
  });

  test('is a 422 when the time is malformed', async () => {
    const { parties, id } = await requestLesson('2031-04-03T09:00');
    for (const starts_at of ['tomorrow', 5, '2031-04-03'])
      expect((await send(parties, 'teacher', id, 'confirm', { starts_at })).status).toBe(422);
    expect((await send(parties, 'teacher', id, 'confirm', { starts_at: '' })).status).toBe(200);
  });
});

describe('a confirmed lesson with a proposed time', () => {
  test.each<[Who, Who]>([
    ['student', 'teacher'],
    ['teacher', 'student'],
  ])('keeps its time after a move by the %s until the %s confirms', async (by, other) => {
    const { parties, id } = await confirmLesson('2031-04-05T09:00');
    const before = { id, status: 'confirmed', starts_at: at('2031-04-05T09:00'), ends_at: at('2031-04-05T10:00') };
    expect(await listedBooking(parties, id)).toMatchObject({ ...before, proposed_starts_at: null });
    const proposed = { ...before, proposed_starts_at: at('2031-04-05T12:00') };
    expect(await move(parties, by, id, '2031-04-05T12:00')).toMatchObject({ status: 200, body: proposed });
    expect(await listedBooking(parties, id)).toMatchObject(proposed);
    expect((await send(parties, by, id, 'confirm')).status).toBe(403);
    const declined = await send(parties, other, id, 'decline');
    expect(declined).toMatchObject({ status: 200, body: { ...before, proposed_starts_at: null } });
    await move(parties, by, id, '2031-04-05T14:30');
    const moved = { starts_at: at('2031-04-05T14:30'), ends_at: at('2031-04-05T15:30'), proposed_starts_at: null };
    expect((await send(parties, other, id, 'confirm')).body).toMatchObject({ status: 'confirmed', ...moved });
    const liveEvents = (await lessons.liveEventsTo(parties.student, id)).slice(2);
    expect(liveEvents.map(({ event, data }) => [event, data['starts_at'], data['proposed_starts_at']])).toEqual([
      ['booking.rescheduled', before.starts_at, at('2031-04-05T12:00')],
      ['booking.declined', before.starts_at, null],
      ['booking.rescheduled', before.starts_at, at('2031-04-05T14:30')],
      ['booking.confirmed', moved.starts_at, null],
    ]);
    // Push notifications have the proposed time.
    expect((await lessons.announced(id)).slice(2)).toMatchObject([
      { turn: 'rescheduled', starts_at: at('2031-04-05T12:00'), to: [{ user_id: parties[other] }] },
      {
        turn: 'declined',
        starts_at: at('2031-04-05T12:00'),
        stays_at: before.starts_at,
        to: [{ user_id: parties[by] }],
      },
      { turn: 'rescheduled', starts_at: at('2031-04-05T14:30') },
      { turn: 'confirmed', starts_at: at('2031-04-05T14:30') },
    ]);
  });

  test('takes both times of both participants until it is answered', async () => {
    const { parties, id } = await confirmLesson('2031-04-06T09:00');
    await move(parties, 'student', id, '2031-04-06T12:00');
    const free = async () => {
      const path = `/api/teachers/${parties.teacher}/slots?from=2031-04-06&to=2031-04-06`;
      const { body } = await lessons.student(parties).get(path);
      return (body as { starts_at: string }[]).map(({ starts_at }) => starts_at.slice(11, 16));
    };
    const taken = async () => ['09:00', '09:30', '12:00', '12:30'].filter((time) => !before.includes(time));
    let before = await free();
    expect(await taken()).toEqual(['09:00', '09:30', '12:00', '12:30']);
    const other = { ...lessons.party(), teacher: parties.teacher };
    for (const time of ['09:00', '11:30', '12:30'])
      expect((await lessons.book(other, `2031-04-06T${time}`)).status).toBe(409);
    const elsewhere = { ...(await lessons.pair()), student: parties.student };
    for (const time of ['09:30', '12:00'])
      expect((await lessons.book(elsewhere, `2031-04-06T${time}`)).status).toBe(409);
    await send(parties, 'teacher', id, 'decline');
    before = await free();
    expect(await taken()).toEqual(['09:00', '09:30']);
    expect((await lessons.book(other, '2031-04-06T12:00')).status).toBe(200);
    // Its own time does not prevent a move that overlaps it.
    expect((await move(parties, 'teacher', id, '2031-04-06T09:30')).status).toBe(200);
    expect((await send(parties, 'student', id, 'confirm')).body).toMatchObject({ starts_at: at('2031-04-06T09:30') });
  });

  test('can get another proposal from either side; the last one counts', async () => {
    const { parties, id } = await confirmLesson('2031-04-07T09:00');
    await move(parties, 'student', id, '2031-04-07T11:00');
    // A repeat publishes nothing.
    await move(parties, 'student', id, '2031-04-07T11:00');
    expect((await turnsOf(id)).slice(2)).toEqual(['rescheduled']);
    await move(parties, 'teacher', id, '2031-04-07T13:00');
    expect((await send(parties, 'teacher', id, 'confirm')).status).toBe(403);
    expect(await listedBooking(parties, id)).toMatchObject({ proposed_starts_at: at('2031-04-07T13:00') });
    // A move to the time that the other side has proposed confirms it.
    const moved = { starts_at: at('2031-04-07T13:00'), status: 'confirmed', proposed_starts_at: null };
    expect((await move(parties, 'student', id, '2031-04-07T13:00')).body).toMatchObject(moved);
  });

  test('keeps its time when a move to that time withdraws the proposal', async () => {
    const { parties, id } = await confirmLesson('2031-04-08T09:00');
    await move(parties, 'student', id, '2031-04-08T11:00');
    const back = await move(parties, 'student', id, '2031-04-08T09:00');
    expect(back.body).toMatchObject({
      status: 'confirmed',
      starts_at: at('2031-04-08T09:00'),
      proposed_starts_at: null,
    });
    expect((await lessons.announced(id)).at(-1)).toMatchObject({ turn: 'declined', stays_at: at('2031-04-08T09:00') });
  });

  test('has no proposed time after it is canceled', async () => {
    const { parties, id } = await confirmLesson('2031-04-09T09:00');
    await move(parties, 'student', id, '2031-04-09T11:00');
    const canceled = await send(parties, 'teacher', id, 'cancel');
    expect(canceled.body).toMatchObject({ status: 'canceled', proposed_starts_at: null });
    expect((await lessons.book(parties, '2031-04-09T11:00')).status).toBe(200);
  });

  test('loses its proposed time when an older release moves it', async () => {
    const { parties, id } = await confirmLesson('2031-04-10T09:00');
    await move(parties, 'student', id, '2031-04-10T11:00');
    const insert = `insert into booking (student_id, teacher_id, starts_at, ends_at, time_zone, call_type, status, asked)
      values (1, $1, '2031-04-10T11:30Z', '2031-04-10T12:30Z', 'UTC', 'video', 'requested', 'teacher')`;
    await expect(lessons.service.rows(insert, [parties.teacher])).rejects.toThrow(/booking_teacher_free/);
    await lessons.service.rows(
      `update booking set status = 'requested', starts_at = '2031-04-10T15:00Z', ends_at = '2031-04-10T16:00Z',
         asked = 'teacher', version = version + 1 where id = $1`,
      [id],
    );
    expect(await listedBooking(parties, id)).toMatchObject({ status: 'requested', proposed_starts_at: null });
    await lessons.service.rows(insert, [parties.teacher]);
    await send(parties, 'teacher', id, 'confirm');
    expect(await listedBooking(parties, id)).toMatchObject({
      starts_at: at('2031-04-10T15:00'),
      proposed_starts_at: null,
    });
  });
});

describe('a move', () => {
  test('of a request takes effect at once', async () => {
    const { parties, id } = await requestLesson('2031-04-11T09:00');
    const moved = { status: 'requested', starts_at: at('2031-04-11T11:00'), proposed_starts_at: null };
    expect((await move(parties, 'student', id, '2031-04-11T11:00')).body).toMatchObject(moved);
    expect((await send(parties, 'student', id, 'confirm')).status).toBe(403);
    expect((await send(parties, 'teacher', id, 'confirm')).status).toBe(200);
  });

  test.each(['requested', 'confirmed'])('of a %s lesson to its current time changes nothing', async (status) => {
    const { parties, id } = await (status === 'requested' ? requestLesson : confirmLesson)('2031-04-12T09:00');
    const before = await listedBooking(parties, id);
    const turns = await turnsOf(id);
    for (const who of ['student', 'teacher'] as const) {
      const same = await send(parties, who, id, 'reschedule', { starts_at: '2031-04-12T11:00:00+02:00' });
      expect([same.status, same.body]).toEqual([200, before]);
    }
    expect([await listedBooking(parties, id), await turnsOf(id)]).toEqual([before, turns]);
  });

  test('keeps the length of the lesson when the length of slots has changed', async () => {
    const { parties, id } = await confirmLesson('2031-04-13T09:00');
    const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '08:00', to: '18:00' }));
    const hours = { time_zone: 'UTC', min_notice_minutes: 0, weekly, exceptions: [] };
    await lessons.teacher(parties).put('/api/me/availability', { ...hours, slot_minutes: 45 });
    const tried = async (time: string) => (await move(parties, 'student', id, `2031-04-13T${time}`)).status;
    // The grid is 08:00, 08:45, 09:30 ... A lesson at 17:45 would end after the hours.
    expect([await tried('10:00'), await tried('17:45'), await tried('07:15')]).toEqual([409, 409, 409]);
    expect(await tried('11:00')).toBe(200);
    const { body } = await send(parties, 'teacher', id, 'confirm');
    expect(body).toMatchObject({ starts_at: at('2031-04-13T11:00'), ends_at: at('2031-04-13T12:00') });
    await lessons.teacher(parties).put('/api/me/availability', { ...hours, slot_minutes: 120 });
    expect(await tried('14:00')).toBe(200);
    // A move to a time that another booking takes is refused.
    const other = { ...lessons.party(), teacher: parties.teacher };
    expect((await lessons.book(other, '2031-04-13T16:00', { minutes: 120 })).status).toBe(200);
    expect(await tried('16:00')).toBe(409);
  });

  test('by the student must observe the minimum notice, one by the teacher need not', async () => {
    const { parties, id } = await confirmLesson('2031-04-20T09:00');
    const every = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }));
    const hours = { time_zone: 'UTC', slot_minutes: 30, min_notice_minutes: 43_200, weekly: every, exceptions: [] };
    await lessons.teacher(parties).put('/api/me/availability', hours);
    const [soon] = await lessons.service.rows<{ at: string }>(
      `select (app_now() + interval '2 days')::date::text as at`,
    );
    expect((await move(parties, 'student', id, `${soon!.at}T09:00`)).status).toBe(409);
    expect((await move(parties, 'teacher', id, `${soon!.at}T09:00`)).status).toBe(200);
    // Nobody can move a lesson into the past.
    expect((await move(parties, 'teacher', id, '2031-02-01T09:00')).status).toBe(409);
  });
});
