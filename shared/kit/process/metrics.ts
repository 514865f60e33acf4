import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of a process: requests, events, jobs, event loop and memory. */
export function createMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  // Each measurement of the event loop delay wakes an idle process. The reported delay includes this interval.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
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
  const runs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of jobs, by job and outcome',
    labelNames: ['job', 'outcome'] as const,
    registers: [registry],
  });
  const lastSuccess = new Gauge({
    name: 'job_last_success_seconds',
    help: 'When a job last succeeded here, or was started, in Unix time',
    labelNames: ['job', 'money'] as const,
    registers: [registry],
  });
  return {
    registry,
    /** Counts a finished request by its path template and the status in the body. */
    observeRequest: (route: string, method: string, status: number, seconds: number) =>
      requests.observe({ route, method, status: String(status) }, seconds),
    countEvent: (event: string, outcome: 'done' | 'repeated' | 'skipped' | 'failed' | 'dead') =>
      events.inc({ event, outcome }),
    /** Counts a run of a job. `started` initializes the time of its last success. */
    countRun: (
      { name: job, movesMoney = false }: { name: string; movesMoney?: boolean },
      outcome: 'started' | 'done' | 'failed',
    ) => {
      if (outcome !== 'started') runs.inc({ job, outcome });
      if (outcome !== 'failed') lastSuccess.set({ job, money: String(movesMoney) }, Date.now() / 1_000);
    },
    /** Adds a gauge that is read at each scrape; NaN when reading fails. */
    watch: (name: string, help: string, read: () => Promise<number> | number) =>
      void new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          const figure = async () => read();
          this.set(await figure().catch(() => Number.NaN));
        },
      }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
