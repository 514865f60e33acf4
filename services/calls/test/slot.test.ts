import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Availability } from '../src/availability/availability.ts';
import { freeSlots, type Range } from '../src/availability/slot.ts';

const MINUTE = 60_000;
const instant = (text: string) => Date.parse(text);
const shown = (slots: Range[]) => slots.map(({ from }) => new Date(from).toISOString().slice(0, 16));
const open = (time_zone: string, more: Partial<Availability>): Availability => ({
  time_zone,
  slot_minutes: 60,
  min_notice_minutes: 0,
  weekly: [],
  exceptions: [],
  ...more,
});
const every = (from: string, to: string) => [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from, to }));
const days = (from: string, to: string): Range => ({ from: instant(from), to: instant(to) });

describe('when the clock changes', () => {
  const night = { weekly: every('01:00', '05:00') };
  test('an hour that does not exist has no slot', () => {
    const slots = freeSlots(open('Europe/Paris', night), days('2026-03-28T22:00Z', '2026-03-29T12:00Z'), []);
    // 01:00 in winter, 03:00 and 04:00 in summer.
    expect(shown(slots)).toEqual(['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00']);
  });

  test('an hour that comes twice has its slots at both instants', () => {
    const slots = freeSlots(open('Europe/Paris', night), days('2026-10-24T22:00Z', '2026-10-25T12:00Z'), []);
    const hours = ['2026-10-24T23:00', ...['00', '01', '02', '03'].map((hour) => `2026-10-25T${hour}:00`)];
    expect(shown(slots)).toEqual(hours);
  });

  test('a slot that begins before the change lasts its minutes', () => {
    const hours = open('Europe/Paris', { weekly: every('01:30', '03:30') });
    const [slot, ...more] = freeSlots(hours, days('2026-03-28T22:00Z', '2026-03-29T12:00Z'), []);
    expect([slot, more]).toEqual([days('2026-03-29T00:30Z', '2026-03-29T01:30Z'), []]);
  });
});

test('hours of the date add to the weekly ones or are cut out of them, on the same grid', () => {
  const availability = open('Africa/Lome', {
    weekly: [{ day: 1, from: '09:00', to: '13:00' }],
    exceptions: [
      { date: '2026-11-23', from: '10:10', to: '10:20', available: false },
      { date: '2026-11-23', from: '12:00', to: '15:00', available: true },
      { date: '2026-11-24', from: '00:00', to: '01:00', available: true },
    ],
  });
  const slots = freeSlots(availability, days('2026-11-23T00:00Z', '2026-11-25T00:00Z'), []);
  expect(shown(slots)).toEqual([
    ...['09', '11', '12', '13', '14'].map((hour) => `2026-11-23T${hour}:00`),
    '2026-11-24T00:00',
  ]);
});

test('what is taken is not free, and what only touches it is', () => {
  const taken = [days('2026-11-23T10:30Z', '2026-11-23T12:00Z')];
  const hours = open('UTC', { weekly: every('09:00', '14:00') });
  const slots = freeSlots(hours, days('2026-11-23T00:00Z', '2026-11-24T00:00Z'), taken);
  expect(shown(slots)).toEqual(['09', '12', '13'].map((hour) => `2026-11-23T${hour}:00`));
});

const night = (day: number) => ({ day, from: '22:00', to: '24:00' });
const morning = (day: number, to = '02:00') => ({ day, from: '00:00', to });

// 2026-11-23 is a Monday.
test.each<[string, Partial<Availability>, [from: string, to: string], string[]]>([
  [
    'windows that meet at midnight are one: slots cross it',
    { slot_minutes: 90, weekly: [night(1), morning(2)] },
    ['2026-11-23T00:00Z', '2026-11-25T00:00Z'],
    ['2026-11-23T22:00', '2026-11-23T23:30'],
  ],
  [
    'a listing that begins on the second day has the same grid',
    { slot_minutes: 50, weekly: [night(1), morning(2)] },
    ['2026-11-24T00:00Z', '2026-11-25T00:00Z'],
    ['2026-11-24T00:30'],
  ],
  [
    'a chain of several days has one grid, from its first window on',
    { slot_minutes: 420, weekly: [night(1), morning(2, '24:00'), morning(3, '24:00'), morning(4)] },
    ['2026-11-25T00:00Z', '2026-11-27T00:00Z'],
    ['2026-11-25T02:00', '2026-11-25T09:00', '2026-11-25T16:00'],
  ],
  [
    'Sunday night meets Monday morning',
    { slot_minutes: 90, weekly: [night(7), morning(1)] },
    ['2026-11-22T00:00Z', '2026-11-24T00:00Z'],
    ['2026-11-22T22:00', '2026-11-22T23:30'],
  ],
  [
    'hours of a date continue the evening before',
    {
      slot_minutes: 90,
      weekly: [night(1)],
      exceptions: [{ date: '2026-11-24', from: '00:00', to: '02:00', available: true }],
    },
    ['2026-11-23T00:00Z', '2026-11-25T00:00Z'],
    ['2026-11-23T22:00', '2026-11-23T23:30'],
  ],
  [
    'a morning that is taken away ends the free time, not the chain',
    {
      slot_minutes: 90,
      weekly: [night(1), morning(2, '05:00')],
      exceptions: [{ date: '2026-11-24', from: '00:00', to: '01:00', available: false }],
    },
    ['2026-11-23T00:00Z', '2026-11-25T00:00Z'],
    ['2026-11-23T22:00', '2026-11-24T01:00', '2026-11-24T02:30'],
  ],
  [
    'in a chain without an end each day has its own grid',
    { slot_minutes: 420, weekly: every('00:00', '24:00') },
    ['2026-11-24T00:00Z', '2026-11-26T00:00Z'],
    ['24T00', '24T07', '24T14', '25T00', '25T07', '25T14'].map((hour) => `2026-11-${hour}:00`),
  ],
  [
    'windows that touch within a day have a grid each',
    {
      slot_minutes: 45,
      weekly: [
        { day: 1, from: '09:00', to: '10:00' },
        { day: 1, from: '10:00', to: '11:00' },
      ],
    },
    ['2026-11-23T00:00Z', '2026-11-24T00:00Z'],
    ['2026-11-23T09:00', '2026-11-23T10:00'],
  ],
])('%s', (_rule, hours, [from, to], expected) => {
  expect(shown(freeSlots(open('UTC', hours), days(from, to), []))).toEqual(expected);
});

