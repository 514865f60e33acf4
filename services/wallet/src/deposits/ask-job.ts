import type { Tx } from '@tutoring/shared/kit/database/open';
import type { Job } from '@tutoring/shared/kit/jobs';
import { queueJob } from '@tutoring/shared/kit/queue';
import { askAboutPayout, claimPayouts } from '../batches/provider-payout-service.ts';
import type { ProviderItem } from '../batches/provider-payout-store.ts';
import { ASK_LEASE_SECONDS } from '../deadlines.ts';
import { askAboutRefund, claimRefunds } from '../deposit-refunds/provider-refund-service.ts';
import type { Parts } from '../parts.ts';
import { nextAskAge } from '../providers/asking.ts';
import type { PaymentResult } from '../providers/count.ts';
import type { Payment, PaymentProvider } from '../providers/provider.ts';
import { ageOf, setNextAsk, claimDueDeposits, type DueDeposit } from './deposit-store.ts';
import { applyPayment, receiveWebhook, reportPayment } from './payment-service.ts';

/** True when the outcome at the provider cannot change any more. */
const isFinal = ({ outcome }: Payment) => outcome === 'success' || outcome === 'canceled';

/**
 * Job: makes refunds and payouts that were sent, and asks providers about them and open deposits, so that a lost webhook
 * delays them but does not lose them. One without an answer is asked about again when its lease has expired.
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

  /** Sends or asks about a payout, and receives the webhooks of a provider in this process. */
  async function pay(due: ProviderItem): Promise<void> {
    const provider = providers.all.find(({ name }) => name === due.provider)!;
    const webhooks = await askAboutPayout(parts, due);
    await Promise.all(webhooks.map(({ rawBody, header }) => receiveWebhook(parts, provider, rawBody, header)));
  }

  const refunding = providers.all.filter(({ refunds }) => refunds !== undefined).map(({ name }) => name);

  type Claim = (tx: Tx, lease: { limit: number; leaseSeconds: number }) => Promise<(() => Promise<unknown>)[]>;
  const refunds: Claim = async (tx, lease) =>
    (await claimRefunds(tx, refunding, lease)).map((due) => () => askAboutRefund(parts, due));
  const payouts: Claim = async (tx, lease) => (await claimPayouts(tx, parts, lease)).map((due) => () => pay(due));
  const deposits: Claim = async (tx, lease) =>
    (await claimDueDeposits(tx, [...askable.keys()], lease)).map((due) => () => askAbout(due));
  let others = [payouts, deposits];

  /** Due work up to the limit: refunds, which are few, then payouts or deposits first in turn, so that none starves. */
  const claimDue = (limit: number) =>
    database.transact(async (tx) => {
      others = others.toReversed();
      const due: (() => Promise<unknown>)[] = [];
      for (const claim of [refunds, ...others])
        due.push(...(await claim(tx, { limit: limit - due.length, leaseSeconds: ASK_LEASE_SECONDS })));
      return due;
    });

  return queueJob<() => Promise<unknown>>({
    name: 'ask-providers',
    movesMoney: true,
    purpose:
      'makes refunds and payouts at payment providers, and asks about them and deposits whose webhook is missing',
    everyMs: 5_000,
    concurrency: 10,
    claim: claimDue,
    work: (ask) => ask(),
  });
}
