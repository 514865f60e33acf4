import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  registry: Registry;
  /** Counts one finished request by its route template and the status in the body. */
  observeRequest(route: string, method: string, status: number, seconds: number): void;
  countEvent(name: string, outcome: 'done' | 'repeated' | 'failed' | 'dead'): void;
  /** A gauge of the service, read at each scrape. */
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
