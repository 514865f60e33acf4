import { Counter, Gauge } from 'prom-client';
import { value, type Reader } from './database/sql.ts';
import type { Metrics } from './process/metrics.ts';

/**
 * `refused`: the provider rejected the message for good; `failed`: an attempt that will be retried; `expired`: given up
 * after failed attempts.
 */
const OUTCOMES = ['sent', 'refused', 'failed', 'expired'] as const;
export type DeliveryOutcome = (typeof OUTCOMES)[number];

/**
 * Adds metrics of messages to providers: counts by channel and outcome, and the age of the oldest waiting message.
 * `oldest`: an SQL expression by channel, a timestamp or null. Returns a function that counts messages.
 */
export function watchDeliveries<Channel extends string>(
  { registry }: Metrics,
  reader: Reader,
  oldest: Record<Channel, string>,
) {
  const channels = Object.keys(oldest) as Channel[];
  const outcomes = new Counter({
    name: 'deliveries_total',
    help: 'Messages to a provider by channel and outcome; failed attempts are repeated',
    labelNames: ['channel', 'outcome'] as const,
    registers: [registry],
  });
  for (const channel of channels) for (const outcome of OUTCOMES) outcomes.inc({ channel, outcome }, 0);
  new Gauge({
    name: 'deliveries_oldest_waiting_seconds',
    help: 'Age of the oldest message that waits for its provider, by channel',
    labelNames: ['channel'],
    registers: [registry],
    async collect() {
      for (const channel of channels) {
        const sql = `select extract(epoch from app_now() - (${oldest[channel]}))::float8`;
        const age = await value<number | null>(reader, sql).catch(() => Number.NaN);
        this.set({ channel }, age ?? 0);
      }
    },
  });
  return (channel: Channel, outcome: DeliveryOutcome, messages = 1) => outcomes.inc({ channel, outcome }, messages);
}
