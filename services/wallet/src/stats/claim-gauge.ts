import { Gauge } from 'prom-client';
import type { Reader } from '@tutoring/shared/kit/database/open';
import type { Metrics } from '@tutoring/shared/kit/process/metrics';
import { oldestRefund, refundFigures } from '../deposit-refunds/deposit-refund-store.ts';
import { disputeFigures, hoursUntilEvidence } from '../disputes/dispute-store.ts';

type Figures = { status: string; count: number }[];

/** A gauge by status, read at each scrape; absent when the database does not answer. */
function byStatus(metrics: Metrics, name: string, help: string, read: () => Promise<Figures>): void {
  new Gauge({
    name,
    help,
    labelNames: ['status'],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      for (const { status, count } of await read().catch(() => [])) this.set({ status }, count);
    },
  });
}

/** Gauges of disputes and of refunds of deposits. */
export function watchClaims(metrics: Metrics, reader: Reader): void {
  byStatus(metrics, 'disputes', 'The disputes by status', () => disputeFigures(reader));
  byStatus(metrics, 'deposit_refunds', 'The refunds of deposits by status', () => refundFigures(reader));
  metrics.watch('disputes_owed', 'What students owe because of disputes, in the smallest unit', async () =>
    (await disputeFigures(reader)).reduce((sum, { owed }) => sum + owed, 0),
  );
  metrics.watch(
    'disputes_evidence_due_hours',
    'Hours until evidence of an open dispute is due, the earliest; NaN when nothing is due',
    async () => (await hoursUntilEvidence(reader)) ?? NaN,
  );
  for (const status of ['requested', 'sent'] as const)
    metrics.watch(
      `deposit_refunds_oldest_${status}_seconds`,
      `Age of the oldest refund of a deposit in the status ${status}, in seconds`,
      () => oldestRefund(reader, status),
    );
}
