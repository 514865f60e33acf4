import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { id, timestamp } from '@tutoring/shared/http/fields';
import { route } from '@tutoring/shared/http/route';
import { amount } from '@tutoring/shared/money';
import { errors } from '../errors.ts';
import type { Ledger } from '../ledger/ledger-store.ts';
import { HOLD_SECONDS, callReference } from './hold.ts';

/** Money set aside for a call. */
export function holdRoutes({ database, ledger }: { database: Database; ledger: Ledger }) {
  return [
    route({
      method: 'post',
      path: '/internal/holds',
      summary: 'Hold money for a call; repeated, the same answer',
      auth: 'service',
      body: z.object({ reference: callReference(), user_id: id(), amount: amount() }),
      response: z.strictObject({
        reference: z.string(),
        held: z.int(),
        available: z.int(),
        expires_at: timestamp().nullable(),
      }),
      errors: ['payment_required', 'conflict'],
      handle: async ({ body }) => {
        const hold = { reference: body.reference, user: body.user_id, amount: body.amount, seconds: HOLD_SECONDS };
        const placed = await database.autocommit((tx) => ledger.placeHold(tx, hold));
        assertThat(placed.verdict !== 'refused' && placed.verdict !== 'closed', errors.notEnough());
        assertThat(placed.verdict !== 'conflict', errors.referenceTaken());
        const { amount: held, available, expires_at } = placed;
        return { reference: body.reference, held, available, expires_at };
      },
    }),
    route({
      method: 'post',
      path: '/internal/holds/release',
      summary: "Release what is left of a call's hold",
      auth: 'service',
      body: z.object({ reference: callReference() }),
      response: z.strictObject({ released: z.int() }),
      handle: async ({ body }) => ({
        released: await database.autocommit((tx) => ledger.releaseHold(tx, body.reference)),
      }),
    }),
  ];
}
