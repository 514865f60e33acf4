import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { bookingJobs } from '../src/bookings/booking-job.ts';
import { idOf, startLessons, type Lessons } from './lessons.ts';

let lessons: Lessons;
beforeAll(async () => {
  lessons = await startLessons();
});
afterEach(() => lessons.service.shiftClock(0));
afterAll(() => lessons.stop());

const DAY = 86_400_000;

/** A future booking. `wait` sets the clock to some minutes after (or, if negative, before) its start. */
async function booked(confirmed = true) {
  await lessons.service.shiftClock(0);
  const parties = await lessons.pair('Africa/Lome');
  const start = Math.ceil(Date.now() / DAY) * DAY + 2 * DAY + 9 * 3_600_000;
  const id = idOf(await lessons.book(parties, new Date(start).toISOString().slice(0, 16)));
  if (confirmed) await lessons.teacher(parties).post(`/api/bookings/${id}/confirm`);
  const wait = (minutes: number) => lessons.service.shiftClock((start - Date.now()) / 1_000 + minutes * 60);
  /** The minutes of the reminders that both participants received. */
  const reminders = async () => {
    const liveEvents = (await lessons.liveEventsTo(parties.student, id)).filter(
      ({ event }) => event === 'booking.reminder',
    );
    const announced = (await lessons.announced(id)).filter(({ turn }) => turn === 'reminder');
    expect(liveEvents).toHaveLength(announced.length);
    for (const { to } of announced)
      expect(to.map(({ user_id }) => user_id)).toEqual([parties.student, parties.teacher]);
    return announced.map(({ minutes }) => minutes);
  };
  return { parties, id, start, wait, reminders };
}

const remind = () => lessons.service.runJob('reminders');
const settle = () => lessons.service.runJob('bookings');

test('each reminder, an hour and ten minutes before, is sent once, also after a restart and by several replicas', async () => {
  const one = await booked();
  const replicas = () =>
    Promise.all(
      Array.from({ length: 4 }, () =>
        bookingJobs(lessons.service.service.database)
          .find(({ name }) => name === 'reminders')!
          .run(),
      ),
    );
  await one.wait(-61);
  await remind();
  expect(await one.reminders()).toEqual([]);
  await one.wait(-59.5);
  await Promise.all([remind(), replicas()]);
  expect(await one.reminders()).toEqual([60]);
  await lessons.service.restart();
  await remind();
  await one.wait(-9.5);
  await Promise.all([remind(), replicas()]);
  expect(await one.reminders()).toEqual([60, 10]);
});

test('a late reminder is skipped, and a moved booking gets new reminders', async () => {
  const late = await booked();
  await late.wait(-12);
  await remind();
  expect(await late.reminders()).toEqual([]);
  await late.wait(-9);
  await remind();
  expect(await late.reminders()).toEqual([9]);
  const moved = await booked();
  await moved.wait(-59);
  await remind();
  await lessons.setting('booking_cancel_hours', 0, 1);
  const starts_at = new Date(moved.start + DAY).toISOString();
  const { status } = await lessons.student(moved.parties).post(`/api/bookings/${moved.id}/reschedule`, { starts_at });
  expect(status).toBe(200);
  await lessons.teacher(moved.parties).post(`/api/bookings/${moved.id}/confirm`);
  await moved.wait(24 * 60 - 59);
  await remind();
  expect(await moved.reminders()).toEqual([59, 59]);
  await lessons.setting('booking_cancel_hours', 24, 2);
});

test('a confirmation forty minutes before the start replaces the reminder of the hour', async () => {
  const { parties, id, wait, reminders } = await booked(false);
  await wait(-40);
  await lessons.teacher(parties).post(`/api/bookings/${id}/confirm`);
  await remind();
  expect(await reminders()).toEqual([]);
  await wait(-9);
  await remind();
  expect(await reminders()).toEqual([9]);
});

test('an unanswered proposal expires once, when its time or the lesson begins, also with several replicas', async () => {
  // Minutes from the lesson to the proposed time.
  for (const minutes of [-120, 24 * 60]) {
    const { parties, id, start, wait } = await booked();
    const starts_at = new Date(start + minutes * 60_000).toISOString();
    await lessons.student(parties).post(`/api/bookings/${id}/reschedule`, { starts_at });
    const lapse = Math.min(0, minutes);
    await wait(lapse - 1);
    await settle();
    expect((await lessons.announced(id)).at(-1)).toMatchObject({ turn: 'rescheduled' });
    await wait(lapse + 0.1);
    expect((await lessons.teacher(parties).post(`/api/bookings/${id}/confirm`)).status).toBe(409);
    const replica = bookingJobs(lessons.service.service.database).find(({ name }) => name === 'bookings')!;
    await Promise.all([settle(), replica.run(), replica.run()]);
    await lessons.service.restart();
    await settle();
    expect((await lessons.announced(id)).slice(2)).toMatchObject([
      { turn: 'rescheduled' },
      { turn: 'declined', stays_at: new Date(start).toISOString().replace('Z', '000Z'), to: [{}, {}] },
    ]);
    expect(await lessons.listedBooking(parties, id)).toMatchObject({ status: 'confirmed', proposed_starts_at: null });
  }
});

