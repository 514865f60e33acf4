import { Counter, type Registry } from 'prom-client';
import { AppError } from '@tutoring/shared/errors';
import type { PaymentProvider } from './provider.ts';

/** By what we hear of a payment. */
export const CHANNELS = ['webhook', 'ask'] as const;
/** What a payment that was heard of did. */
export const HEARD = ['credited', 'ended', 'unchanged', 'repeated', 'foreign', 'other_money', 'unknown'] as const;
export type Heard = (typeof HEARD)[number];

const REQUESTS = ['open', 'ask'] as const;
const RESULTS = ['done', 'refused', 'failed'] as const;

const each = <Value extends string>(values: readonly Value[], count: (value: Value) => void) => values.forEach(count);

/** The figures about providers, from zero on: a first failure shows as an increase. */
export function createProviderCounts(registry: Registry, providers: PaymentProvider['name'][]) {
  const requests = new Counter({
    name: 'payment_provider_requests_total',
    help: 'Requests to payment providers, by outcome; refused: for its amount',
    labelNames: ['provider', 'request', 'outcome'] as const,
    registers: [registry],
  });
  const heard = new Counter({
    name: 'payments_heard_total',
    help: 'Payments that a provider told of, by webhook or when asked, by what came of it',
    labelNames: ['provider', 'by', 'outcome'] as const,
    registers: [registry],
  });
  each(providers, (provider) => {
    each(REQUESTS, (request) => each(RESULTS, (outcome) => requests.inc({ provider, request, outcome }, 0)));
    each(CHANNELS, (by) => each(HEARD, (outcome) => heard.inc({ provider, by, outcome }, 0)));
  });

  const counting =
    <Args extends unknown[], Result>(
      provider: PaymentProvider['name'],
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

  return {
    /** The same provider, whose requests are counted. */
    counted: (provider: PaymentProvider): PaymentProvider => ({
      ...provider,
      open: counting(provider.name, 'open', provider.open),
      ...(provider.ask && { ask: counting(provider.name, 'ask', provider.ask) }),
    }),
    heard: (provider: PaymentProvider['name'], by: (typeof CHANNELS)[number], outcome: Heard) =>
      heard.inc({ provider, by, outcome }),
  };
}
