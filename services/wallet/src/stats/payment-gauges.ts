import { Gauge, type Registry } from 'prom-client';
import { value, type Reader } from '@tutoring/shared/database/sql';
import type { Metrics } from '@tutoring/shared/process/metrics';
import { statusTotals } from './stats-store.ts';

const KINDS = ['deposit', 'withdrawal'] as const;

/** The seconds since the oldest one was made that is open; a deposit that was paid waits for nobody. */
const oldestOpen = async (reader: Reader, table: (typeof KINDS)[number]) =>
  (await value<number | null>(
    reader,
    `select extract(epoch from app_now() - min(created_at))::float8 from ${table}
     where status in ('initiated', 'pending') ${table === 'deposit' ? 'and paid_at is null' : ''}`,
  )) ?? 0;

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

/** Gauges of deposits and withdrawals, read at each scrape; nothing, or NaN, when they cannot be. */
export function watchPayments(metrics: Metrics, reader: Reader): void {
  for (const table of KINDS) {
    countByStatus(metrics.registry, reader, table);
    metrics.watch(`${table}s_oldest_open_seconds`, `Age of the oldest ${table} that is neither paid nor over`, () =>
      oldestOpen(reader, table),
    );
  }
}
