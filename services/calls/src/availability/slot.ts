import type { Availability } from './availability.ts';

/*
 * Weekly hours are wall time in a zone, slots are instants. A slot begins and would end within its hours, on their grid,
 * lasts its minutes by a clock that never jumps, and each of its minutes is a minute of the hours. So an hour that a change of the clock leaves
 * out has no slot, and one that comes twice has its slots at both instants. All times are in milliseconds since 1970, the
 * end of a range is not in it.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface Range {
  from: number;
  to: number;
}

/** In their order, those that overlap as one; those that only touch stay two unless they are `joined`. */
function merged(ranges: Range[], { joined = false } = {}): Range[] {
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

/** `range` in pieces in which the zone's offset from UTC is the same. */
function* piecesOf(range: Range, zone: string) {
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
function hoursOf({ weekly, exceptions }: Availability, midnight: number) {
  // 1970 began on a Thursday.
  const day = ((midnight / DAY + 3) % 7) + 1;
  const date = new Date(midnight).toISOString().slice(0, 10);
  const ofDate = exceptions.filter((exception) => exception.date === date);
  const added = ofDate.filter(({ available }) => available);
  const open = merged([...weekly.filter((hours) => hours.day === day), ...added].map(timesOf));
  const closed = ofDate.filter(({ available }) => !available).map(timesOf);
  return { open, left: without(open, merged(closed)) };
}

/** The slots that begin in `window`, in their order; those that meet a range of `taken` are not free. */
export function freeSlots(availability: Availability, window: Range, taken: Range[]): Range[] {
  const length = availability.slot_minutes * MINUTE;
  const open: Range[] = [];
  const starts: number[] = [];
  for (const { from, to, offset } of piecesOf({ from: window.from, to: window.to + length }, availability.time_zone)) {
    const isHere = (time: number) => from <= time && time < to;
    for (let midnight = Math.floor((from + offset) / DAY) * DAY; midnight < to + offset; midnight += DAY) {
      const hours = hoursOf(availability, midnight);
      const at = (time: number) => midnight + time - offset;
      for (const range of hours.left)
        open.push({ from: Math.max(at(range.from), from), to: Math.min(at(range.to), to) });
      for (const range of hours.open)
        for (let time = range.from; time + length <= range.to; time += length)
          if (isHere(at(time))) starts.push(at(time));
    }
  }
  const free = without(
    merged(
      open.filter((range) => range.from < range.to),
      { joined: true },
    ),
    merged(taken),
  );
  // Both are in their order: each range is looked at once.
  let place = 0;
  return starts
    .filter((from) => from < window.to)
    .sort((one, other) => one - other)
    .map((from) => ({ from, to: from + length }))
    .filter((slot) => {
      while (place < free.length && free[place]!.to < slot.to) place += 1;
      return place < free.length && free[place]!.from <= slot.from;
    });
}
