/* The times that the menu for snoozing offers, in the administrator's time zone. */

const MORNING_HOUR = 9;
const MONDAY = 1;
const WEEK_DAYS = 7;

const morningIn = (days: number, now: Date) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);

/** Days until the next Monday: 7 on a Monday. */
const daysToMonday = (now: Date) => (MONDAY - now.getDay() + WEEK_DAYS) % WEEK_DAYS || WEEK_DAYS;

export const snoozeTimes = (now: Date) =>
  ({
    hour: new Date(now.getTime() + 3_600_000),
    tomorrow: morningIn(1, now),
    monday: morningIn(daysToMonday(now), now),
  }) as const;

/** A local time in the form of a `datetime-local` field. */
export function fieldTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
