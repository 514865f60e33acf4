import { afterCommit, type Tx } from '@tutoring/shared/kit/database/open';
import type { EventData } from '@tutoring/shared/contract/events';
import { pluralize, fill, mapLanguages } from '@tutoring/shared/kit/language/localized';
import type { Language } from '@tutoring/shared/kit/process/language';
import { shortened } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { DAY, type Notification } from '../push/push.ts';
import { countLessonPush, dropPushesAbout, enqueuePushes, type Addressed } from '../push/push-store.ts';
import { catalogue, type Texts } from '../texts.ts';

type Announcement = EventData<'booking.announced'>;

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

/** The start as text with the name of its zone, because the student's zone is unknown. An unknown zone becomes UTC. */
function startText(starts_at: string, zone: string, language: Language): string {
  const time = Date.parse(starts_at);
  try {
    if (zone !== 'UTC') return `${clock(zone, language, { timeZoneName: 'shortOffset' }).format(time)} (${zone})`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return `${clock('UTC', language).format(time)} UTC`;
}

function bodyOf(booking: Announcement, texts: Texts, language: Language): string {
  if (booking.turn === 'reminder') return pluralize(texts.booking.reminder, booking.minutes ?? 0, language);
  const stays = booking.turn === 'declined' && booking.stays_at !== undefined;
  const time = startText(booking.stays_at ?? booking.starts_at, booking.time_zone, language);
  const text = fill(stays ? texts.booking.stays : texts.booking[booking.turn], { time });
  return booking.reason === undefined ? text : `${text} (${shortened(booking.reason)})`;
}

/** The notification of a booking for one of its two people; a later one replaces it on the device. */
const bookingNotification = (booking: Announcement, from: string): Notification => ({
  kind: 'booking',
  texts: mapLanguages(catalogue, (texts, language) => ({
    title: from || texts.booking.someone,
    body: bodyOf(booking, texts, language),
  })),
  data: {
    booking_id: String(booking.booking_id),
    event: `booking.${booking.turn}`,
    ...((booking.is_new || booking.turn === 'requested') && { is_new: 'true' }),
  },
  lifetime: booking.turn === 'reminder' ? (booking.minutes ?? 0) * 60 : DAY,
});

/** The announcement for a user who was never notified of the booking; undefined for a canceled booking. */
function firstAnnouncement(booking: Announcement): Announcement | undefined {
  if (booking.turn === 'canceled') return undefined;
  return { ...booking, is_new: true, turn: booking.turn === 'rescheduled' ? 'requested' : booking.turn };
}

/**
 * Queues notifications about a change of a booking for the people concerned. A late reminder is not sent. Above an
 * hourly limit for each pair of people, notifications wait until the hour ends; those of bookings canceled by then are
 * dropped.
 */
export async function followBookings(tx: Tx, { wakePush }: Parts, booking: Announcement): Promise<void> {
  const { turn, starts_at, minutes = 0, by_user_id: by } = booking;
  const since = turn === 'reminder' ? new Date(Date.parse(starts_at) - minutes * 60_000).toISOString() : undefined;
  const userIds = booking.to.map(({ user_id }) => user_id);
  const unaware = await dropPushesAbout(tx, booking.booking_id, userIds);
  const addressed: Addressed[] = [];
  for (const { user_id: userId, from } of booking.to) {
    const announced = unaware.has(userId) ? firstAnnouncement(booking) : booking;
    if (!announced) continue;
    const notBefore = by === undefined ? undefined : await countLessonPush(tx, userId, by);
    const notification = bookingNotification(announced, from);
    addressed.push({ userId, notification, ...(since && { since }), ...(notBefore && { notBefore }) });
  }
  await enqueuePushes(tx, addressed);
  afterCommit(tx, wakePush);
}
