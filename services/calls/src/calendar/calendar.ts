import { createHmac, timingSafeEqual } from 'node:crypto';

/** A user's feed. `generation`: how often the user has renewed the link. */
export interface Feed {
  user_id: number;
  platform: 'student' | 'teacher';
  generation: number;
}

/** A lesson in the calendar of a participant. */
export interface Lesson {
  id: number;
  starts_at: string;
  ends_at: string;
  note: string;
  /** Increases with each change of the lesson, and only then. */
  revision: number;
  revised_at: string;
  /** The name of the other participant. */
  with_name: string;
}

/** The keys of links: the first one signs, all are accepted. */
export type Keys = readonly Key[];
interface Key {
  secret: string;
}

const TOKEN = /^(\d{1,15})\.([\w-]{43})$/;

/** Derived from a key, so that access to the database is not enough to make a link. */
const macOf = ({ secret }: Key, { user_id, generation }: Feed) =>
  createHmac('sha256', secret).update(`calendar:${user_id}:${generation}`).digest();

/** The token in a user's link, signed with the first key. */
export const tokenOf = (keys: Keys, feed: Feed) => `${feed.user_id}.${macOf(keys[0]!, feed).toString('base64url')}`;

/** The user id in a token, which is not verified; undefined for a malformed token. */
export const ownerOf = (token: string): number | undefined => {
  const [, id] = TOKEN.exec(token) ?? [];
  return id === undefined ? undefined : Number(id);
};

export function isValidToken(keys: Keys, feed: Feed, token: string): boolean {
  const given = Buffer.from(TOKEN.exec(token)?.[2] ?? '', 'base64url');
  return keys.some((key) => timingSafeEqual(given, macOf(key, feed)));
}

/** Maximum octets in a line of iCalendar, without its line break. */
const LINE = 75;
const isInsideCharacter = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Folds a long line as RFC 5545 requires, but not inside a character. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LINE) return line;
  const bytes = Buffer.from(line);
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length;) {
    // The space at the start of a continuation line counts.
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

/** An iCalendar file of lessons. Times are in UTC; a calendar app shows them in its own time zone. */
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
  // The last line also ends with a line break.
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
