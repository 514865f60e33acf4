import { Counter, type Registry } from 'prom-client';
import { AppError } from '@tutoring/shared/kit/errors';
import type { PaymentProvider, Payouts } from './provider.ts';

/** How a provider reports a payment: by a webhook, or when asked. */
export const CHANNELS = ['webhook', 'ask'] as const;
/** Results of a reported payment. */
export const PAYMENT_RESULTS = [
  'credited',
  'ended',
  'unchanged',
  'repeated',
  'foreign',
  'other_money',
  'unknown',
] as const;
export type PaymentResult = (typeof PAYMENT_RESULTS)[number];

/** Results of a reported dispute or refund. */
const CLAIM_OUTCOMES = ['applied', 'unchanged', 'differs', 'foreign'] as const;
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];

/** Results of a reported payout. `unknown`: not ours, or nothing that says what happened to it. */
const PAYOUT_OUTCOMES = ['applied', 'unchanged', 'differs', 'unknown'] as const;
export type PayoutHeard = (typeof PAYOUT_OUTCOMES)[number];

const REQUESTS = ['open', 'ask', 'refund', 'ask_refund', 'payout', 'ask_payout', 'balance'] as const;
const RESULTS = ['done', 'refused', 'failed'] as const;

const each = <Value extends string>(values: readonly Value[], count: (value: Value) => void) => values.forEach(count);

/** Metrics of providers. All series start at 0, so that a first failure shows as an increase. */
export function createProviderCounts(registry: Registry, providers: string[]) {
  const requests = new Counter({
    name: 'payment_provider_requests_total',
    help: 'Requests to payment providers, by outcome (refused: the provider does not accept the amount)',
    labelNames: ['provider', 'request', 'outcome'] as const,
    registers: [registry],
  });
  const payments = new Counter({
    name: 'payments_heard_total',
    help: 'Payments reported by a provider, by webhook or when asked, by result',
    labelNames: ['provider', 'by', 'outcome'] as const,
    registers: [registry],
  });
  const claims = new Counter({
    name: 'claims_heard_total',
    help: 'Disputes and refunds reported by a provider, by result (differs: a break; foreign: not our payment)',
    labelNames: ['provider', 'outcome'] as const,
    registers: [registry],
  });
  const payouts = new Counter({
    name: 'payouts_heard_total',
    help: 'Payouts reported by a provider, by webhook or when asked, by result (differs: a break)',
    labelNames: ['provider', 'by', 'outcome'] as const,
    registers: [registry],
  });
  each(providers, (provider) => {
    each(CLAIM_OUTCOMES, (outcome) => claims.inc({ provider, outcome }, 0));
    each(REQUESTS, (request) => each(RESULTS, (outcome) => requests.inc({ provider, request, outcome }, 0)));
    each(CHANNELS, (by) => {
      each(PAYMENT_RESULTS, (outcome) => payments.inc({ provider, by, outcome }, 0));
      each(PAYOUT_OUTCOMES, (outcome) => payouts.inc({ provider, by, outcome }, 0));
    });
  });

  const counting =
    <Args extends unknown[], Result>(
      provider: string,
      request: (typeof REQUESTS)[number],
      send: (...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args): Promise<Result> => {
      try {
        const result = await send(...args);
        requests.inc({ provider, request, outcome: 'done' });
        return result;
      } catch (error) {
        requests.inc({ provider, request, outcome: error instanceof AppError ? 'refused' : 'failed' });
        throw error;
      }
    };

  const countedPayouts = (provider: string, { send, find, balance, ...rest }: Payouts): Payouts => ({
    ...rest,
    send: counting(provider, 'payout', send),
    find: counting(provider, 'ask_payout', find),
    ...(balance && { balance: counting(provider, 'balance', balance) }),
  });

  return {
    /** Wraps a provider to count its requests. */
    counted: (provider: PaymentProvider): PaymentProvider => ({
      ...provider,
      open: counting(provider.name, 'open', provider.open),
      ...(provider.ask && { ask: counting(provider.name, 'ask', provider.ask) }),
      ...(provider.refunds && {
        refunds: {
          make: counting(provider.name, 'refund', provider.refunds.make),
          find: counting(provider.name, 'ask_refund', provider.refunds.find),
        },
      }),
      ...(provider.payouts && { payouts: countedPayouts(provider.name, provider.payouts) }),
    }),
    countPayment: (provider: string, by: (typeof CHANNELS)[number], outcome: PaymentResult) =>
      payments.inc({ provider, by, outcome }),
    countClaim: (provider: string, outcome: ClaimOutcome) => claims.inc({ provider, outcome }),
    countPayout: (provider: string, by: (typeof CHANNELS)[number], outcome: PayoutHeard) =>
      payouts.inc({ provider, by, outcome }),
  };
}
