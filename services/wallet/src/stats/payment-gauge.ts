import { Gauge, type Registry } from 'prom-client';
import type { Reader } from '@tutoring/shared/kit/database/open';
import type { Metrics } from '@tutoring/shared/kit/process/metrics';
import { oldestOpen, statusTotals } from './stats-store.ts';

const KINDS = ['deposit', 'withdrawal'] as const;

function countByStatus(registry: Registry, reader: Reader, table: (typeof KINDS)[number]): void {
  new Gauge({
    name: `${table}s`,
    help: `The ${table}s by status`,
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      this.reset();
      const totals = await statusTotals(reader, table).catch(() => undefined);
      for (const [status, count] of Object.entries(totals?.by_status ?? {})) this.set({ status }, count);
    },
  });
}

/** Gauges of deposits and withdrawals, read at each scrape; absent or NaN when the database does not answer. */
export function watchPayments(metrics: Metrics, reader: Reader): void {
  for (const table of KINDS) {
    countByStatus(metrics.registry, reader, table);
    metrics.watch(`${table}s_oldest_open_seconds`, `Age of the oldest open ${table}, in seconds`, () =>
      oldestOpen(reader, table),
    );
  }
}
