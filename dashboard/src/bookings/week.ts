/* Weeks in the reader's time zone, starting on Monday. Days are local dates: `2026-11-23`. */

const DAYS = 7;
const DAY_MS = 86_400_000;

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** The local date of a moment. */
export const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;

/** Noon of a local date. Unlike midnight, it exists on every day in every time zone. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00`);

/** The date some days later. */
export function dayAfter(day: string, days: number): string {
  const at = noonOf(day);
  at.setDate(at.getDate() + days);
  return dayOf(at);
}

/** The Monday of a date's week; for an invalid date, that of the current week. */
export function mondayOf(day: string | null, now = new Date()): string {
  const isDay = day !== null && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(noonOf(day).getTime());
  const start = isDay ? day : dayOf(now);
  return dayAfter(start, -((noonOf(start).getDay() + DAYS - 1) % DAYS));
}

/** The seven dates from a Monday. */
export const daysFrom = (monday: string): string[] => Array.from({ length: DAYS }, (_, days) => dayAfter(monday, days));

/** UTC days that cover the whole week in every time zone. */
export function utcSpanOf(monday: string): { starts_from: string; starts_to: string } {
  const utc = (days: number) => new Date(Date.parse(`${monday}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return { starts_from: utc(-1), starts_to: utc(DAYS) };
}
