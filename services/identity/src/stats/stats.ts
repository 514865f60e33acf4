import { z } from 'zod';
import { timestamp } from '@tutoring/shared/http/declare/fields';

const STATUSES = ['initiated', 'pending', 'success', 'failed', 'canceled'] as const;

const byStatus = z.strictObject(
  Object.fromEntries(STATUSES.map((status) => [status, z.int().meta({ example: 8 })])) as Record<
    (typeof STATUSES)[number],
    z.ZodInt
  >,
);
const movements = z.strictObject({
  count: z.int().meta({ example: 42 }),
  amount: z.int().meta({ example: 5000 }),
  by_status: byStatus,
});

export const statsView = z.strictObject({
  users: z.int().meta({ example: 1276 }),
  students: z.int().meta({ example: 1180 }),
  teachers: z.int().meta({ example: 96 }),
  admins: z.int().meta({ example: 3 }),
  deposits: movements,
  withdrawals: movements,
  calls: z.strictObject({
    count: z.int().meta({ example: 42 }),
    active: z.int().meta({ example: 3 }),
    seconds: z.int().meta({ example: 7260 }),
    revenue: z.int().meta({ example: 12_500 }),
    commission: z.int().meta({ example: 1250 }),
  }),
  rooms: z.int().meta({ example: 64 }),
  messages: z.int().meta({ example: 1250 }),
  as_of: timestamp(),
});

const number = z.number().int().catch(0);
const movementsPart = z
  .object({ count: number, amount: number, by_status: z.record(z.string(), number).catch({}) })
  .catch({ count: 0, amount: 0, by_status: {} });

/** Each service's figures; missing or malformed ones count as 0. */
const parts = {
  wallet: z.object({ deposits: movementsPart, withdrawals: movementsPart, revenue: number, commission: number }),
  messaging: z.object({ rooms: number, messages: number }),
  calls: z.object({ count: number, active: number, seconds: number }),
};

export type Part = keyof typeof parts;
export const PARTS = Object.keys(parts) as Part[];

const complete = ({ by_status: given, ...rest }: z.infer<typeof movementsPart>) => ({
  ...rest,
  by_status: Object.fromEntries(STATUSES.map((status) => [status, given[status] ?? 0])) as z.infer<typeof byStatus>,
});

export interface OwnStats {
  users: number;
  students: number;
  teachers: number;
  admins: number;
  as_of: string;
}

/** The dashboard, from the services' figures. */
export function mergeStats(own: OwnStats, others: Partial<Record<Part, unknown>>): z.infer<typeof statsView> {
  const wallet = parts.wallet.parse(others.wallet ?? {});
  const { as_of: asOf, ...people } = own;
  const { revenue, commission } = wallet;
  return {
    ...people,
    deposits: complete(wallet.deposits),
    withdrawals: complete(wallet.withdrawals),
    calls: { ...parts.calls.parse(others.calls ?? {}), revenue, commission },
    ...parts.messaging.parse(others.messaging ?? {}),
    as_of: asOf,
  };
}
