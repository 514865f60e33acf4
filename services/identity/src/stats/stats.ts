import { z } from 'zod';
import { day, timestamp } from '@tutoring/shared/kit/http/declare/fields';

const figure = z.int().meta({ example: 8 });
const byStatus = z
  .strictObject({
    initiated: figure,
    pending: figure,
    success: figure,
    failed: figure,
    canceled: figure,
  })
  .meta({ id: 'CountsByStatus' });
const movements = z
  .strictObject({
    count: z.int().meta({ example: 42 }),
    amount: z.int().meta({ example: 5000 }),
    by_status: byStatus,
  })
  .meta({ id: 'MoneyStats' });

export const statsView = z
  .strictObject({
    users: z.int().meta({ example: 1276 }),
    students: z.int().meta({ example: 1180 }),
    teachers: z.int().meta({ example: 96 }),
    admins: z.int().meta({ example: 3 }),
    deposits: movements,
    withdrawals: movements,
    calls: z
      .strictObject({
        count: z.int().meta({ example: 42 }),
        active: z.int().meta({ example: 3 }),
        seconds: z.int().meta({ example: 7260 }),
        revenue: z.int().meta({ example: 12_500 }),
        commission: z.int().meta({ example: 1250 }),
      })
      .meta({ id: 'CallStats' }),
    rooms: z.int().meta({ example: 64 }),
    messages: z.int().meta({ example: 1250 }),
    as_of: timestamp(),
  })
  .meta({ id: 'Stats' });

export type Stats = z.infer<typeof statsView>;

const NO_MOVEMENTS = {
  count: 0,
  amount: 0,
  by_status: { initiated: 0, pending: 0, success: 0, failed: 0, canceled: 0 },
};

/** Figures of a service that has never answered. */
export const NO_FIGURES = {
  wallet: { deposits: NO_MOVEMENTS, withdrawals: NO_MOVEMENTS, revenue: 0, commission: 0 },
  messaging: { rooms: 0, messages: 0 },
  calls: { count: 0, active: 0, seconds: 0 },
};

const MAX_DAYS = 366;

/** UTC days, both included. */
export interface Span {
  from: string;
  to: string;
}

const lengthOf = ({ from, to }: Span) => Temporal.PlainDate.from(from).until(to).days + 1;
export const isReversed = (span: Span) => lengthOf(span) < 1;
export const isTooLong = (span: Span) => lengthOf(span) > MAX_DAYS;

const amount = () => z.int().meta({ example: 5000 });

/** Figures of one UTC day. */
export const dayView = z
  .strictObject({
    date: day().meta({ example: '2026-11-20' }),
    new_students: z.int().meta({ example: 14 }),
    new_teachers: z.int().meta({ example: 2 }),
    deposits: amount().meta({ description: 'Money paid in, less reversals.' }),
    withdrawals: amount().meta({ description: 'Money paid out, less reversals.' }),
    charged: amount().meta({ description: 'Charged for calls, before refunds.' }),
    commission: z.int().meta({ description: "The platform's share of it, less refunds.", example: 500 }),
    refunded: z.int().meta({ example: 0 }),
    calls: z.int().meta({ description: 'Accepted calls.', example: 42 }),
    minutes: z.int().meta({ description: 'Whole minutes of the ended ones among these calls.', example: 730 }),
    messages: z.int().meta({ example: 1250 }),
    bookings: z.int().meta({ description: 'Booked lessons.', example: 25 }),
    confirmed_bookings: z.int().meta({ description: 'Booked lessons that are confirmed or took place.', example: 21 }),
    missed_bookings: z.int().meta({ description: 'Booked lessons that nobody attended.', example: 1 }),
    reviews: z.int().meta({ description: 'Reviews, without hidden ones.', example: 18 }),
    rating: z
      .number()
      .meta({ description: 'Mean of these reviews, with two decimals; 0 without reviews.', example: 4.67 }),
  })
  .meta({ id: 'DailyStats' });
export type DayView = z.infer<typeof dayView>;

/** A service's figures of a day; omitted ones are 0. */
type Part = Pick<DayView, 'date'> & Partial<DayView & { seconds: number; stars: number }>;

const EMPTY_DAY = {
  ...(Object.fromEntries(Object.keys(dayView.shape).map((name) => [name, 0])) as Omit<DayView, 'date'>),
  seconds: 0,
  stars: 0,
};

/** One row per day, oldest first. The services omit days without figures. */
export function dailyStats(span: Span, parts: Part[][]): DayView[] {
  const byDate = parts.map((part) => new Map(part.map((row) => [row.date, row])));
  const from = Temporal.PlainDate.from(span.from);
  return Array.from({ length: lengthOf(span) }, (_, days) => {
    const date = from.add({ days }).toString();
    const { seconds, stars, ...figures } = Object.assign(
      { ...EMPTY_DAY },
      ...byDate.map((part) => part.get(date)),
    ) as typeof EMPTY_DAY;
    const rating = Math.round((100 * stars) / Math.max(figures.reviews, 1)) / 100;
    return { ...figures, date, minutes: Math.floor(seconds / 60), rating };
  });
}
