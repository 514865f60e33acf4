import { Gauge } from 'prom-client';
import type { RepeatedJob } from '@tutoring/shared/kit/jobs';
import type { Metrics } from '@tutoring/shared/kit/process/metrics';
import type { Parts } from '../parts.ts';

/** Job: asks providers what they have for payouts, for a gauge; not at each scrape. */
export function balanceJob({ providers, logger }: Parts, { registry }: Metrics): RepeatedJob {
  const gauge = new Gauge({
    name: 'payment_provider_balance',
    help: 'Money for payouts at a payment provider, in the smallest unit; absent while it is unknown',
    labelNames: ['provider'],
    registers: [registry],
  });
  const read = async (provider: string, balance: () => Promise<number>) => {
    try {
      gauge.set({ provider }, await balance());
    } catch (error) {
      gauge.remove({ provider });
      logger.warn({ err: error, provider }, 'the payment provider did not say what it has for payouts');
    }
  };
  return {
    name: 'ask-balances',
    purpose: 'asks payment providers what they have for payouts',
    everyMs: 300_000,
    run: async () => {
      for (const { name, payouts } of providers.all) if (payouts?.balance) await read(name, payouts.balance);
    },
  };
}
