import type { Texts } from '../texts.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;
const MONTHS_BEFORE_A_YEAR = 11;

/** The age in one unit, rounded down, from "1 second ago" (also for now and future times) to years. */
export function timeAgo(then: string, now: string, texts: Pick<Texts, 'ago'>): string {
  const seconds = Math.max(1, Math.floor((Date.parse(now) - Date.parse(then)) / 1_000));
  if (seconds < MINUTE) return texts.ago(seconds, 'second');
  if (seconds < HOUR) return texts.ago(Math.floor(seconds / MINUTE), 'minute');
  if (seconds < DAY) return texts.ago(Math.floor(seconds / HOUR), 'hour');
  if (seconds < WEEK) return texts.ago(Math.floor(seconds / DAY), 'day');
  if (seconds < MONTH) return texts.ago(Math.floor(seconds / WEEK), 'week');
  if (seconds < YEAR) return texts.ago(Math.min(Math.floor(seconds / MONTH), MONTHS_BEFORE_A_YEAR), 'month');
  return texts.ago(Math.floor(seconds / YEAR), 'year');
}
