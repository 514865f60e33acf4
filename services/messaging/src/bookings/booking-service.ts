import { afterCommit, type Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { counted, fill, inEach } from '@tutoring/shared/language/localized';
import type { Language } from '@tutoring/shared/process/language';
import { shortened } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { DAY, type Notification } from '../push/push.ts';
import { dropNewsOf, enqueuePushes } from '../push/push-store.ts';
import { catalogue, type Texts } from '../texts.ts';

type Told = EventData<'booking.announced'>;

const REGION = { en: 'en-GB', fr: 'fr-FR' } satisfies Record<Language, string>;

/** When it begins, in the zone in which that was said. */
const beginning = ({ starts_at, time_zone }: Told, language: Language) =>
  new Intl.DateTimeFormat(REGION[language], {
    timeZone: time_zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(Date.parse(starts_at));

function bodyOf(told: Told, texts: Texts, language: Language): string {
  if (told.turn === 'reminder') return counted(texts.booking.reminder, told.minutes ?? 0, language);
  const text = fill(texts.booking[told.turn], { time: beginning(told, language) });
  return told.reason === undefined ? text : `${text} (${shortened(told.reason)})`;
}

/** What the devices of one of its people show of a booking; a later one replaces it. */
const bookingNotification = (told: Told, from: string): Notification => ({
  kind: 'booking',
  texts: inEach(catalogue, (texts, language) => ({
    title: from || texts.booking.someone,
    body: bodyOf(told, texts, language),
  })),
  data: { booking_id: String(told.booking_id), event: `booking.${told.turn}` },
  lifetime: told.turn === 'reminder' ? (told.minutes ?? 0) * 60 : DAY,
});

/** Notifies the devices of those whom a turn of a booking concerns. A reminder that comes too late is not sent. */
export async function followBookings(tx: Tx, { wakePush }: Parts, told: Told): Promise<void> {
  const { turn, starts_at, minutes = 0 } = told;
  const since = turn === 'reminder' ? new Date(Date.parse(starts_at) - minutes * 60_000).toISOString() : undefined;
  await dropNewsOf(
    tx,
    told.booking_id,
    told.to.map(({ user_id }) => user_id),
  );
  await enqueuePushes(
    tx,
    told.to.map(({ user_id: userId, from }) => ({
      userId,
      notification: bookingNotification(told, from),
      ...(since && { since }),
    })),
  );
  afterCommit(tx, wakePush);
}