test('where two lessons meet, only their students can ring the teacher', async () => {
  const { parties, start, wait } = await booked();
  const next = { ...lessons.party(), teacher: parties.teacher };
  const second = idOf(await lessons.book(next, new Date(start + 3_600_000).toISOString().slice(0, 16)));
  await lessons.teacher(next).post(`/api/bookings/${second}/confirm`);
  await wait(59);
  expect((await lessons.init({ ...lessons.party(), teacher: parties.teacher })).status).toBe(409);
  for (const student of [next, parties]) {
    expect((await lessons.init(student)).status).toBe(200);
    expect((await lessons.cancel(student)).status).toBe(200);
  }
  // Earlier only the first student can ring, later only the second.
  await wait(57);
  expect((await lessons.init(next)).status).toBe(409);
  await wait(61);
  expect((await lessons.init(parties)).status).toBe(409);
});

test('a booking that is confirmed at once replaces the reminder whose time has come', async () => {
  await lessons.setting('booking_auto_confirm', 1, 1);
  const parties = await lessons.pair();
  const start = Math.ceil(Date.now() / DAY) * DAY + 5 * DAY;
  await lessons.service.shiftClock((start - Date.now()) / 1_000 - 45 * 60);
  const id = idOf(await lessons.book(parties, new Date(start).toISOString().slice(0, 16)));
  await remind();
  expect((await lessons.announced(id)).map(({ turn }) => turn)).toEqual(['confirmed']);
  await lessons.setting('booking_auto_confirm', 0, 2);
});

test('a booking cannot be changed within its last day, and reserves the teacher from two minutes before its start', async () => {
  const { parties, id, start, wait } = await booked();
  await wait(-24 * 60 + 1);
  for (const path of ['cancel', 'reschedule']) {
    const wish = { starts_at: new Date(start + 3 * DAY).toISOString() };
    expect((await lessons.teacher(parties).post(`/api/bookings/${id}/${path}`, wish)).status).toBe(409);
  }
  const other = { ...lessons.party(), teacher: parties.teacher };
  await wait(-3);
  expect((await lessons.init(other)).status).toBe(200);
  await lessons.cancel(other);
  await wait(-1);
  expect((await lessons.init(other)).status).toBe(409);
  expect((await lessons.init(parties)).status).toBe(200);
});

test('a call that is concurrent with the booking of another student came first or is refused', async () => {
  await lessons.setting('booking_auto_confirm', 1, 3);
  for (let round = 0; round < 10; round += 1) {
    const parties = await lessons.pair();
    const other = { ...lessons.party(), teacher: parties.teacher };
    const start = Math.ceil(Date.now() / DAY) * DAY + (10 + round) * DAY;
    await lessons.service.shiftClock((start - Date.now()) / 1_000 - 60);
    const [made, rung] = await Promise.all([
      lessons.book(parties, new Date(start).toISOString().slice(0, 16)),
      lessons.init(other),
    ]);
    expect([made.status, [200, 409].includes(rung.status)]).toEqual([200, true]);
    expect((await lessons.init({ ...lessons.party(), teacher: parties.teacher })).status).toBe(409);
  }
  await lessons.setting('booking_auto_confirm', 0, 4);
});

test('a booking is missed without a call in its first fifteen minutes, and otherwise done at its end', async () => {
  const missed = await booked();
  await missed.wait(14);
  await settle();
  expect(await lessons.statusOf(missed.id)).toBe('confirmed');
  await missed.wait(16);
  await settle();
  expect(await lessons.statusOf(missed.id)).toBe('missed');
  const done = await booked();
  await done.wait(5);
  await lessons.begin(done.parties);
  await done.wait(59);
  await settle();
  expect(await lessons.statusOf(done.id)).toBe('confirmed');
  await done.wait(61);
  await settle();
  expect(await lessons.statusOf(done.id)).toBe('done');
});

test('a call that began and ended in the two minutes before the start counts for the booking', async () => {
  const early = await booked();
  await early.wait(-1);
  const { identifier, channel } = await lessons.begin(early.parties);
  expect((await lessons.end('student', early.parties, identifier, channel)).status).toBe(200);
  await early.wait(16);
  await settle();
  expect(await lessons.statusOf(early.id)).toBe('confirmed');
  await early.wait(61);
  await settle();
  expect(await lessons.statusOf(early.id)).toBe('done');
});

test('a call that began earlier and ended in the two minutes before the start does not count', async () => {
  const alone = await booked();
  await alone.wait(-2.5);
  const { identifier, channel } = await lessons.begin(alone.parties);
  await alone.wait(-1);
  expect((await lessons.end('student', alone.parties, identifier, channel)).status).toBe(200);
  await alone.wait(16);
  await settle();
  expect(await lessons.statusOf(alone.id)).toBe('missed');
});

test('an unanswered request is declined at its start', async () => {
  const { parties, id, wait } = await booked(false);
  await wait(0.1);
  await settle();
  expect(await lessons.statusOf(id)).toBe('declined');
  expect((await lessons.announced(id)).at(-1)).toMatchObject({ turn: 'declined', to: [{}, {}] });
  expect((await lessons.teacher(parties).post(`/api/bookings/${id}/confirm`)).status).toBe(409);
});
