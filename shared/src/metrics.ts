import type { RequestListener } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './database/open.ts';
import { row } from './database/sql.ts';
import { STREAMS, type Bus } from './events/bus.ts';
import { openListener } from './http/listener.ts';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  registry: Registry;
  /** Counts one finished request by its route template and the status that the body tells. */
  observeRequest(route: string, method: string, status: number, seconds: number): void;
  countEvent(name: string, outcome: 'done' | 'repeated' | 'failed' | 'dead'): void;
  /** A figure of the service's own, read when somebody scrapes. */
  watch(name: string, help: string, read: () => number): void;
}

/** The registry of one process: rate, errors and duration of requests, the event loop, memory. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests by route template, method and body status',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  const events = new Counter({
    name: 'events_consumed_total',
    help: 'Events taken in, by name and outcome',
    labelNames: ['event', 'outcome'] as const,
    registers: [registry],
  });
  return {
    registry,
    observeRequest: (route, method, status, seconds) =>
      requests.observe({ route, method, status: String(status) }, seconds),
    countEvent: (event, outcome) => events.inc({ event, outcome }),
    watch: (name, help, read) =>
      void new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      }),
  };
}

/** Gauges that are read when somebody scrapes: outbox lag, dead letters, consumer lag, connections of the pool. */
export function watchService(metrics: Metrics, options: { service: string; database: Database; bus: Bus }): void {
  const { database, bus, service } = options;
  const registers = [metrics.registry];
  const gauge = (name: string, help: string, read: () => Promise<number> | number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // A scrape while the database or NATS is away shows NaN rather than failing as a whole.
        this.set(
          await Promise.resolve()
            .then(read)
            .catch(() => Number.NaN),
        );
      },
    });
  const ask = async (sql: string) => (await row<{ value: number | null }>(database.manager, sql))?.value ?? 0;
  const { pool } = database;

  gauge('outbox_unsent', 'Events written but not yet acknowledged by the broker', () =>
    ask('select count(*) as value from outbox where sent_at is null'),
  );
  gauge('outbox_lag_seconds', 'Age of the oldest event not yet acknowledged by the broker', () =>
    ask(
      'select ceil(extract(epoch from clock_timestamp() - created_at))::bigint as value from outbox where sent_at is null order by id limit 1',
    ),
  );
  gauge('dead_letters', 'Events that a handler could not take in', () =>
    ask('select count(*) as value from dead_letter'),
  );
  gauge('consumer_lag', 'Events that wait for this service', async () => {
    const info = await bus.jsm.consumers.info(bus.named('events'), bus.named(service));
    return info.num_pending + info.num_ack_pending;
  });
  new Gauge({
    name: 'stream_fill',
    help: 'Part of its bytes that a stream uses: its oldest messages go when it is full',
    labelNames: ['stream'],
    registers,
    async collect() {
      for (const stream of STREAMS) {
        const info = await bus.jsm.streams.info(bus.named(stream)).catch(() => undefined);
        this.set({ stream }, info && info.config.max_bytes > 0 ? info.state.bytes / info.config.max_bytes : Number.NaN);
      }
    },
  });
  gauge('database_pool_total', 'Open connections to the database', () => pool.totalCount);
  gauge('database_pool_idle', 'Idle connections to the database', () => pool.idleCount);
  gauge('database_pool_waiting', 'Requests that wait for a connection', () => pool.waitingCount);
}

/** A few scrapers. */
const BOUNDS = { headers: 5_000, request: 10_000, check: 1_000, connections: 32 };

/** Serves `GET /metrics` on a port of its own, never reachable through the gateway. */
export async function serveMetrics(registry: Registry, options: { host: string; port: number }) {
  const answer: RequestListener = (req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => res.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  };
  const { server, port, close } = await openListener(answer, { ...options, bounds: BOUNDS });
  return {
    port,
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
}
