import { Gauge } from 'prom-client';
import type { Database } from './database/open.ts';
import { value } from './database/sql.ts';
import type { Bus } from './events/bus.ts';
import { PREVIOUS } from './events/streams.ts';
import type { Metrics } from './process/metrics.ts';

/** Gauges, read at each scrape: outbox lag, dead letters, fill of the streams, connections of the pool. */
export function watchService(metrics: Metrics, { database, bus }: { database: Database; bus: Bus }): void {
  const ask = async (sql: string) => (await value<number | null | undefined>(database.manager, sql)) ?? 0;
  const { pool } = database;

  // Registered first, so that a scrape reads these gauges before it waits for a connection itself.
  metrics.watch('database_pool_total', 'Open connections to the database', () => pool.totalCount);
  metrics.watch('database_pool_idle', 'Idle connections to the database', () => pool.idleCount);
  metrics.watch('database_pool_waiting', 'Requests that wait for a connection', () => pool.waitingCount);
  metrics.watch('outbox_unsent', 'Events written but not yet acknowledged by the broker', () =>
    ask('select count(*) as value from outbox where sent_at is null'),
  );
  metrics.watch('outbox_lag_seconds', 'Age of the oldest event not yet acknowledged by the broker', () =>
    ask(
      'select ceil(extract(epoch from clock_timestamp() - created_at))::bigint as value from outbox where sent_at is null order by id limit 1',
    ),
  );
  metrics.watch('dead_letters', 'Events that a handler could not take in', () =>
    ask('select count(*) as value from dead_letter'),
  );
  new Gauge({
    name: 'stream_fill',
    help: 'Part of its bytes that a stream uses: its oldest messages go when it is full',
    labelNames: ['stream'],
    registers: [metrics.registry],
    async collect() {
      // The copies fill up before the streams that they come from, and nobody is behind in them.
      for (const stream of bus.topology.streams.filter((name) => name !== PREVIOUS)) {
        const info = await bus.jsm.streams.info(bus.named(stream)).catch(() => undefined);
        this.set({ stream }, info && info.config.max_bytes > 0 ? info.state.bytes / info.config.max_bytes : Number.NaN);
      }
    },
  });
}
