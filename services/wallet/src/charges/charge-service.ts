import type { Tx } from '@tutoring/shared/kit/database/open';
import { createBatch, type BatchLimits } from '@tutoring/shared/kit/batch';
import { isUnavailable, sqlState, violatedConstraint } from '@tutoring/shared/kit/database/refusals';
import { publish } from '@tutoring/shared/contract/publish';
import { MAX_CHARGES } from '@tutoring/shared/contract/wallet-commands';
import { CHARGE_PATIENCE_MS, HOLD_SECONDS } from '../deadlines.ts';
import { findChargeState, lockAccounts, tryLockAccounts, saveLedgerWithCommit } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { chargeSteps, type Charge, type ChargeVerdict } from './charge-step.ts';

/** Constraints that a second student violates by using the same reference at the same time. */
const REFERENCE_TAKEN = ['transfer_reference', 'hold_pkey', 'payment_source'];
const CONFLICT: ChargeVerdict = { verdict: 'conflict', charged: 0, reserved: 0, available: 0 };

const BATCH: BatchLimits = { size: MAX_CHARGES, atOnce: 2, maxWaitMs: CHARGE_PATIENCE_MS };

/** Lock timeout and statement timeout: nothing was done, and an immediate retry would not help. */
const TOOK_TOO_LONG = ['55P03', '57014'];

/**
 * Charges steps in the given order: locks all accounts, decides, and writes the results with the COMMIT. The verdict is
 * undefined for a charge whose account is locked by another transaction.
 */
export async function chargeAll(tx: Tx, charges: Charge[], currency: string): Promise<(ChargeVerdict | undefined)[]> {
  // Sent after the lock statement, so that it sees the writes of the previous lock holders.
  const [accounts, { until, ...records }] = await Promise.all([
    tryLockAccounts(tx, accountsOf(charges)),
    findChargeState(tx, charges, HOLD_SECONDS),
  ]);
  const { verdicts, entries } = chargeSteps(charges, { accounts, ...records }, { until, currency });
  saveLedgerWithCommit(tx, entries, currency);
  publish(tx, entries.events);
  return verdicts;
}

const accountsOf = (charges: Charge[]) => charges.flatMap(({ student_id, teacher_id }) => [student_id, teacher_id]);

/** Charges steps of calls in batches: once per reference, each with its own verdict. */
export function createCharging({ database, currency }: Pick<Parts, 'database' | 'currency'>) {
  /** Retries after a lost connection: if the first COMMIT succeeded, the same reference returns its outcome. */
  async function chargeAlone(charge: Charge): Promise<ChargeVerdict> {
    const attempt = async () => {
      const [verdict] = await database.transact(async (tx) => {
        await lockAccounts(tx, accountsOf([charge]));
        return chargeAll(tx, [charge], currency);
      });
      return verdict as ChargeVerdict;
    };
    return attempt().catch((error: unknown) => {
      if (isUnavailable(error) && !TOOK_TOO_LONG.includes(sqlState(error) ?? '')) return attempt();
      if (REFERENCE_TAKEN.includes(violatedConstraint(error) ?? '')) return CONFLICT;
      throw error;
    });
  }

  return createBatch<Charge, ChargeVerdict>({
    ...BATCH,
    // A charge of an account that the current batch locks waits for the next batch, not for the row lock.
    keys: ({ student_id, teacher_id }) => [student_id, teacher_id],
    processItem: chargeAlone,
    processBatch: (charges) => database.transact((tx) => chargeAll(tx, charges, currency)),
  });
}
