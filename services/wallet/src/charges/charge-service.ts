import type { Database } from '@tutoring/shared/database/open';
import { isUnavailable, violatedConstraint } from '@tutoring/shared/database/refusals';
import { assertThat } from '@tutoring/shared/errors';
import { errors } from '../errors.ts';
import type { Charge, ChargeAnswer, ChargeVerdict } from './charge.ts';
import { createChargeBatch } from './charge-batch.ts';
import { chargeMany, chargeOne } from './charge-store.ts';

/** What two students violate who name the same reference at the same time. */
const SOMEBODY_ELSES = ['transfer_reference', 'hold_pkey', 'payment_source'];
const CONFLICT: ChargeVerdict = { verdict: 'conflict', charged: 0, reserved: 0, available: 0 };

const BATCH = { size: 128, atOnce: 2 };

export function createCharges({ database, currency }: { database: Database; currency: string }) {
  /** A connection cut after COMMIT leaves open whether it was charged: charging a reference again answers that. */
  async function settle(charge: Charge): Promise<ChargeVerdict> {
    const attempt = () => database.autocommit((tx) => chargeOne(tx, charge, currency));
    return attempt().catch((error: unknown) => {
      if (isUnavailable(error)) return attempt();
      if (SOMEBODY_ELSES.includes(violatedConstraint(error) ?? '')) return CONFLICT;
      throw error;
    });
  }

  const inBatch = createChargeBatch({
    ...BATCH,
    one: settle,
    many: (charges) => database.autocommit((tx) => chargeMany(tx, charges, currency)),
  });

  return {
    /** Pays a step of a call, once per reference. Throws payment_required when the money is not there. */
    async charge(charge: Charge): Promise<ChargeAnswer> {
      const { verdict, charged, reserved, available } = await inBatch(charge);
      assertThat(verdict !== 'refused', errors.notEnough());
      assertThat(verdict !== 'conflict', errors.referenceTaken());
      return { charged, reserved, available };
    },
  };
}

export type Charges = ReturnType<typeof createCharges>;
