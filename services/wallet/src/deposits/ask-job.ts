import type { Job } from '@tutoring/shared/jobs';
import { ASK_LEASE_SECONDS } from '../deadlines.ts';
import type { Parts } from '../parts.ts';
import type { Heard } from '../providers/count.ts';
import type { Payment, PaymentProvider } from '../providers/provider.ts';
import { nextAsk } from './deposit.ts';
import { ageOf, askAtAge, claimQuestions, type DueQuestion } from './deposit-store.ts';
import { applyPayment, tell } from './payment-service.ts';

/** Questions that wait for their answers at the same time. */
const ASKED_AT_ONCE = 10;

/** What ends the questions: the provider said how the payment ended, for good. */
const isOver = ({ outcome }: Payment) => outcome === 'success' || outcome === 'canceled';

/**
 * Job: asks the provider about deposits that are not paid, so that a lost webhook delays and loses nothing. A run starts
 * what is due and waits for no answer: a slow one holds up no other, and its deposit is asked about again when the
 * lease has ended.
 */
export function askJob(parts: Parts): Job {
  const { database, logger, providers } = parts;
  const asked = new Map<string, PaymentProvider>(
    providers.all.filter(({ ask }) => ask !== undefined).map((provider) => [provider.name, provider]),
  );
  const waiting = new Set<Promise<void>>();

  /** Records the answer and when to ask next; `over`: there is nothing to ask any more. */
  const settle = (
    id: number,
    provider: PaymentProvider,
    { payment, over }: { payment?: Payment | undefined; over: boolean },
  ) =>
    database.transact(async (tx): Promise<Heard> => {
      const outcome = payment ? await applyPayment(tx, parts, provider, { depositId: id, payment }) : 'unknown';
      await askAtAge(tx, id, over ? null : (nextAsk(await ageOf(tx, id), true) ?? null));
      return outcome;
    });

  async function question({ id, provider: name, provider_ref: ref, paid_at: paidAt }: DueQuestion): Promise<void> {
    const provider = asked.get(name)!;
    if (ref === null || paidAt !== null) {
      await settle(id, provider, { over: paidAt !== null });
      return;
    }
    try {
      const payment = await provider.ask!(ref);
      const outcome = await settle(id, provider, { payment, over: payment !== undefined && isOver(payment) });
      tell(parts, provider, { by: 'ask', outcome, ref, deposit_id: id });
    } catch (error) {
      logger.warn(
        { err: error, provider: name, deposit_id: id },
        'the payment provider did not say whether a deposit was paid',
      );
      await database.transact(async (tx) => askAtAge(tx, id, nextAsk(await ageOf(tx, id), false)!));
    }
  }

  function start(due: DueQuestion): void {
    const answer: Promise<void> = question(due)
      .catch((error: unknown) =>
        logger.warn({ err: error, deposit_id: due.id }, 'an answer about a deposit was not recorded'),
      )
      .finally(() => waiting.delete(answer));
    waiting.add(answer);
  }

  return {
    name: 'ask-providers',
    movesMoney: true,
    purpose: 'asks payment providers about deposits whose webhook has not come',
    everyMs: 5_000,
    run: async () => {
      for (;;) {
        const limit = ASKED_AT_ONCE - waiting.size;
        if (limit === 0) return;
        const due = await database.transact((tx) =>
          claimQuestions(tx, [...asked.keys()], { limit, leaseSeconds: ASK_LEASE_SECONDS }),
        );
        due.forEach(start);
        if (due.length < limit) return;
        await Promise.race(waiting);
      }
    },
  };
}
