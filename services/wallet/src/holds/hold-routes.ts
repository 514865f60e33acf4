import { command } from '@tutoring/shared/internal/command';
import { HOLD_SECONDS } from '../deadlines.ts';
import type { Parts } from '../parts.ts';
import { placeOfCall, releaseOfCall } from './hold-service.ts';

/** Holds on the money for a call. */
export const holdRoutes = (parts: Parts) => [
  command('hold.place', async ({ body: { reference, user_id: user, amount } }) => {
    const { amount: held, available, expires_at } = await placeOfCall(parts, { reference, user, amount });
    return { reference, held, available, expires_at, hold_seconds: HOLD_SECONDS };
  }),
  command('hold.release', async ({ body }) => ({ released: await releaseOfCall(parts, body.reference) })),
];
