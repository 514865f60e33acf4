import { counted } from '@tutoring/shared/language/localized';
import type { Language } from '@tutoring/shared/process/language';
import { catalogue } from '../texts.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;
const MONTHS_BEFORE_A_YEAR = 11;

/** The age in one unit, rounded down, from "1 second ago" (also for now and future times) to years. */
export function timeAgo(then: string, now: string, language: Language): string {
  const { ago } = catalogue[language];
  const seconds = Math.max(1, Math.floor((Date.parse(now) - Date.parse(then)) / 1_000));
  const said = (unit: keyof typeof ago, count: number) => counted(ago[unit], Math.floor(count), language);
  if (seconds < MINUTE) return said('second', seconds);
  if (seconds < HOUR) return said('minute', seconds / MINUTE);
  if (seconds < DAY) return said('hour', seconds / HOUR);
  if (seconds < WEEK) return said('day', seconds / DAY);
  if (seconds < MONTH) return said('week', seconds / WEEK);
  if (seconds < YEAR) return said('month', Math.min(seconds / MONTH, MONTHS_BEFORE_A_YEAR));
  return said('year', seconds / YEAR);
}
