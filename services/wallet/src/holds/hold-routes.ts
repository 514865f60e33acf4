import { command } from '@tutoring/shared/internal/command';
import { HOLD_SECONDS } from '../deadlines.ts';
import type { Holds } from './hold-service.ts';

/** Holds on the money for a call. */
export const holdRoutes = ({ holds }: { holds: Holds }) => [
  command('hold.place', async ({ body: { reference, user_id: user, amount } }) => {
    const { amount: held, available, expires_at } = await holds.placeOfCall({ reference, user, amount });
    return { reference, held, available, expires_at, hold_seconds: HOLD_SECONDS };
  }),
  command('hold.release', async ({ body }) => ({ released: await holds.releaseOfCall(body.reference) })),
];
