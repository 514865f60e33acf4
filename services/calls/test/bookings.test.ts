import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { person, startScene, type Party, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }));
const student = ({ student: id }: Party) => scene.service.api.student(id);
const teacher = ({ teacher: id }: Party) => scene.service.api.teacher(id);

/** Two people, of whom the teacher is there day and night, in slots of half an hour. */
async function pair(): Promise<Party> {
  const parties = scene.party();
  const hours = { time_zone: 'UTC', slot_minutes: 30, min_notice_minutes: 0, weekly: EVERY_DAY, exceptions: [] };
  expect((await teacher(parties).put('/api/me/availability', hours)).status).toBe(200);
  return parties;
}
const at = (time: string) => `${time}:00.000000Z`;
const book = (parties: Party, starts_at: string, more: object = {}) =>
  student(parties).post('/api/bookings', {
    teacher_id: parties.teacher,
    starts_at: at(starts_at),
    minutes: 60,
    call_type: 'video',
    ...more,
  });
/** Names of the live events about a booking that one of its people got, in their order. */
const heardBy = async (user: number, id: number) =>
  (await scene.service.live())
    .filter(({ to, event, data }) => event.startsWith('booking.') && data['id'] === id && to === `user.${user}`)
    .map(({ event }) => event);
const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id;
const stateOf = async (parties: Party, id: number) => {
  const lists = ['upcoming', 'past'].map(
    async (state) => (await student(parties).get(`/api/bookings?state=${state}`)).body as Record<string, unknown>[],
  );
  return (await Promise.all(lists)).flat().find((each) => each['id'] === id)?.['status'];
};

