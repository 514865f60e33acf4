import type { Database } from '@tutoring/shared/database/open';
import { createBatch } from '@tutoring/shared/batch';
import { isUnavailable, sqlState, violatedConstraint } from '@tutoring/shared/database/refusals';
import { assertThat } from '@tutoring/shared/errors';
import { MAX_CHARGES } from '@tutoring/shared/internal/catalogue';
import { CHARGE_PATIENCE_MS } from '../deadlines.ts';
import { errors } from '../errors.ts';
import type { Charge, ChargeAnswer, ChargeVerdict } from './charge.ts';
import { chargeMany, chargeOne } from './charge-store.ts';

/** What two students violate who name the same reference at the same time. */
const SOMEBODY_ELSES = ['transfer_reference', 'hold_pkey', 'payment_source'];
const CONFLICT: ChargeVerdict = { verdict: 'conflict', charged: 0, reserved: 0, available: 0 };

const BATCH = { size: MAX_CHARGES, atOnce: 2, patienceMs: CHARGE_PATIENCE_MS };

/** Waiting for a lock, or running, took too long: nothing was done, and nothing would be gained at once. */
const TOOK_TOO_LONG = ['55P03', '57014'];

export function createCharges({ database, currency }: { database: Database; currency: string }) {
  /** A connection cut after COMMIT leaves open whether it was charged: charging a reference again answers that. */
  async function settle(charge: Charge): Promise<ChargeVerdict> {
    const attempt = () => database.autocommit((tx) => chargeOne(tx, charge, currency));
    return attempt().catch((error: unknown) => {
      if (isUnavailable(error) && !TOOK_TOO_LONG.includes(sqlState(error) ?? '')) return attempt();
      if (SOMEBODY_ELSES.includes(violatedConstraint(error) ?? '')) return CONFLICT;
      throw error;
    });
  }

  // Nobody pays twice in a batch, nor pays and is paid: the database would not know what comes first.
  const judge = createBatch<Charge, ChargeVerdict>({
    ...BATCH,
    keys: ({ studentId, teacherId }) => [studentId, teacherId],
    one: settle,
    many: async (charges) => {
      const verdicts = await database.autocommit((tx) => chargeMany(tx, charges, currency));
      return verdicts.map((verdict) => (verdict.verdict === 'busy' ? undefined : verdict));
    },
  });

  return {
    /** Pays steps of calls, each once per reference and each with its own verdict. */
    judge,

    /** Pays a step of a call, once per reference. Throws payment_required when the money is not there. */
    async charge(charge: Charge): Promise<ChargeAnswer> {
      const { verdict, charged, reserved, available } = await judge(charge);
      assertThat(verdict !== 'refused', errors.notEnough());
      assertThat(verdict !== 'conflict', errors.referenceTaken());
      return { charged, reserved, available };
    },
  };
}

export type Charges = ReturnType<typeof createCharges>;
