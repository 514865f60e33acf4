import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { at, idOf, startLessons, type Lessons } from './lessons.ts';

let lessons: Lessons;
beforeAll(async () => {
  lessons = await startLessons();
});
afterAll(() => lessons.stop());

/* Requests are repeated while the service is too busy for them. */
const send = (...given: Parameters<Lessons['send']>) => retryWhile503(() => lessons.send(...given));
const move = (...given: Parameters<Lessons['move']>) => retryWhile503(() => lessons.move(...given));
const listedBooking = (...given: Parameters<Lessons['listedBooking']>) => lessons.listedBooking(...given);
const confirmLesson = (time: string) => lessons.confirmLesson(time);
const turnsOf = async (id: number) => (await lessons.announced(id)).map(({ turn }) => turn);

describe('concurrent requests', () => {
  test('to confirm a time and to move the lesson confirm only the time that the teacher has seen', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { parties, id } = await lessons.requestLesson('2031-04-04T09:00');
      const starts_at = at('2031-04-04T09:00');
      const [answer, moved] = await Promise.all([
        send(parties, 'teacher', id, 'confirm', { starts_at }),
        move(parties, 'student', id, '2031-04-04T15:00'),
      ]);
      expect([moved.status, [200, 409].includes(answer.status)]).toEqual([200, true]);
      expect(await listedBooking(parties, id)).toMatchObject(
        answer.status === 200
          ? { status: 'confirmed', starts_at, proposed_starts_at: at('2031-04-04T15:00') }
          : { status: 'requested', starts_at: at('2031-04-04T15:00'), proposed_starts_at: null },
      );
    }
  });

  test('to confirm and to decline a proposal have one effect', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { parties, id } = await confirmLesson('2031-04-14T09:00');
      await move(parties, 'student', id, '2031-04-14T12:00');
      const starts_at = at('2031-04-14T12:00');
      const answers = await Promise.all(
        ['confirm', 'decline', 'confirm', 'decline'].map((answer) =>
          send(parties, 'teacher', id, answer, { starts_at }),
        ),
      );
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      expect((await turnsOf(id)).slice(3)).toHaveLength(1);
      expect(await listedBooking(parties, id)).toMatchObject({ status: 'confirmed', proposed_starts_at: null });
    }
  });

  test('of two moves and a booking for the same time succeed once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await confirmLesson('2031-04-15T09:00');
      const other = { ...lessons.party(), teacher: one.parties.teacher };
      const second = idOf(await lessons.book(other, '2031-04-15T11:00'));
      await send(other, 'teacher', second, 'confirm');
      const third = { ...lessons.party(), teacher: one.parties.teacher };
      const answers = await Promise.all([
        move(one.parties, 'student', one.id, '2031-04-15T15:00'),
        move(other, 'student', second, '2031-04-15T15:30'),
        retryWhile503(() => lessons.book(third, '2031-04-15T15:00')),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    }
  });

  test('to move by both sides leave the later proposal to be answered by the other side', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { parties, id } = await confirmLesson('2031-04-16T09:00');
      const [byStudent, byTeacher] = await Promise.all([
        move(parties, 'student', id, '2031-04-16T12:00'),
        move(parties, 'teacher', id, '2031-04-16T14:00'),
      ]);
      expect([byStudent.status, byTeacher.status]).toEqual([200, 200]);
      const { proposed_starts_at: proposed } = (await listedBooking(parties, id))!;
      const [loser, winner] =
        proposed === at('2031-04-16T12:00') ? (['student', 'teacher'] as const) : (['teacher', 'student'] as const);
      expect((await send(parties, loser, id, 'confirm')).status).toBe(403);
      expect((await send(parties, winner, id, 'confirm')).status).toBe(200);
    }
  });

  test('to cancel a lesson and to confirm a move leave it canceled', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { parties, id } = await confirmLesson('2031-04-17T09:00');
      await move(parties, 'student', id, '2031-04-17T12:00');
      const [canceled, answer] = await Promise.all([
        send(parties, 'student', id, 'cancel'),
        send(parties, 'teacher', id, 'confirm'),
      ]);
      expect([canceled.status, [200, 409].includes(answer.status)]).toEqual([200, true]);
      expect(await listedBooking(parties, id)).toMatchObject({ status: 'canceled', proposed_starts_at: null });
    }
  });

  test('for many lessons do not exceed the limits of unanswered requests', async () => {
    const { student, teacher } = await lessons.pair();
    const teachers = await Promise.all(Array.from({ length: 5 }, () => lessons.pair()));
    const wishes = [...teachers.map((pair) => pair.teacher), teacher].flatMap((id, place) =>
      Array.from({ length: 4 }, (_, hour) => ({
        parties: { student, teacher: id },
        time: `2031-04-${20 + place}T${10 + hour}:00`,
      })),
    );
    const answers = await Promise.all(
      wishes.map(({ parties, time }) => retryWhile503(() => lessons.book(parties, time))),
    );
    const made = answers.flatMap(({ status }, place) => (status === 200 ? [wishes[place]!.parties.teacher] : []));
    expect(made).toHaveLength(10);
    for (const ofTeacher of Map.groupBy(made, (id) => id).values()) expect(ofTeacher.length).toBeLessThanOrEqual(3);
  });
});