describe('a booking', () => {
  test('is asked for, confirmed and listed', async () => {
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
      call_type: 'video',
      note: 'Fractions',
      status: 'requested',
      created_at: ISO,
      updated_at: ISO,
    };
    expect([made.status, made.body]).toEqual([200, expected]);
    expect((await student(parties).post(`/api/bookings/${id}/confirm`)).status).toBe(403);
    for (let times = 0; times < 2; times += 1)
      expect((await teacher(parties).post(`/api/bookings/${id}/confirm`)).body).toEqual({
        ...expected,
        status: 'confirmed',
      });
    for (const who of [student, teacher])
      expect((await who(parties).get('/api/bookings?state=upcoming')).body).toEqual([
        { ...expected, status: 'confirmed' },
      ]);
    expect((await student(parties).get('/api/bookings?state=past')).body).toEqual([]);
  });

  test('is told to both at every turn', async () => {
    const parties = await pair();
    const id = idOf(await book(parties, '2031-05-02T09:00'));
    await teacher(parties).post(`/api/bookings/${id}/reschedule`, { starts_at: at('2031-05-02T11:00') });
    await student(parties).post(`/api/bookings/${id}/confirm`);
    await student(parties).post(`/api/bookings/${id}/cancel`, { reason: 'I am ill.' });
    const other = idOf(await book(parties, '2031-05-02T09:00'));
    await teacher(parties).post(`/api/bookings/${other}/decline`);
    for (const user of Object.values(parties)) {
      const turns = ['requested', 'rescheduled', 'confirmed', 'canceled'].map((turn) => `booking.${turn}`);
      expect(await heardBy(user, id)).toEqual(turns);
      expect(await heardBy(user, other)).toEqual(['booking.requested', 'booking.declined']);
    }
    for (const path of ['confirm', 'decline', 'cancel'])
      expect((await teacher(parties).post(`/api/bookings/${id}/${path}`)).status).toBe(409);
    const past = (await student(parties).get('/api/bookings?state=past')).body as { id: number; status: string }[];
    expect(past.map((each) => [each.id, each.status])).toEqual([
      [id, 'canceled'],
      [other, 'declined'],
    ]);
  });

  test('takes the slots, also those of a lesson that is moved, and gives them back', async () => {
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
    // By half of itself; to where it does not fit the slots.
    expect((await moved('09:30')).body).toMatchObject({ starts_at: at('2031-05-03T09:30'), status: 'requested' });
    expect((await moved('11:15')).status).toBe(409);
    expect(await free()).toBe(46);
    await student(parties).post(`/api/bookings/${id}/cancel`);
    expect(await free()).toBe(48);
  });

  test('is refused where the teacher is not free, for what is no whole number of slots, and for strangers', async () => {
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
    expect((await book(other, '2031-05-04T08:00')).status).toBe(200);
    expect((await student(other).post(`/api/bookings/${id}/cancel`)).status).toBe(404);
    expect((await book({ ...parties, teacher: parties.student }, '2031-05-04T15:00')).status).toBe(422);
    expect((await student(parties).get('/api/bookings')).status).toBe(422);
    const wrong = await book(parties, 'tomorrow', { minutes: 0, call_type: 'smoke' });
    expect(Object.keys((wrong.body as { errors: object }).errors)).toEqual(['starts_at', 'minutes', 'call_type']);
  });

  test('of fifty students for one hour is made once, and of one student with many teachers once', async () => {
    const wanted = await pair();
    const students = Array.from({ length: 50 }, () => ({ ...scene.party(), teacher: wanted.teacher }));
    const answers = await Promise.all(students.map((parties) => book(parties, '2031-05-05T09:00')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const teachers = await Promise.all(Array.from({ length: 10 }, pair));
    const one = teachers.map(({ teacher: id }) => ({ student: wanted.student, teacher: id }));
    const made = await Promise.all(one.map((parties) => book(parties, '2031-05-06T09:00')));
    expect(made.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('is made once by its Idempotency-Key', async () => {
    const parties = await pair();
    const body = { teacher_id: parties.teacher, starts_at: at('2031-05-07T09:00'), minutes: 30, call_type: 'audio' };
    const send = () => student(parties).post('/api/bookings', body, { 'idempotency-key': 'one' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.body]).toEqual([200, first.body]);
  });

  test('is confirmed at once where the setting says so', async () => {
    const parties = await pair();
    const set = (value: number, version: number) =>
      scene.service.receive('setting.changed', { name: 'booking_auto_confirm', value, version });
    await set(1, 1);
    expect((await book(parties, '2031-05-08T09:00')).body).toMatchObject({ status: 'confirmed' });
    await set(0, 2);
    expect((await book(parties, '2031-05-08T10:00')).body).toMatchObject({ status: 'requested' });
  });

  test('is not made with who has blocked the student or is banned', async () => {
    const parties = await pair();
    const block = { id: 1, user_id: parties.teacher, blocked_id: parties.student, created_at: at('2026-01-01T00:00') };
    await scene.service.receive('block.changed', { ...block, active: true, version: 1 });
    expect((await book(parties, '2031-05-09T09:00')).status).toBe(409);
    await scene.service.receive('block.changed', { ...block, active: false, version: 2 });
    await scene.service.receive('user.changed', person(parties.teacher, 'teacher', { status: 'banned', version: 9 }));
    expect((await book(parties, '2031-05-09T09:00')).status).toBe(409);
    const slots = await student(parties).get(`/api/teachers/${parties.teacher}/slots?from=2031-05-09&to=2031-05-09`);
    expect(slots.body).toEqual([]);
  });
});

test('administrators find bookings by status, person and name', async () => {
  const parties = await pair();
  const id = idOf(await book(parties, '2031-07-01T09:00'));
  const found = async (filter: object) => {
    const { body } = await scene.service.api.admin().post('/api/admin/bookingsall', filter);
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
  expect((await student(parties).post('/api/admin/bookingsall', {})).status).toBe(403);
});

describe('what is to come', () => {
  const status = async (id: number) =>
    (
      await scene.service.rows<{ status: string; note: string }>('select status, note from booking where id = $1', [id])
    )[0];

  test('is called off when one of the two is banned, and the words of the deleted go', async () => {
    const parties = await pair();
    const id = idOf(await book(parties, '2031-06-01T09:00', { note: 'Fractions' }));
    await teacher(parties).post(`/api/bookings/${id}/confirm`);
    await scene.service.receive('user.changed', person(parties.teacher, 'teacher', { status: 'banned', version: 5 }));
    expect(await status(id)).toEqual({ status: 'canceled', note: 'Fractions' });
    expect(await heardBy(parties.student, id)).toEqual(['booking.requested', 'booking.confirmed', 'booking.canceled']);
    await scene.service.receive('user.changed', person(parties.student, 'student', { deleted: true, version: 5 }));
    expect(await status(id)).toEqual({ status: 'canceled', note: '' });
    await scene.service.receive('user.changed', person(parties.teacher, 'teacher', { deleted: true, version: 6 }));
    const hours = 'select 1 from availability where teacher_id = $1';
    expect(await scene.service.rows(hours, [parties.teacher])).toEqual([]);
  });

  test('is called off between two of whom one blocks the other, and no other', async () => {
    const parties = await pair();
    const other = { ...scene.party(), teacher: parties.teacher };
    const [id, others] = [idOf(await book(parties, '2031-06-02T09:00')), idOf(await book(other, '2031-06-02T10:00'))];
    const block = { id: 7, user_id: parties.student, blocked_id: parties.teacher, created_at: at('2026-01-01T00:00') };
    await scene.service.receive('block.changed', { ...block, active: true, version: 1 });
    expect([(await status(id))?.status, (await status(others))?.status]).toEqual(['canceled', 'requested']);
  });
});

describe('when its time comes', () => {
  /** A confirmed booking of tomorrow at nine; `wait` moves the clock to some minutes before (or after) that. */
  async function tomorrow() {
    await scene.service.shiftClock(0);
    const parties = await pair();
    const start = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 2 * 86_400_000 + 9 * 3_600_000;
    const id = idOf(await book(parties, new Date(start).toISOString().slice(0, 16)));
    await teacher(parties).post(`/api/bookings/${id}/confirm`);
    const wait = (minutes: number) => scene.service.shiftClock((start - Date.now()) / 1_000 + minutes * 60);
    const reminders = async () =>
      (await heardBy(parties.student, id)).filter((event) => event === 'booking.reminder').length;
    return { parties, id, wait, reminders };
  }
  afterAll(() => scene.service.shiftClock(0));

  test('both are reminded an hour and ten minutes before, once each, and not late', async () => {
    const one = await tomorrow();
    await one.wait(-59);
    await eventually('the first reminder', async () => (await one.reminders()) === 1);
    await one.wait(-9);
    await eventually('the second reminder', async () => (await one.reminders()) === 2);
    const late = await tomorrow();
    await late.wait(-12);
    await eventually('the first one is noted', async () => {
      const [row] = await scene.service.rows<{ minutes: number }>(
        'select reminded_minutes as minutes from booking where id = $1',
        [late.id],
      );
      return row?.minutes === 60;
    });
    expect(await late.reminders()).toBe(0);
    await late.wait(-9);
    await eventually('the second reminder', async () => (await late.reminders()) === 1);
    expect(await one.reminders()).toBe(2);
  });

  test('it cannot be changed any more a day before, and nobody else rings from two minutes before', async () => {
    const { parties, id, wait } = await tomorrow();
    await wait(-24 * 60 + 1);
    for (const path of ['cancel', 'reschedule'])
      expect(
        (await teacher(parties).post(`/api/bookings/${id}/${path}`, { starts_at: at('2031-01-01T09:00') })).status,
      ).toBe(409);
    const other = { ...scene.party(), teacher: parties.teacher };
    await wait(-3);
    expect((await scene.init(other)).status).toBe(200);
    await scene.cancel(other);
    await wait(-1);
    expect((await scene.init(other)).status).toBe(409);
    expect((await scene.init(parties)).status).toBe(200);
  });

  test('it is missed without a call in fifteen minutes, and done at its end with one', async () => {
    const missed = await tomorrow();
    await missed.wait(16);
    await eventually('it is missed', async () => (await stateOf(missed.parties, missed.id)) === 'missed');
    const kept = await tomorrow();
    await kept.wait(5);
    await scene.begin(kept.parties);
    await kept.wait(61);
    await eventually('it is done', async () => (await stateOf(kept.parties, kept.id)) === 'done');
  });

  test('a request that nobody has answered is declined', async () => {
    await scene.service.shiftClock(0);
    const parties = await pair();
    const start = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 86_400_000;
    const id = idOf(await book(parties, new Date(start).toISOString().slice(0, 16)));
    await scene.service.shiftClock((start - Date.now()) / 1_000 + 1);
    await eventually('it is declined', async () => (await stateOf(parties, id)) === 'declined');
    expect(await heardBy(parties.student, id)).toEqual(['booking.requested', 'booking.declined']);
  });
});
