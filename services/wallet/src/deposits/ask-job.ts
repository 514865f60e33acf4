import type { Job } from '@tutoring/shared/kit/jobs';
import { queueJob } from '@tutoring/shared/kit/queue';
import { ASK_LEASE_SECONDS } from '../deadlines.ts';
import { askAboutRefund, claimRefunds } from '../deposit-refunds/provider-refund-service.ts';
import type { Parts } from '../parts.ts';
import { nextAskAge } from '../providers/asking.ts';
import type { PaymentResult } from '../providers/count.ts';
import type { Payment, PaymentProvider } from '../providers/provider.ts';
import { ageOf, setNextAsk, claimDueDeposits, type DueDeposit } from './deposit-store.ts';
import { applyPayment, reportPayment } from './payment-service.ts';

/** True when the outcome at the provider cannot change any more. */
const isFinal = ({ outcome }: Payment) => outcome === 'success' || outcome === 'canceled';

/**
 * Job: makes refunds that were sent, and asks providers about open deposits and refunds, so that a lost webhook delays
 * them but does not lose them. One without an answer is asked about again when its lease has expired.
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

  const refunding = providers.all.filter(({ refunds }) => refunds !== undefined).map(({ name }) => name);

  /** Due refunds, and due deposits for the rest of the limit, each as its work. */
  const claimDue = (limit: number) =>
    database.transact(async (tx): Promise<(() => Promise<void>)[]> => {
      const leaseSeconds = ASK_LEASE_SECONDS;
      const refunds = await claimRefunds(tx, refunding, { limit, leaseSeconds });
      const rest = { limit: limit - refunds.length, leaseSeconds };
      const deposits = await claimDueDeposits(tx, [...askable.keys()], rest);
      return [...refunds.map((due) => () => askAboutRefund(parts, due)), ...deposits.map((due) => () => askAbout(due))];
    });

  return queueJob<() => Promise<void>>({
    name: 'ask-providers',
    movesMoney: true,
    purpose: 'makes refunds at payment providers, and asks them about deposits and refunds whose webhook is missing',
    everyMs: 5_000,
    concurrency: 10,
    claim: claimDue,
    work: (ask) => ask(),
  });
}
