import { createHash } from 'node:crypto';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import { assertThat } from '@tutoring/shared/kit/errors';
import { fill } from '@tutoring/shared/kit/language/localized';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import type { Parts } from '../parts.ts';
import { calendarNotFound, calendarReadTooOften } from '../errors.ts';
import { texts } from '../texts.ts';
import { createCalendarCache, createReadLimit } from './calendar-cache.ts';
import { calendarText, isValidToken, ownerOf, tokenOf, type Feed } from './calendar.ts';
import { findFeed, listLessons, renewFeed, versionOfLessons } from './calendar-store.ts';

export const CALENDAR_PATH = '/api/bookings.ics';

/** To be raised in a release that changes the text of the same lessons. */
const FORMAT = 1;

export interface CalendarFile {
  /** The ETag. */
  tag: string;
  /** Concurrent readers share the result. */
  read: () => Promise<Buffer>;
}

export function createCalendars({ database, people, publicUrl, calendarKeys: keys }: Parts) {
  const host = new URL(publicUrl).hostname;
  const retryAfterOf = createReadLimit();
  const cachedText = createCalendarCache();

  async function linkOf({ id }: UserCaller): Promise<{ url: string }> {
    await people.find([id]);
    const feed = await findFeed(database.manager, id);
    assertThat(feed, calendarNotFound);
    return { url: `${publicUrl}${CALENDAR_PATH}?token=${tokenOf(keys, feed)}` };
  }

  const write = async (feed: Feed) => {
    const { name, lesson } = texts.calendar;
    const lessons = await listLessons(database.manager, feed);
    const summaryOf = (shown: { with_name: string }) => fill(lesson, { name: shown.with_name });
    return Buffer.from(calendarText(lessons, { name, host, summaryOf }));
  };

  return {
    linkOf,

    /** Revokes the current link and returns a new one. */
    async renew(caller: UserCaller): Promise<{ url: string }> {
      await database.transact((tx) => renewFeed(tx, caller.id));
      return linkOf(caller);
    },

    /**
     * The lessons of a link's owner, as iCalendar. Throws not_found for an unknown or revoked link; rate_limited for a
     * link that is read too often.
     */
    async open(token: string): Promise<CalendarFile> {
      const userId = ownerOf(token);
      const feed = userId === undefined ? undefined : await findFeed(database.manager, userId);
      assertThat(feed && isValidToken(keys, feed, token), calendarNotFound);
      const retryAfter = retryAfterOf(feed.user_id);
      if (retryAfter !== undefined) throw calendarReadTooOften(retryAfter);
      const version = await versionOfLessons(database.manager, feed);
      const language = currentLanguage();
      const facts = [FORMAT, host, language, feed.user_id, version].join(' ');
      const tag = `"${createHash('sha256').update(facts).digest('base64url')}"`;
      return { tag, read: () => cachedText(`${feed.user_id} ${language}`, tag, () => write(feed)) };
    },
  };
}
