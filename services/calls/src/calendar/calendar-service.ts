import type { UserCaller } from '@tutoring/shared/identity/auth';
import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { fill } from '@tutoring/shared/language/localized';
import { listConfirmed } from '../bookings/booking-store.ts';
import type { People } from '../copies/person-service.ts';
import { calendarNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import { calendarText, isToken, ownerOf, tokenOf } from './calendar.ts';
import { findFeed, renewFeed } from './calendar-store.ts';

export const CALENDAR_PATH = '/api/bookings.ics';

/** `secret`: what the tokens of links are derived from. */
export function createCalendars(deps: { database: Database; people: People; publicUrl: string; secret: string }) {
  const { database, people, publicUrl, secret } = deps;

  async function linkOf({ id }: UserCaller): Promise<{ url: string }> {
    await people.find([id]);
    const feed = await findFeed(database.manager, id);
    assertThat(feed, calendarNotFound);
    return { url: `${publicUrl}${CALENDAR_PATH}?token=${tokenOf(secret, feed)}` };
  }

  return {
    linkOf,

    /** Ends the link that was, and returns the new one. */
    async renew(caller: UserCaller): Promise<{ url: string }> {
      await database.transact((tx) => renewFeed(tx, caller.id));
      return linkOf(caller);
    },

    /** The confirmed bookings of whose link it is, as iCalendar. Throws not_found for a link that is none, or no more. */
    async read(token: string): Promise<string> {
      const userId = ownerOf(token);
      const feed = userId === undefined ? undefined : await findFeed(database.manager, userId);
      assertThat(feed && isToken(secret, feed, token), calendarNotFound);
      const bookings = await listConfirmed(database.manager, feed.user_id);
      const otherOf = (booking: { student_id: number; teacher_id: number }) =>
        booking.student_id === feed.user_id ? booking.teacher_id : booking.student_id;
      const faceOf = await people.faces([...new Set(bookings.map(otherOf))]);
      return calendarText(bookings, {
        name: texts.calendar.name,
        host: new URL(publicUrl).hostname,
        summaryOf: (booking) => fill(texts.calendar.lesson, { name: faceOf(otherOf(booking)).name }),
      });
    },
  };
}

export type Calendars = ReturnType<typeof createCalendars>;
