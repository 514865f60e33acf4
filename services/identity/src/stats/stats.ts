import { z } from 'zod';
import { timestamp } from '@tutoring/shared/http/declare/fields';

const byStatus = z.strictObject({
  initiated: z.int().meta({ example: 8 }),
  pending: z.int().meta({ example: 8 }),
  success: z.int().meta({ example: 8 }),
  failed: z.int().meta({ example: 8 }),
  canceled: z.int().meta({ example: 8 }),
});
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

export type Stats = z.infer<typeof statsView>;

const NO_MOVEMENTS = {
  count: 0,
  amount: 0,
  by_status: { initiated: 0, pending: 0, success: 0, failed: 0, canceled: 0 },
};

/** The figures of services that have never answered. */
export const NO_FIGURES = {
  wallet: { deposits: NO_MOVEMENTS, withdrawals: NO_MOVEMENTS, revenue: 0, commission: 0 },
  messaging: { rooms: 0, messages: 0 },
  calls: { count: 0, active: 0, seconds: 0 },
};
