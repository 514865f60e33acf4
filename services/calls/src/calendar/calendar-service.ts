import type { UserCaller } from '@tutoring/shared/identity/auth';
import { assertThat } from '@tutoring/shared/errors';
import { fill } from '@tutoring/shared/language/localized';
import { listConfirmed } from '../bookings/booking-store.ts';
import type { Parts } from '../parts.ts';
import { calendarNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import { calendarText, isToken, ownerOf, tokenOf } from './calendar.ts';
import { findFeed, renewFeed } from './calendar-store.ts';

export const CALENDAR_PATH = '/api/bookings.ics';

export function createCalendars({ database, people, publicUrl, roomNamespace: secret }: Parts) {
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
      return calendarText(bookings, {
        name: texts.calendar.name,
        host: new URL(publicUrl).hostname,
        summaryOf: ({ student_id, student_name, teacher_name }) =>
          fill(texts.calendar.lesson, { name: student_id === feed.user_id ? teacher_name : student_name }),
      });
    },
  };
}
