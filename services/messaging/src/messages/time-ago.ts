import { pluralize } from '@tutoring/shared/kit/language/localized';
import type { Language } from '@tutoring/shared/kit/process/language';
import { catalogue } from '../texts.ts';

const DAY = 24 * 60 * 60;
/** In seconds, the longest first. */
const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', 60 * 60],
  ['minute', 60],
] as const;
const MONTHS_BEFORE_A_YEAR = 11;

/** The age in one unit, rounded down, from "1 second ago" (also for now and future times) to years. */
export function timeAgo(then: string, now: string, language: Language): string {
  const { ago } = catalogue[language];
  const seconds = Math.max(1, Math.floor((Date.parse(now) - Date.parse(then)) / 1_000));
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? (['second', 1] as const);
  const count = Math.floor(seconds / length);
  return pluralize(ago[unit], unit === 'month' ? Math.min(count, MONTHS_BEFORE_A_YEAR) : count, language);
}
