import type { Column, Day } from './day.ts';

/* Periods of the overview, in UTC days like the server's statistics. */

export const PERIODS = [7, 30, 90, 365] as const;
export type Period = (typeof PERIODS)[number];

export const toPeriod = (text: string | null): Period => PERIODS.find((days) => String(days) === text) ?? 30;

const DAY_MS = 86_400_000;
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The `days` days that end `back` days before the day of `now`. */
export function span(days: number, back: number, now = Date.now()): { from: string; to: string } {
  const last = now - back * DAY_MS;
  return { from: isoDay(last - (days - 1) * DAY_MS), to: isoDay(last) };
}

/** The change from `before` to `now` in rounded percent; undefined if either is missing or `before` is 0. */
export const changeOf = (now: number | undefined, before: number | undefined): number | undefined =>
  now === undefined || before === undefined || before === 0 ? undefined : Math.round(((now - before) / before) * 100);

/** The sum of some columns over all days. */
export const sumOf = (days: Day[], columns: Column[]): number =>
  days.reduce((sum, day) => sum + columns.reduce((daySum, column) => daySum + day[column], 0), 0);

/** The mean rating over all reviews; undefined without reviews. */
export function meanOf(days: Day[]): number | undefined {
  const reviews = sumOf(days, ['reviews']);
  return reviews === 0 ? undefined : days.reduce((stars, day) => stars + day.rating * day.reviews, 0) / reviews;
}
