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

export const createCalendarState = () => ({ retryAfterOf: createReadLimit(), cachedText: createCalendarCache() });
type CalendarState = ReturnType<typeof createCalendarState>;

export async function linkOf(parts: Parts, { id }: UserCaller): Promise<{ url: string }> {
  await parts.people.find([id]);
  const feed = await findFeed(parts.database.manager, id);
  assertThat(feed, calendarNotFound);
  return { url: `${parts.publicUrl}${CALENDAR_PATH}?token=${tokenOf(parts.config.CALENDAR_KEYS, feed)}` };
}

async function write(parts: Parts, feed: Feed) {
  const { name, lesson } = texts.calendar;
  const lessons = await listLessons(parts.database.manager, feed);
  const summaryOf = (shown: { with_name: string }) => fill(lesson, { name: shown.with_name });
  return Buffer.from(calendarText(lessons, { name, host: new URL(parts.publicUrl).hostname, summaryOf }));
}

/** Revokes the current link and returns a new one. */
export async function renew(parts: Parts, caller: UserCaller): Promise<{ url: string }> {
  await parts.database.transact((tx) => renewFeed(tx, caller.id));
  return linkOf(parts, caller);
}

/**
 * The lessons of a link's owner, as iCalendar. Throws not_found for an unknown or revoked link; rate_limited for a
 * link that is read too often.
 */
export async function open(
  parts: Parts,
  { retryAfterOf, cachedText }: CalendarState,
  token: string,
): Promise<CalendarFile> {
  const userId = ownerOf(token);
  const feed = userId === undefined ? undefined : await findFeed(parts.database.manager, userId);
  assertThat(feed && isValidToken(parts.config.CALENDAR_KEYS, feed, token), calendarNotFound);
  const retryAfter = retryAfterOf(feed.user_id);
  if (retryAfter !== undefined) throw calendarReadTooOften(retryAfter);
  const version = await versionOfLessons(parts.database.manager, feed);
  const language = currentLanguage();
  const facts = [FORMAT, new URL(parts.publicUrl).hostname, language, feed.user_id, version].join(' ');
  const tag = `"${createHash('sha256').update(facts).digest('base64url')}"`;
  return { tag, read: () => cachedText(`${feed.user_id} ${language}`, tag, () => write(parts, feed)) };
}
