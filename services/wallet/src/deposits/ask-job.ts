import type { Job } from '@tutoring/shared/kit/jobs';
import { queueJob } from '@tutoring/shared/kit/queue';
import { ASK_LEASE_SECONDS } from '../deadlines.ts';
import type { Parts } from '../parts.ts';
import type { PaymentResult } from '../providers/count.ts';
import type { Payment, PaymentProvider } from '../providers/provider.ts';
import { nextAskAge } from './deposit.ts';
import { ageOf, setNextAsk, claimDueDeposits, type DueDeposit } from './deposit-store.ts';
import { applyPayment, reportPayment } from './payment-service.ts';

/** True when the outcome at the provider cannot change any more. */
const isFinal = ({ outcome }: Payment) => outcome === 'success' || outcome === 'canceled';

/**
 * Job: asks the provider about unpaid deposits, so that a lost webhook delays a credit but does not lose it. A deposit
 * without an answer is asked about again when its lease has expired.
 */
export function askJob(parts: Parts): Job {
  const { database, logger, providers } = parts;
  const askable = new Map<string, PaymentProvider>(
    providers.all.filter(({ ask }) => ask !== undefined).map((provider) => [provider.name, provider]),
  );

  /** Applies the answer and schedules the next request; none if `isDone`. */
  const recordAnswer = (
    id: number,
    provider: PaymentProvider,
    { payment, isDone }: { payment?: Payment | undefined; isDone: boolean },
  ) =>
    database.transact(async (tx): Promise<PaymentResult> => {
      const outcome = payment ? await applyPayment(tx, parts, provider, { depositId: id, payment }) : 'unknown';
      await setNextAsk(tx, id, isDone ? null : (nextAskAge(await ageOf(tx, id), true) ?? null));
      return outcome;
    });

  async function askAbout({ id, provider: name, provider_ref: ref, paid_at: paidAt }: DueDeposit): Promise<void> {
    const provider = askable.get(name)!;
    if (ref === null || paidAt !== null) {
      await recordAnswer(id, provider, { isDone: paidAt !== null });
      return;
    }
    try {
      const payment = await provider.ask!(ref);
      const outcome = await recordAnswer(id, provider, { payment, isDone: payment !== undefined && isFinal(payment) });
      reportPayment(parts, provider, { by: 'ask', outcome, ref, deposit_id: id });
    } catch (error) {
      logger.warn(
        { err: error, provider: name, deposit_id: id },
        'the payment provider did not answer whether a deposit was paid; it will be asked again',
      );
      await database.transact(async (tx) => setNextAsk(tx, id, nextAskAge(await ageOf(tx, id), false)!));
    }
  }

  return queueJob<DueDeposit>({
    name: 'ask-providers',
    movesMoney: true,
    purpose: 'asks payment providers about deposits whose webhook has not arrived',
    everyMs: 5_000,
    concurrency: 10,
    claim: (limit) =>
      database.transact((tx) => claimDueDeposits(tx, [...askable.keys()], { limit, leaseSeconds: ASK_LEASE_SECONDS })),
    work: askAbout,
  });
}