test('a grid that goes over midnight keeps its wall time when the clock changes in the night', () => {
  // Paris, 2026-03-28 (Saturday) to the 29th: 02:00 becomes 03:00.
  const hours = open('Europe/Paris', { slot_minutes: 90, weekly: [night(6), morning(7, '06:00')] });
  const slots = freeSlots(hours, days('2026-03-28T12:00Z', '2026-03-29T12:00Z'), []);
  // Wall time: 22:00, 23:30, 01:00 (lasts until 03:30 in summer), 04:00; 02:30 does not exist.
  expect(shown(slots)).toEqual(['2026-03-28T21:00', '2026-03-28T22:30', '2026-03-29T00:00', '2026-03-29T02:00']);
});

test('a year of windows joined by hours of dates is listed from its far end', () => {
  const first = Date.parse('2026-01-05');
  // Each Sunday closes at 20:00, and the hours of its date fill the gap: one chain of 300 weeks.
  const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: day === 7 ? '20:00' : '24:00' }));
  const exceptions = Array.from({ length: 300 }, (_, week) => ({
    date: new Date(first + (7 * week + 6) * 86_400_000).toISOString().slice(0, 10),
    from: '19:00',
    to: '24:00',
    available: true,
  }));
  const hours = open('UTC', { slot_minutes: 420, weekly, exceptions });
  const from = first + 7 * 299 * 86_400_000;
  const [slot] = freeSlots(hours, { from, to: from + 86_400_000 }, []);
  expect((slot!.from - first) % (420 * MINUTE)).toBe(0);
});

/** Zones and days at which something happens, with what a clock on the wall shows in each minute. */
const PLACES = (
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
    // Samoa left out a day, Volgograd changed its zone.
    ['Pacific/Apia', '2011-12-29'],
    ['Europe/Volgograd', '2020-12-26'],
  ] as const
).map(([zone, day]) => {
  const from = instant(`${day}T00:00Z`);
  const wall = Array.from({ length: (3 * 24 + 4) * 60 }, (_, minute) => {
    const time = Temporal.Instant.fromEpochMilliseconds(from + minute * MINUTE).toZonedDateTimeISO(zone);
    return { date: time.toPlainDate().toString(), day: time.dayOfWeek, minute: time.hour * 60 + time.minute };
  });
  return { zone, window: { from, to: from + 3 * 24 * 60 * MINUTE }, wall };
});

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Slowly: each minute of the window looked at by itself. */
function model(availability: Availability, { window, wall }: (typeof PLACES)[number], taken: Range[]): Range[] {
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
  const known = new Map<string, { from: number; to: number }[]>();
  const ranges = ({ date, day }: { date: string; day: number }) => {
    if (!known.has(date)) known.set(date, rangesOf(date, day));
    return known.get(date)!;
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
  /** A window of a day as minutes of wall time, with the windows of other days that it meets at midnight. */
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

const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
/** Often windows that begin or end at midnight. */
const hours = fc
  .tuple(
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 95 })),
    fc.oneof(fc.constant(96), fc.integer({ min: 1, max: 40 })),
  )
  .map(([from, length]) => ({ from: time(from * 15), to: time(Math.min(from + length, 96) * 15) }));

test('the slots of a thousand calendars are those of a slow and obvious model', () => {
  const calendar = fc.record({
    place: fc.constantFrom(...PLACES),
    slot_minutes: fc.constantFrom(15, 20, 30, 45, 60, 90, 120, 180),
    weekly: fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), hours), { maxLength: 8 }),
    exceptions: fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), hours, fc.boolean()), { maxLength: 4 }),
    taken: fc.array(fc.tuple(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 1, max: 200 })), { maxLength: 4 }),
  });
  let found = 0;
  fc.assert(
    fc.property(calendar, ({ place, slot_minutes, ...given }) => {
      const dates = [...new Set(place.wall.map(({ date }) => date))];
      const availability = open(place.zone, {
        slot_minutes,
        weekly: given.weekly.map(([day, each]) => ({ day, ...each })),
        exceptions: given.exceptions.map(([date, each, available]) => ({
          date: dates[date % dates.length]!,
          available,
          ...each,
        })),
      });
      const taken = given.taken.map(([from, length]) => ({
        from: place.window.from + from * MINUTE,
        to: place.window.from + (from + length) * MINUTE,
      }));
      const slots = freeSlots(availability, place.window, taken);
      found += slots.length;
      expect(slots).toEqual(model(availability, place, taken));
    }),
    { numRuns: 1_000 },
  );
  expect(found).toBeGreaterThan(1_000);
});
