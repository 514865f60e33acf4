import type { Database } from '@tutoring/shared/database/open';
import { violatedConstraint } from '@tutoring/shared/database/refusals';
import { assertThat } from '@tutoring/shared/errors';
import { command } from '@tutoring/shared/internal/command';
import { HOLD_SECONDS } from '../deadlines.ts';
import { insufficientFunds, referenceTaken } from '../errors.ts';
import type { Holds } from './hold-service.ts';

/** Another user took the same reference first: no lock covers both. */
function throwTaken(error: unknown): never {
  throw violatedConstraint(error) === 'hold_pkey' ? referenceTaken() : error;
}

/** Holds on the money for a call. */
export function holdRoutes({ database, holds }: { database: Database; holds: Holds }) {
  return [
    command('hold.place', {
      summary: 'Hold money for a call; repeated, the same answer',
      errors: ['payment_required', 'conflict'],
      handle: async ({ body }) => {
        const hold = { reference: body.reference, user: body.user_id, amount: body.amount, seconds: HOLD_SECONDS };
        const placed = await database.transact((tx) => holds.place(tx, hold)).catch(throwTaken);
        assertThat(placed.verdict !== 'refused' && placed.verdict !== 'closed', insufficientFunds);
        assertThat(placed.verdict !== 'conflict', referenceTaken);
        const { amount: held, available, expires_at } = placed;
        return { reference: body.reference, held, available, expires_at, hold_seconds: HOLD_SECONDS };
      },
    }),
    command('hold.release', {
      summary: "Release what is left of a call's hold",
      handle: async ({ body }) => ({
        released: await database.transact((tx) => holds.release(tx, body.reference)),
      }),
    }),
  ];
}
