import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import type { ProcessConfig } from '../../process/config.ts';
import { SCRAPE_HEADERS_MS, SCRAPE_MS, SILENT_CONNECTION_MS } from '../../process/deadlines.ts';
import { openListener } from './listener.ts';

/** Enough for a few scrapers. */
const BOUNDS = {
  headers: SCRAPE_HEADERS_MS,
  request: SCRAPE_MS,
  check: 1_000,
  silence: SILENT_CONNECTION_MS,
  connections: 32,
};

/** Serves `GET /metrics` on a port of its own, where there is one: never reachable through the gateway. */
export async function serveMetrics(registry: Registry, config: Pick<ProcessConfig, 'HOST' | 'METRICS_PORT'>) {
  const { HOST: host, METRICS_PORT: metricsPort } = config;
  if (metricsPort === undefined) return undefined;
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
  const { server, port, close } = await openListener(answer, { host, port: metricsPort, bounds: BOUNDS });
  return {
    port,
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
}
