import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Availability } from '../src/availability/availability.ts';
import type { Range } from '../src/availability/slot.ts';
import { freeSlots, model, ZONE_SAMPLES } from './slot-model.ts';

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
  test('an hour that is skipped has no slot', () => {
    const slots = freeSlots(open('Europe/Paris', night), days('2026-03-28T22:00Z', '2026-03-29T12:00Z'), []);
    // 01:00 in winter time, 03:00 and 04:00 in summer time.
    expect(shown(slots)).toEqual(['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00']);
  });

  test('an hour that is repeated has its slots at both instants', () => {
    const slots = freeSlots(open('Europe/Paris', night), days('2026-10-24T22:00Z', '2026-10-25T12:00Z'), []);
    const hours = ['2026-10-24T23:00', ...['00', '01', '02', '03'].map((hour) => `2026-10-25T${hour}:00`)];
    expect(shown(slots)).toEqual(hours);
  });

  test('a slot that begins before the change keeps its length in elapsed time', () => {
    const hours = open('Europe/Paris', { weekly: every('01:30', '03:30') });
    const [slot, ...more] = freeSlots(hours, days('2026-03-28T22:00Z', '2026-03-29T12:00Z'), []);
    expect([slot, more]).toEqual([days('2026-03-29T00:30Z', '2026-03-29T01:30Z'), []]);
  });
});

test('exceptions add hours to the weekly ones or remove hours, on the same grid', () => {
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

test('slots that overlap taken times are not free, slots that only touch them are', () => {
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
    'windows that meet at midnight are joined, and slots cross midnight',
    { slot_minutes: 90, weekly: [night(1), morning(2)] },
    ['2026-11-23T00:00Z', '2026-11-25T00:00Z'],
    ['2026-11-23T22:00', '2026-11-23T23:30'],
  ],
  [
    'a list that begins on the second day has the same grid',
    { slot_minutes: 50, weekly: [night(1), morning(2)] },
    ['2026-11-24T00:00Z', '2026-11-25T00:00Z'],
    ['2026-11-24T00:30'],
  ],
  [
    'joined windows of several days have one grid, from the start of the first window',
    { slot_minutes: 420, weekly: [night(1), morning(2, '24:00'), morning(3, '24:00'), morning(4)] },
    ['2026-11-25T00:00Z', '2026-11-27T00:00Z'],
    ['2026-11-25T02:00', '2026-11-25T09:00', '2026-11-25T16:00'],
  ],
  [
    'Sunday night is joined with Monday morning',
    { slot_minutes: 90, weekly: [night(7), morning(1)] },
    ['2026-11-22T00:00Z', '2026-11-24T00:00Z'],
    ['2026-11-22T22:00', '2026-11-22T23:30'],
  ],
  [
    'added hours are joined with the evening before',
    {
      slot_minutes: 90,
      weekly: [night(1)],
      exceptions: [{ date: '2026-11-24', from: '00:00', to: '02:00', available: true }],
    },
    ['2026-11-23T00:00Z', '2026-11-25T00:00Z'],
    ['2026-11-23T22:00', '2026-11-23T23:30'],
  ],
  [
    'a removed morning interrupts the free time, but not the grid',
    {
      slot_minutes: 90,
      weekly: [night(1), morning(2, '05:00')],
      exceptions: [{ date: '2026-11-24', from: '00:00', to: '01:00', available: false }],
    },
    ['2026-11-23T00:00Z', '2026-11-25T00:00Z'],
    ['2026-11-23T22:00', '2026-11-24T01:00', '2026-11-24T02:30'],
  ],
  [
    'when the weekly hours cover the whole week each day has its own grid',
    { slot_minutes: 420, weekly: every('00:00', '24:00') },
    ['2026-11-24T00:00Z', '2026-11-26T00:00Z'],
    ['24T00', '24T07', '24T14', '25T00', '25T07', '25T14'].map((hour) => `2026-11-${hour}:00`),
  ],
  [
    'windows that touch within a day have their own grids',
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

test('a grid across midnight keeps its wall time when the clock changes', () => {
  // Paris, 2026-03-28 (Saturday) to the 29th: 02:00 becomes 03:00.
  const hours = open('Europe/Paris', { slot_minutes: 90, weekly: [night(6), morning(7, '06:00')] });
  const slots = freeSlots(hours, days('2026-03-28T12:00Z', '2026-03-29T12:00Z'), []);
  // Wall time: 22:00, 23:30, 01:00 (lasts until 03:30 in summer), 04:00; 02:30 does not exist.
  expect(shown(slots)).toEqual(['2026-03-28T21:00', '2026-03-28T22:30', '2026-03-29T00:00', '2026-03-29T02:00']);
});

test('the grid is the same at the far end of years of joined windows', () => {
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

const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
/** Generates hours that often begin or end at midnight. */
const hours = fc
  .tuple(
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 95 })),
    fc.oneof(fc.constant(96), fc.integer({ min: 1, max: 40 })),
  )
  .map(([from, length]) => ({ from: time(from * 15), to: time(Math.min(from + length, 96) * 15) }));

test('the slots of a thousand random calendars are those of a slow and simple model', () => {
  const calendar = fc.record({
    place: fc.constantFrom(...ZONE_SAMPLES),
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
