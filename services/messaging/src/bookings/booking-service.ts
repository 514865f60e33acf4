import { afterCommit, type Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { counted, fill, inEach } from '@tutoring/shared/language/localized';
import type { Language } from '@tutoring/shared/process/language';
import { shortened } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { DAY, type Notification } from '../push/push.ts';
import { countNews, dropNewsOf, enqueuePushes, type Addressed } from '../push/push-store.ts';
import { catalogue, type Texts } from '../texts.ts';

type Told = EventData<'booking.announced'>;

const REGION = { en: 'en-GB', fr: 'fr-FR' } satisfies Record<Language, string>;

const clock = (timeZone: string, language: Language, zoneName: Intl.DateTimeFormatOptions = {}) =>
  new Intl.DateTimeFormat(REGION[language], {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    ...zoneName,
  });

/** When it begins, in a zone that is named: a student's own is not known. A zone that nobody knows any more becomes UTC. */
function beginning(starts_at: string, zone: string, language: Language): string {
  const time = Date.parse(starts_at);
  try {
    if (zone !== 'UTC') return `${clock(zone, language, { timeZoneName: 'shortOffset' }).format(time)} (${zone})`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return `${clock('UTC', language).format(time)} UTC`;
}

function bodyOf(told: Told, texts: Texts, language: Language): string {
  if (told.turn === 'reminder') return counted(texts.booking.reminder, told.minutes ?? 0, language);
  const stays = told.turn === 'declined' && told.stays_at !== undefined;
  const time = beginning(told.stays_at ?? told.starts_at, told.time_zone, language);
  const text = fill(stays ? texts.booking.stays : texts.booking[told.turn], { time });
  return told.reason === undefined ? text : `${text} (${shortened(told.reason)})`;
}

/** What the devices of one of its people show of a booking; a later one replaces it. */
const bookingNotification = (told: Told, from: string): Notification => ({
  kind: 'booking',
  texts: inEach(catalogue, (texts, language) => ({
    title: from || texts.booking.someone,
    body: bodyOf(told, texts, language),
  })),
  data: {
    booking_id: String(told.booking_id),
    event: `booking.${told.turn}`,
    ...((told.is_new || told.turn === 'requested') && { is_new: 'true' }),
  },
  lifetime: told.turn === 'reminder' ? (told.minutes ?? 0) * 60 : DAY,
});

/** The news for somebody who has heard nothing of the booking yet; undefined when there is nothing to hear any more. */
function firstNews(told: Told): Told | undefined {
  if (told.turn === 'canceled') return undefined;
  return { ...told, is_new: true, turn: told.turn === 'rescheduled' ? 'requested' : told.turn };
}

/**
 * Notifies the devices of those whom a turn of a booking concerns. A reminder that comes too late is not sent. Beyond a
 * few an hour, what one person causes waits for the end of the hour, and of a booking that is gone by then nobody hears.
 */
export async function followBookings(tx: Tx, { wakePush }: Parts, told: Told): Promise<void> {
  const { turn, starts_at, minutes = 0, by_user_id: by } = told;
  const since = turn === 'reminder' ? new Date(Date.parse(starts_at) - minutes * 60_000).toISOString() : undefined;
  const userIds = told.to.map(({ user_id }) => user_id);
  const unheard = await dropNewsOf(tx, told.booking_id, userIds);
  const addressed: Addressed[] = [];
  for (const { user_id: userId, from } of told.to) {
    const news = unheard.has(userId) ? firstNews(told) : told;
    if (!news) continue;
    const notBefore = by === undefined ? undefined : await countNews(tx, userId, by);
    const notification = bookingNotification(news, from);
    addressed.push({ userId, notification, ...(since && { since }), ...(notBefore && { notBefore }) });
  }
  await enqueuePushes(tx, addressed);
  afterCommit(tx, wakePush);
}
