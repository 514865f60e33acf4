import { createHmac, timingSafeEqual } from 'node:crypto';

/** How often a person has renewed their link. */
export interface Feed {
  user_id: number;
  platform: 'student' | 'teacher';
  generation: number;
}

/** A lesson as a calendar shows it to one of its people. */
export interface Lesson {
  id: number;
  starts_at: string;
  ends_at: string;
  note: string;
  /** Rises with each change of the lesson, and with nothing else. */
  revision: number;
  revised_at: string;
  /** The name of the other person. */
  with_name: string;
}

/** Of links: the first one makes them, all of them open. */
export type Keys = readonly Key[];
interface Key {
  secret: string;
}

const TOKEN = /^(\d{1,15})\.([\w-]{43})$/;

/** Derived, so that the database alone gives nobody a link. */
const macOf = ({ secret }: Key, { user_id, generation }: Feed) =>
  createHmac('sha256', secret).update(`calendar:${user_id}:${generation}`).digest();

/** The secret part of a person's link, by the first of these keys. */
export const tokenOf = (keys: Keys, feed: Feed) => `${feed.user_id}.${macOf(keys[0]!, feed).toString('base64url')}`;

/** Whose link it seems to be; undefined for what has not its form. */
export const ownerOf = (token: string): number | undefined => {
  const [, id] = TOKEN.exec(token) ?? [];
  return id === undefined ? undefined : Number(id);
};

export function isToken(keys: Keys, feed: Feed, token: string): boolean {
  const given = Buffer.from(TOKEN.exec(token)?.[2] ?? '', 'base64url');
  return keys.some((key) => timingSafeEqual(given, macOf(key, feed)));
}

/** Octets in a line of iCalendar, without its break. */
const LINE = 75;
const isInsideCharacter = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** A line as RFC 5545 wants it: continued on the next one where it is too long, never inside a character. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LINE) return line;
  const bytes = Buffer.from(line);
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length;) {
    // The blank at the beginning of a continuation counts.
    let to = Math.min(bytes.length, from + (from === 0 ? LINE : LINE - 1));
    while (isInsideCharacter(bytes[to])) to -= 1;
    pieces.push(bytes.toString('utf8', from, to));
    from = to;
  }
  return pieces.join('\r\n ');
}

const escaped = (text: string) => text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);

/** `2031-05-01T09:00:00.000000Z` as `20310501T090000Z`. */
const utc = (at: string) => `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

interface Calendar {
  name: string;
  host: string;
  summaryOf: (lesson: Lesson) => string;
}

const eventLines = (lesson: Lesson, { host, summaryOf }: Calendar) => [
  'BEGIN:VEVENT',
  `UID:booking-${lesson.id}@${host}`,
  `SEQUENCE:${lesson.revision}`,
  `DTSTAMP:${utc(lesson.revised_at)}`,
  `DTSTART:${utc(lesson.starts_at)}`,
  `DTEND:${utc(lesson.ends_at)}`,
  `SUMMARY:${escaped(summaryOf(lesson))}`,
  ...(lesson.note ? [`DESCRIPTION:${escaped(lesson.note)}`] : []),
  'STATUS:CONFIRMED',
  'END:VEVENT',
];

/** An iCalendar file of lessons; times are instants in UTC, which every calendar shows in its own zone. */
export function calendarText(lessons: Lesson[], calendar: Calendar): string {
  const { name, host } = calendar;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${host}//lessons//EN`,
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...lessons.flatMap((lesson) => eventLines(lesson, calendar)),
    'END:VCALENDAR',
  ];
  // Each line ends with a break, the last one too.
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
