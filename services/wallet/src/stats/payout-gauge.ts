import type { Reader } from '@tutoring/shared/kit/database/open';
import type { Metrics } from '@tutoring/shared/kit/process/metrics';
import { payoutFigures, type PayoutFigures } from './stats-store.ts';

const GAUGES: [name: string, help: string, figure: keyof PayoutFigures][] = [
  ['payout_items_uncertain', 'Payouts of which nobody knows whether they were paid', 'uncertain'],
  ['payout_items_uncertain_oldest_seconds', 'Age of the oldest uncertain payout, in seconds', 'uncertain_age'],
  ['payout_batches_exported', 'Batches of payouts that were exported and are not closed', 'exported'],
  [
    'payout_batches_exported_oldest_seconds',
    'Age of the oldest export without all results, in seconds',
    'exported_age',
  ],
  ['breaks_open', 'Open breaks between the ledger and payment providers', 'breaks'],
];

/** Gauges of payouts and breaks, read at each scrape. */
export function watchPayouts(metrics: Metrics, reader: Reader): void {
  for (const [name, help, figure] of GAUGES)
    metrics.watch(name, help, async () => (await payoutFigures(reader))[figure]);
}
