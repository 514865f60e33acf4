import { z } from 'zod';
import { day, flag, formatted, integer } from '@tutoring/shared/kit/http/declare/fields';
import type { RuleViolation, ValidFields } from '@tutoring/shared/kit/http/read/validation';
import { texts } from '../texts.ts';
import { canonicalZone } from './time-zone.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const time = () => formatted('time', 5, (text) => TIME.test(text)).meta({ example: '09:00' });
const end = () => formatted('time', 5, (text) => TIME.test(text) || text === '24:00').meta({ example: '12:30' });

const weeklyHours = z
  .object({ day: integer({ min: 1, max: 7 }).meta({ example: 1 }), from: time(), to: end() })
  .meta({ id: 'WeeklyHours' });
const hoursOfDate = z
  .object({
    date: day().meta({ example: '2026-12-24' }),
    from: time(),
    to: end(),
    available: flag().meta({ example: false }),
  })
  .meta({ id: 'HoursOfDate' });

/** Hours in which a teacher gives lessons, as wall time in `time_zone`. */
export const availabilityFields = {
  time_zone: formatted('time-zone', 64, (text) => canonicalZone(text) !== undefined).meta({
    example: 'Africa/Abidjan',
  }),
  slot_minutes: integer({ min: 5, max: 480 }).meta({ example: 60 }),
  min_notice_minutes: integer({ min: 0, max: 43_200 }).meta({ example: 120 }),
  weekly: z.array(weeklyHours).max(100),
  exceptions: z.array(hoursOfDate).max(366),
};
export type Availability = z.infer<z.ZodObject<typeof availabilityFields>>;

/** The default: a teacher who has not set any hours. */
export const NO_HOURS: Availability = {
  time_zone: 'UTC',
  slot_minutes: 60,
  min_notice_minutes: 0,
  weekly: [],
  exceptions: [],
};

/** Times of day are compared as strings. */
function rangeViolations<Item extends { from: string; to: string }>(
  name: string,
  items: (Item | undefined)[],
  of: (item: Item) => unknown,
): RuleViolation[] {
  return items.flatMap((item, index): RuleViolation[] => {
    if (!item) return [];
    if (item.to <= item.from) return [[[name, index, 'to'], texts.availability.endsFirst]];
    const overlaps = (other: Item | undefined) =>
      other !== undefined && of(other) === of(item) && other.from < item.to && item.from < other.to;
    return items.slice(0, index).some(overlaps) ? [[[name, index, 'from'], texts.availability.overlaps]] : [];
  });
}

/** Violations for hours that end before they begin, or that overlap others of the same day. */
export const hoursViolations = (given: ValidFields<Availability>): RuleViolation[] => [
  ...rangeViolations('weekly', given.weekly ?? [], ({ day: weekday }) => weekday),
  ...rangeViolations('exceptions', given.exceptions ?? [], ({ date }) => date),
];
