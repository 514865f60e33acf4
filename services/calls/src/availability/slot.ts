import type { Availability } from './availability.ts';
import { canonicalZone } from './time-zone.ts';

/*
 * Weekly hours are wall time in a time zone, slots are instants. A slot begins on the grid of a window of hours and
 * would end within that window by wall time. Its length is elapsed time, and each of its minutes lies in the hours. So
 * an hour that a clock change skips has no slots, and an hour that is repeated has its slots at both instants. Windows
 * that meet at midnight are joined; the grid begins at the start of the joined window. All times are milliseconds since
 * 1970. Ranges exclude their end.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface Range {
  from: number;
  to: number;
}

/** Sorts ranges and merges those that overlap; with `joined` also those that touch. */
export function merged(ranges: Range[], { joined = false } = {}): Range[] {
  const result: Range[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && (joined ? from <= last.to : from < last.to)) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** Subtracts `others` from `ranges` in linear time; both must be sorted and without overlaps. */
function subtract(ranges: Range[], others: Range[]): Range[] {
  const remaining: Range[] = [];
  let index = 0;
  for (const range of ranges) {
    while (index < others.length && others[index]!.to <= range.from) index += 1;
    let { from } = range;
    for (let next = index; next < others.length && others[next]!.from < range.to; next += 1) {
      const other = others[next]!;
      if (other.from > from) remaining.push({ from, to: other.from });
      from = other.to;
    }
    if (from < range.to) remaining.push({ from, to: range.to });
  }
  return remaining;
}

/** Splits `range` where the zone's offset from UTC changes. Yields nothing for a zone that is no longer known. */
function* splitByOffset(range: Range, name: string) {
  const zone = canonicalZone(name);
  if (zone === undefined) return;
  for (let { from } = range; from < range.to;) {
    const time = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
    const next = time.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
    const to = Math.min(next, range.to);
    yield { from, to, offset: time.offsetNanoseconds / 1e6 };
    from = to;
  }
}

const sinceMidnight = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE;
};
const timesOf = ({ from, to }: { from: string; to: string }) => ({ from: sinceMidnight(from), to: sinceMidnight(to) });

/** The hours of a day, since its midnight: `open` before and `remaining` after subtraction of the exceptions. */
interface DayHours {
  open: Range[];
  remaining: Range[];
}

/** Returns a function that gives the hours of a day by its midnight in wall time. */
function hoursByDay({ weekly, exceptions }: Availability): (midnight: number) => DayHours {
  const ofDay = Map.groupBy(weekly, ({ day }) => day);
  const ofDate = Map.groupBy(exceptions, ({ date }) => Date.parse(date));
  const hours = (day: number, exceptional: Availability['exceptions'] = []): DayHours => {
    const added = exceptional.filter(({ available }) => available);
    const open = merged([...(ofDay.get(day) ?? []), ...added].map(timesOf));
    const closed = exceptional.filter(({ available }) => !available).map(timesOf);
    return { open, remaining: subtract(open, merged(closed)) };
  };
  const ordinaryDays = [1, 2, 3, 4, 5, 6, 7].map((day) => hours(day));
  const exceptionalDays = new Map<number, DayHours>();
  return (midnight) => {
    // 1970 began on a Thursday.
    const weekday = (((midnight / DAY + 3) % 7) + 7) % 7;
    const exceptional = ofDate.get(midnight);
    if (!exceptional) return ordinaryDays[weekday]!;
    const cached = exceptionalDays.get(midnight) ?? hours(weekday + 1, exceptional);
    exceptionalDays.set(midnight, cached);
    return cached;
  };
}

const isWholeDay = ({ open: [first] }: DayHours) => first?.from === 0 && first.to === DAY;
const WEEK = [0, 1, 2, 3, 4, 5, 6].map((day) => day * DAY);

/**
 * Returns a function that gives a teacher's hours in a range of wall time. Windows that meet at midnight are joined,
 * except when the weekly hours cover the whole week: then each day is a window.
 */
function windowsOf(availability: Availability): (wall: Range) => DayHours {
  const dayAt = hoursByDay(availability);
  const ordinaryHours = hoursByDay({ ...availability, exceptions: [] });
  const isOpenAllWeek = WEEK.every((midnight) => isWholeDay(ordinaryHours(midnight)));
  const continuesPreviousDay = (midnight: number) =>
    !isOpenAllWeek && dayAt(midnight).open[0]?.from === 0 && dayAt(midnight - DAY).open.at(-1)?.to === DAY;
  /** The start of the joined window that contains the day's first hours; it may lie days before. */
  const windowStart = (midnight: number) => {
    let first = midnight;
    while (continuesPreviousDay(first) && (first === midnight || isWholeDay(dayAt(first)))) first -= DAY;
    return first + (first === midnight ? dayAt(first).open[0]! : dayAt(first).open.at(-1)!).from;
  };
  return ({ from, to }) => {
    const open: Range[] = [];
    const remaining: Range[] = [];
    for (let midnight = Math.floor(from / DAY) * DAY; midnight < to; midnight += DAY) {
      const day = dayAt(midnight);
      const at = (range: Range) => ({ from: midnight + range.from, to: midnight + range.to });
      const [first, ...others] = day.open.map(at);
      if (first && open.length > 0 && continuesPreviousDay(midnight)) open.at(-1)!.to = first.to;
      else if (first) open.push({ ...first, from: windowStart(midnight) });
      open.push(...others);
      remaining.push(...day.remaining.map(at));
    }
    return { open, remaining };
  };
}

/** `starts`: the possible starts of slots, sorted; `open`: the teacher's hours, in which slots must lie. */
export interface Grid {
  starts: number[];
  open: Range[];
}

/** The grid of the slots that begin in `window`, free and taken. */
export function gridOf(availability: Availability, window: Range): Grid {
  const length = availability.slot_minutes * MINUTE;
  const windows = windowsOf(availability);
  const open: Range[] = [];
  const starts: number[] = [];
  for (const { from, to, offset } of splitByOffset(
    { from: window.from, to: window.to + length },
    availability.time_zone,
  )) {
    const wall = { from: from + offset, to: to + offset };
    const hours = windows({ from: wall.from, to: wall.to + length });
    for (const range of hours.remaining) {
      const part = { from: Math.max(range.from, wall.from) - offset, to: Math.min(range.to, wall.to) - offset };
      if (part.from < part.to) open.push(part);
    }
    for (const range of hours.open) {
      const last = Math.min(range.to - length, wall.to - 1, window.to + offset - 1);
      const skipped = Math.max(0, Math.ceil((wall.from - range.from) / length));
      for (let time = range.from + skipped * length; time <= last; time += length) starts.push(time - offset);
    }
  }
  return { starts, open: merged(open, { joined: true }) };
}

/** Filters the starts of slots that lie in `open`, in linear time; both must be sorted. */
export function startsWithin(starts: number[], length: number, open: Range[]): number[] {
  let index = 0;
  return starts.filter((from) => {
    while (index < open.length && open[index]!.to < from + length) index += 1;
    return index < open.length && open[index]!.from <= from;
  });
}

/** The teacher's hours without the taken times. */
export const freeTime = ({ open }: Grid, taken: Range[]) => subtract(open, merged(taken));
