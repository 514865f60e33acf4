import { expect } from '@jest/globals';
import { startScene, type Party } from './scene.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }));

/** `2031-05-01T09:00` as answers have it. */
export const at = (time: string) => `${time}:00.000000Z`;
export const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id;

/** What the tests that say no other time book is in the year after this. */
const NOW = Date.parse('2031-03-01T00:00:00Z');

/** Starts calls, for people who book lessons, in March 2031. */
export async function startLessons() {
  const scene = await startScene();
  const { service } = scene;
  await service.shiftClock((NOW - Date.now()) / 1_000);
  const student = ({ student: id }: Party) => service.api.student(id);
  const teacher = ({ teacher: id }: Party) => service.api.teacher(id);
  return {
    ...scene,
    student,
    teacher,
    /** Two people, of whom the teacher is there day and night, in slots of half an hour. */
    async pair(time_zone = 'UTC'): Promise<Party> {
      const parties = scene.party();
      const hours = { time_zone, slot_minutes: 30, min_notice_minutes: 0, weekly: EVERY_DAY, exceptions: [] };
      expect((await teacher(parties).put('/api/me/availability', hours)).status).toBe(200);
      return parties;
    },
    book: (parties: Party, starts_at: string, more: object = {}) =>
      student(parties).post('/api/bookings', {
        teacher_id: parties.teacher,
        starts_at: at(starts_at),
        minutes: 60,
        call_type: 'video',
        ...more,
      }),
    /** The live events about a booking that one of its people got, in their order. */
    heardBy: async (user: number, id: number) =>
      (await service.live()).filter(
        ({ to, event, data }) => event.startsWith('booking.') && data['id'] === id && to === `user.${user}`,
      ),
    /** What the devices of people heard of a booking, in its order. */
    announced: async (id: number) =>
      (await service.published('booking.announced')).filter(({ booking_id }) => booking_id === id),
    setting: (name: string, value: number, version: number) =>
      service.receive('setting.changed', { name, value, version }),
    statusOf: async (id: number) =>
      (await service.rows<{ status: string }>('select status from booking where id = $1', [id]))[0]?.status,
  };
}

export type Lessons = Awaited<ReturnType<typeof startLessons>>;
