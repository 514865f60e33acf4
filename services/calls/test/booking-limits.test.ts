import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { at, idOf, startLessons, type Lessons } from './lessons.ts';

let lessons: Lessons;
beforeAll(async () => {
  lessons = await startLessons();
});
afterAll(() => lessons.stop());

const LIMIT = { status: 409, body: { message: expect.stringMatching(/^You have too many unanswered requests/) } };
const hour = (index: number, day = '2031-04-01') => `${day}T${String(9 + index).padStart(2, '0')}:00`;

test('at most three requests to one teacher wait for an answer; an answered or withdrawn one does not count', async () => {
  const parties = await lessons.pair();
  const ids: number[] = [];
  for (let index = 0; index < 3; index += 1) ids.push(idOf(await lessons.book(parties, hour(index))));
  expect(await lessons.book(parties, hour(3))).toMatchObject(LIMIT);
  // A move is not a request.
  expect((await lessons.move(parties, 'student', ids[0]!, hour(5))).status).toBe(200);
  await lessons.send(parties, 'teacher', ids[0]!, 'confirm');
  ids.push(idOf(await lessons.book(parties, hour(3))));
  expect(await lessons.book(parties, hour(8))).toMatchObject(LIMIT);
  await lessons.send(parties, 'student', ids[1]!, 'cancel');
  expect((await lessons.book(parties, hour(8))).status).toBe(200);
  // A proposed time of a confirmed lesson is not a request.
  expect((await lessons.move(parties, 'student', ids[0]!, hour(10))).status).toBe(200);
  // Another student's requests do not count.
  expect((await lessons.book({ ...lessons.party(), teacher: parties.teacher }, hour(12))).status).toBe(200);
});

test('at most max_open_requests requests of a student wait for an answer', async () => {
  const { student } = await lessons.pair();
  const ask = async (index: number) =>
    lessons.book(
      { student, teacher: (await lessons.pair()).teacher },
      hour(index % 10, index < 10 ? '2031-04-02' : '2031-04-03'),
    );
  for (let index = 0; index < 10; index += 1) expect((await ask(index)).status).toBe(200);
  expect(await ask(10)).toMatchObject(LIMIT);
  await lessons.setting('max_open_requests', 11, 1);
  expect((await ask(11)).status).toBe(200);
  await lessons.setting('max_open_requests', 2, 2);
  expect(await ask(12)).toMatchObject(LIMIT);
  await lessons.setting('max_open_requests', 10, 3);
});

test('requests whose start has passed and lessons that were confirmed at once do not count', async () => {
  const parties = await lessons.pair();
  for (let index = 0; index < 3; index += 1) await lessons.book(parties, hour(index, '2031-03-05'));
  await lessons.setting('booking_auto_confirm', 1, 4);
  for (let index = 4; index < 8; index += 1)
    expect((await lessons.book(parties, hour(index, '2031-03-05'))).body).toMatchObject({ status: 'confirmed' });
  await lessons.setting('booking_auto_confirm', 0, 5);
  expect(await lessons.book(parties, hour(9, '2031-03-05'))).toMatchObject(LIMIT);
  await lessons.service.shiftClock((Date.parse('2031-03-06T00:00Z') - Date.now()) / 1_000);
  expect((await lessons.book(parties, hour(0, '2031-03-07'))).status).toBe(200);
});

test('a lesson cannot be booked or moved more than a year ahead', async () => {
  await lessons.service.shiftClock((Date.parse('2031-03-06T12:00:00Z') - Date.now()) / 1_000);
  const parties = await lessons.pair();
  const tooFar = {
    status: 422,
    body: { errors: { starts_at: ['The starts at field must be at most a year ahead.'] } },
  };
  for (const time of ['2032-03-06T13:00', '2099-01-01T09:00', '9999-12-31T23:00'])
    expect(await lessons.book(parties, time)).toMatchObject(tooFar);
  const made = await lessons.book(parties, '2032-03-06T11:00');
  expect(made.status).toBe(200);
  expect(await lessons.move(parties, 'teacher', idOf(made), '2032-03-07T11:00')).toMatchObject(tooFar);
  expect((await lessons.move(parties, 'teacher', idOf(made), '2032-03-06T12:00')).status).toBe(200);
});

test('only a student can withdraw or move an unanswered request until it begins', async () => {
  const [parties, other] = [await lessons.pair(), await lessons.pair()];
  const [first, second] = [
    idOf(await lessons.book(parties, hour(0, '2031-03-10'))),
    idOf(await lessons.book(other, hour(3, '2031-03-10'))),
  ];
  const third = idOf(await lessons.book(parties, hour(2, '2031-03-10')));
  await lessons.send(parties, 'teacher', third, 'confirm');
  await lessons.service.shiftClock((Date.parse('2031-03-10T08:58:00Z') - Date.now()) / 1_000);
  expect((await lessons.send(other, 'teacher', second, 'cancel')).status).toBe(409);
  expect((await lessons.send(parties, 'student', third, 'cancel')).status).toBe(409);
  expect((await lessons.move(other, 'student', second, hour(5, '2031-03-10'))).body).toMatchObject({
    status: 'requested',
    starts_at: at(hour(5, '2031-03-10')),
  });
  expect((await lessons.send(parties, 'student', first, 'cancel')).body).toMatchObject({ status: 'canceled' });
  await lessons.service.shiftClock((Date.parse('2031-03-10T14:01:00Z') - Date.now()) / 1_000);
  expect((await lessons.send(other, 'student', second, 'cancel')).status).toBe(409);
});
