import { expect } from '@jest/globals';
import type { ServiceOptions } from '@tutoring/shared/testing/service';
import { startScene, type Party } from './scene.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }));

/** Formats `2031-05-01T09:00` as a timestamp of an answer. */
export const at = (time: string) => `${time}:00.000000Z`;
export const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id;

/** The clock of the service at the start of these tests. */
export const NOW = Date.parse('2031-03-01T00:00:00Z');

/** Starts the calls service with its clock in March 2031, for tests of bookings. */
export async function startLessons(env: Record<string, string> = {}, options: ServiceOptions = {}) {
  const scene = await startScene(env, options);
  const { service } = scene;
  await service.shiftClock((NOW - Date.now()) / 1_000);
  const student = ({ student: id }: Party) => service.api.student(id);
  const teacher = ({ teacher: id }: Party) => service.api.teacher(id);
  /** A student, and a teacher with hours around the clock in slots of half an hour. */
  async function pair(time_zone = 'UTC'): Promise<Party> {
    const parties = scene.party();
    const hours = { time_zone, slot_minutes: 30, min_notice_minutes: 0, weekly: EVERY_DAY, exceptions: [] };
    expect((await teacher(parties).put('/api/me/availability', hours)).status).toBe(200);
    return parties;
  }
  const book = (parties: Party, starts_at: string, more: object = {}) =>
    student(parties).post('/api/bookings', {
      teacher_id: parties.teacher,
      starts_at: at(starts_at),
      minutes: 60,
      call_type: 'video',
      ...more,
    });
  const send = (parties: Party, who: 'student' | 'teacher', id: number, action: string, body: object = {}) =>
    ({ student, teacher })[who](parties).post(`/api/bookings/${id}/${action}`, body);
  async function requestLesson(time: string) {
    const parties = await pair();
    return { parties, id: idOf(await book(parties, time)) };
  }
  return {
    ...scene,
    student,
    teacher,
    pair,
    book,
    /** The live events about a booking that a participant received, in order. */
    liveEventsTo: async (user: number, id: number) =>
      (await service.live()).filter(
        ({ to, event, data }) => event.startsWith('booking.') && data['id'] === id && to === `user.${user}`,
      ),
    /** The `booking.announced` events of a booking, in order. */
    announced: async (id: number) =>
      (await service.published('booking.announced')).filter(({ booking_id }) => booking_id === id),
    send,
    move: (parties: Party, who: 'student' | 'teacher', id: number, time: string) =>
      send(parties, who, id, 'reschedule', { starts_at: at(time) }),
    /** A requested lesson of a new pair. */
    requestLesson,
    /** A confirmed lesson of a new pair. */
    async confirmLesson(time: string) {
      const made = await requestLesson(time);
      expect((await send(made.parties, 'teacher', made.id, 'confirm')).status).toBe(200);
      return made;
    },
    /** The booking as its student lists it. */
    async listedBooking({ student: who }: Party, id: number) {
      const lists = await Promise.all(
        ['upcoming', 'past'].map((state) => service.api.student(who).get(`/api/bookings?state=${state}`)),
      );
      return lists
        .flatMap(({ body }) => body as { id: number; [key: string]: unknown }[])
        .find((each) => each.id === id);
    },
    setting: (name: string, value: number, version: number) =>
      service.receive('setting.changed', { name, value, version }),
    statusOf: async (id: number) =>
      (await service.rows<{ status: string }>('select status from booking where id = $1', [id]))[0]?.status,
  };
}

export type Lessons = Awaited<ReturnType<typeof startLessons>>;
