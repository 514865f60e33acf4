import type { Availability } from '../src/availability/availability.ts';
import { freeTime, gridOf, startsWithin, type Range } from '../src/availability/slot.ts';

const MINUTE = 60_000;

/** Time zones with days on which the offset changes (or not), and the wall time of each minute. */
export const ZONE_SAMPLES = (
  [
    ['Europe/Paris', '2026-03-28'],
    ['Europe/Paris', '2026-10-24'],
    ['America/New_York', '2026-03-07'],
    ['America/New_York', '2026-10-31'],
    ['Australia/Lord_Howe', '2026-04-04'],
    ['Australia/Lord_Howe', '2026-10-03'],
    ['Asia/Kolkata', '2026-05-01'],
    ['Asia/Kathmandu', '2026-12-31'],
    ['Africa/Casablanca', '2026-02-14'],
    ['America/Santiago', '2026-09-05'],
    // Samoa skipped a day, Volgograd changed its time zone.
    ['Pacific/Apia', '2011-12-29'],
    ['Europe/Volgograd', '2020-12-26'],
  ] as const
).map(([zone, day]) => {
  const from = Date.parse(`${day}T00:00Z`);
  const wall = Array.from({ length: (3 * 24 + 4) * 60 }, (_, minute) => {
    const time = Temporal.Instant.fromEpochMilliseconds(from + minute * MINUTE).toZonedDateTimeISO(zone);
    return { date: time.toPlainDate().toString(), day: time.dayOfWeek, minute: time.hour * 60 + time.minute };
  });
  return { zone, window: { from, to: from + 3 * 24 * 60 * MINUTE }, wall };
});

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** A slow model that checks each minute of the window. */
export function model(
  availability: Availability,
  { window, wall }: (typeof ZONE_SAMPLES)[number],
  taken: Range[],
): Range[] {
  const length = availability.slot_minutes;
  const rangesOf = (date: string, day: number) => {
    const ranges = [
      ...availability.weekly.filter((hours) => hours.day === day),
      ...availability.exceptions.filter((hours) => hours.date === date && hours.available),
    ].map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) }));
    for (let changed = true; changed;) {
      changed = false;
      for (const one of ranges)
        for (const other of ranges)
          if (one !== other && one.from < other.to && other.from < one.to) {
            one.from = Math.min(one.from, other.from);
            one.to = Math.max(one.to, other.to);
            ranges.splice(ranges.indexOf(other), 1);
            changed = true;
          }
    }
    return ranges;
  };
  const cache = new Map<string, { from: number; to: number }[]>();
  const ranges = ({ date, day }: { date: string; day: number }) => {
    if (!cache.has(date)) cache.set(date, rangesOf(date, day));
    return cache.get(date)!;
  };
  const isFree = (at: number) => {
    const time = wall[at]!;
    const isIn = ({ from, to }: { from: number; to: number }) => from <= time.minute && time.minute < to;
    const isClosed = availability.exceptions.some(
      ({ date, available, from, to }) =>
        !available && date === time.date && isIn({ from: minutesOf(from), to: minutesOf(to) }),
    );
    const now = window.from + at * MINUTE;
    return ranges(time).some(isIn) && !isClosed && !taken.some(({ from, to }) => from < now + MINUTE && now < to);
  };
  const DAY = 24 * 60;
  const dayOf = (date: string) => Date.parse(date) / MINUTE;
  const rangesAt = (day: number) => {
    const date = new Date(day * MINUTE).toISOString().slice(0, 10);
    return ranges({ date, day: ((new Date(day * MINUTE).getUTCDay() + 6) % 7) + 1 });
  };
  const isWhole = (of: { from: number; to: number }[]) => of.some(({ from, to }) => from === 0 && to === DAY);
  const usual = [1, 2, 3, 4, 5, 6, 7].map((day) => availability.weekly.filter((hours) => hours.day === day));
  const isEndless = usual.every((of) =>
    isWhole(of.map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) }))),
  );
  const follows = (day: number) =>
    !isEndless && rangesAt(day).some(({ from }) => from === 0) && rangesAt(day - DAY).some(({ to }) => to === DAY);
  /** A window of a day, joined with windows of other days at midnight, in minutes of wall time. */
  const chainOf = (day: number, { from, to }: { from: number; to: number }) => {
    const chain = { from: day + from, to: day + to };
    while (chain.from % DAY === 0 && follows(chain.from))
      chain.from += rangesAt(chain.from - DAY).find((range) => range.to === DAY)!.from - DAY;
    while (chain.to % DAY === 0 && follows(chain.to))
      chain.to += rangesAt(chain.to).find((range) => range.from === 0)!.to;
    return chain;
  };
  const chains = new Map<number, { range: Range; chain: Range }[]>();
  const chainsOf = (day: number) => {
    const found =
      chains.get(day) ??
      rangesAt(day).map((range) => ({
        range: { from: day + range.from, to: day + range.to },
        chain: chainOf(day, range),
      }));
    chains.set(day, found);
    return found;
  };
  const slots: Range[] = [];
  for (let at = 0; window.from + at * MINUTE < window.to; at += 1) {
    const midnight = dayOf(wall[at]!.date);
    const minute = midnight + wall[at]!.minute;
    const isStart = chainsOf(midnight).some(
      ({ range, chain }) =>
        range.from <= minute &&
        minute < range.to &&
        (minute - chain.from) % length === 0 &&
        minute + length <= chain.to,
    );
    if (!isStart || !Array.from({ length }, (_, more) => at + more).every(isFree)) continue;
    const from = window.from + at * MINUTE;
    slots.push({ from, to: from + length * MINUTE });
  }
  return slots;
}

/** The slots that begin in `window` and overlap no range of `taken`, sorted. */
export function freeSlots(availability: Availability, window: Range, taken: Range[]): Range[] {
  const length = availability.slot_minutes * MINUTE;
  const grid = gridOf(availability, window);
  return startsWithin(grid.starts, length, freeTime(grid, taken)).map((from) => ({ from, to: from + length }));
}
