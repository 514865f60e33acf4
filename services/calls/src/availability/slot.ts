import type { Availability } from './availability.ts';
import { canonicalZone } from './time-zone.ts';

/*
 * Weekly hours are wall time in a zone, slots are instants. A slot begins and would end within its hours, on their grid,
 * lasts its minutes by a clock that never jumps, and each of its minutes is a minute of the hours. So an hour that a
 * change of the clock leaves out has no slot, and one that comes twice has its slots at both instants. Windows that meet
 * at midnight are one, whose grid begins where it begins. All times are in milliseconds since 1970, the end of a range is
 * not in it.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface Range {
  from: number;
  to: number;
}

/** In their order, those that overlap as one; those that only touch stay two unless they are `joined`. */
export function merged(ranges: Range[], { joined = false } = {}): Range[] {
  const result: Range[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && (joined ? from <= last.to : from < last.to)) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** `ranges` without the others, both in their order and each without overlaps: every other is looked at once. */
function without(ranges: Range[], others: Range[]): Range[] {
  const left: Range[] = [];
  let place = 0;
  for (const range of ranges) {
    while (place < others.length && others[place]!.to <= range.from) place += 1;
    let { from } = range;
    for (let next = place; next < others.length && others[next]!.from < range.to; next += 1) {
      const other = others[next]!;
      if (other.from > from) left.push({ from, to: other.from });
      from = other.to;
    }
    if (from < range.to) left.push({ from, to: range.to });
  }
  return left;
}

/** `range` in pieces in which the zone's offset from UTC is the same; none of a stored zone that is not known any more. */
function* piecesOf(range: Range, name: string) {
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

/** The hours of a day since its midnight: `open` as they begin and end, `left` without what is cut out of them. */
interface DayHours {
  open: Range[];
  left: Range[];
}

/** A reader of the hours of the day that begins at a midnight of wall time. */
function hoursByDay({ weekly, exceptions }: Availability): (midnight: number) => DayHours {
  const ofDay = Map.groupBy(weekly, ({ day }) => day);
  const ofDate = Map.groupBy(exceptions, ({ date }) => Date.parse(date));
  const hours = (day: number, exceptional: Availability['exceptions'] = []): DayHours => {
    const added = exceptional.filter(({ available }) => available);
    const open = merged([...(ofDay.get(day) ?? []), ...added].map(timesOf));
    const closed = exceptional.filter(({ available }) => !available).map(timesOf);
    return { open, left: without(open, merged(closed)) };
  };
  const usual = [1, 2, 3, 4, 5, 6, 7].map((day) => hours(day));
  const unusual = new Map<number, DayHours>();
  return (midnight) => {
    // 1970 began on a Thursday.
    const place = (((midnight / DAY + 3) % 7) + 7) % 7;
    const exceptional = ofDate.get(midnight);
    if (!exceptional) return usual[place]!;
    const known = unusual.get(midnight) ?? hours(place + 1, exceptional);
    unusual.set(midnight, known);
    return known;
  };
}

const isWholeDay = ({ open: [first] }: DayHours) => first?.from === 0 && first.to === DAY;
const WEEK = [0, 1, 2, 3, 4, 5, 6].map((day) => day * DAY);

/**
 * The hours of a teacher as wall time, for any span of it. Windows that meet at midnight are one window, but in a
 * calendar that is open day and night, where each day is its own.
 */
function windowsOf(availability: Availability): (wall: Range) => DayHours {
  const dayAt = hoursByDay(availability);
  const usual = hoursByDay({ ...availability, exceptions: [] });
  const hasOwnDays = WEEK.every((midnight) => isWholeDay(usual(midnight)));
  const continues = (midnight: number) =>
    !hasOwnDays && dayAt(midnight).open[0]?.from === 0 && dayAt(midnight - DAY).open.at(-1)?.to === DAY;
  /** When the first window of a day begins: maybe days before. */
  const beginningOf = (midnight: number) => {
    let first = midnight;
    while (continues(first) && (first === midnight || isWholeDay(dayAt(first)))) first -= DAY;
    return first + (first === midnight ? dayAt(first).open[0]! : dayAt(first).open.at(-1)!).from;
  };
  return ({ from, to }) => {
    const open: Range[] = [];
    const left: Range[] = [];
    for (let midnight = Math.floor(from / DAY) * DAY; midnight < to; midnight += DAY) {
      const day = dayAt(midnight);
      const at = (range: Range) => ({ from: midnight + range.from, to: midnight + range.to });
      const [first, ...others] = day.open.map(at);
      if (first && open.length > 0 && continues(midnight)) open.at(-1)!.to = first.to;
      else if (first) open.push({ ...first, from: beginningOf(midnight) });
      open.push(...others);
      left.push(...day.left.map(at));
    }
    return { open, left };
  };
}

/** `starts`: when slots may begin, in their order; `open`: the teacher's hours, in which they have to lie. */
export interface Grid {
  starts: number[];
  open: Range[];
}

/** The grid of the slots that begin in `window`, whatever is taken. */
export function gridOf(availability: Availability, window: Range): Grid {
  const length = availability.slot_minutes * MINUTE;
  const windows = windowsOf(availability);
  const open: Range[] = [];
  const starts: number[] = [];
  for (const { from, to, offset } of piecesOf({ from: window.from, to: window.to + length }, availability.time_zone)) {
    const wall = { from: from + offset, to: to + offset };
    const hours = windows({ from: wall.from, to: wall.to + length });
    for (const range of hours.left) {
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

/** Of `starts`, those of slots that lie in `open`; both are in their order: each range is looked at once. */
export function startsWithin(starts: number[], length: number, open: Range[]): number[] {
  let place = 0;
  return starts.filter((from) => {
    while (place < open.length && open[place]!.to < from + length) place += 1;
    return place < open.length && open[place]!.from <= from;
  });
}

/** What is left of the teacher's hours. */
export const freeTime = ({ open }: Grid, taken: Range[]) => without(open, merged(taken));

/** The slots that begin in `window`, in their order; those that meet a range of `taken` are not free. */
export function freeSlots(availability: Availability, window: Range, taken: Range[]): Range[] {
  const length = availability.slot_minutes * MINUTE;
  const grid = gridOf(availability, window);
  return startsWithin(grid.starts, length, freeTime(grid, taken)).map((from) => ({ from, to: from + length }));
}
