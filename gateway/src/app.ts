import type { Request, Response } from 'express';
import { createIdentitySigner } from '@tutoring/shared/kit/identity/auth';
import { connectBus } from '@tutoring/shared/contract/bus';
import { serveMetrics } from '@tutoring/shared/kit/http/serve/listener';
import { createInternalClient } from '@tutoring/shared/contract/client';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { STOP_REQUESTS_MS, STOP_REST_MS } from '@tutoring/shared/kit/process/deadlines';
import { createMetrics } from '@tutoring/shared/kit/process/metrics';
import { shutDown } from '@tutoring/shared/kit/process/process';
import { admit, admitPage, createRateLimits } from './admission/admission.ts';
import { createCosts } from './admission/costs.ts';
import { watchRevocations } from './admission/revocations.ts';
import { createRunning } from './admission/running.ts';
import { createAuth } from './admission/verdicts.ts';
import type { GatewayConfig } from './config.ts';
import { createDashboard } from './dashboard/dashboard.ts';
import { timings as standardTimings, type Timings } from './deadlines.ts';
import { openEdge } from './edge/edge.ts';
import { watchReadiness } from './edge/readiness.ts';
import { exchangeOf } from './exchange/exchange.ts';
import { refuseUnavailable } from './exchange/respond.ts';
import { isDashboard } from './exchange/routes.ts';
import { createEvents } from './live/live.ts';
import type { Parts } from './parts.ts';
import { createUnread } from './proxy/load.ts';
import { closeProxy, forward, openProxy } from './proxy/proxy.ts';
import { acceptBody } from './proxy/request-body.ts';
import { createDocs } from './reference/reference.ts';

/** Connects and starts every part of the gateway except HTTP. */
async function openParts(config: GatewayConfig, logger: Logger, timings: Timings, clock: () => number) {
  const { IDENTITY_URL, WALLET_URL, MESSAGING_URL, CALLS_URL } = config;
  const services = { identity: IDENTITY_URL, wallet: WALLET_URL, messaging: MESSAGING_URL, calls: CALLS_URL };
  const { NATS_URL: url, NATS_PREFIX: prefix } = config;
  const signer = createIdentitySigner('gateway', config, { now: clock });
  const bus = await connectBus({ url, prefix, name: 'gateway', limits: config, logger });
  const parts: Parts = { config, services, timings, logger, bus };
  const revocations = watchRevocations(parts);
  const identity = createInternalClient({ baseUrl: IDENTITY_URL, from: 'gateway', to: 'identity', signer, logger });
  const auth = createAuth({ identity, signer, revocations, timings });
  const events = createEvents(parts, auth);
  const running = createRunning(auth);
  revocations.onRevoked(auth.revoke, events.revoke, running.revoke);
  const limits = await createRateLimits(parts);
  const unread = createUnread();
  return {
    ...parts,
    revocations,
    auth,
    events,
    limits,
    docs: createDocs(parts),
    dashboard: createDashboard(config),
    unread,
    proxy: openProxy(parts, { costs: createCosts(limits), unread, running }),
    readiness: watchReadiness(parts),
    metrics: createMetrics('gateway'),
  };
}

/** Starts the gateway; rejects when it cannot start. `clock` is used to sign identities. */
export async function startGateway(
  config: GatewayConfig,
  logger: Logger,
  timings: Timings = standardTimings,
  clock: () => number = Date.now,
) {
  const parts = await openParts(config, logger, timings, clock);
  const { auth, bus, dashboard, docs, events, limits, metrics, proxy, readiness, unread } = parts;
  // After the flush NATS has the subscriptions, so revocations are received.
  await bus.connection.flush();

  async function serve(req: Request, res: Response): Promise<void> {
    const { path, route } = exchangeOf(res);
    if (isDashboard(path)) {
      if (!(await admitPage(parts, res))) return;
      if (unread.takeStreamed(res)) dashboard(req, res);
      else refuseUnavailable(res);
      return;
    }
    if (!(await admit(parts, res))) return;
    if (route?.owner === 'events') await events.handle(req, res);
    else if (route?.owner === 'reference') await (unread.takeStreamed(res) ? docs(res) : refuseUnavailable(res));
    else if (acceptBody(req, res)) await forward(proxy, req, res);
  }

  const http = await openEdge(parts, { isReady: readiness.isReady, isPressed: unread.isPressed, metrics, serve });
  const scraped = await serveMetrics(metrics.registry, config);
  logger.info({ port: http.port, metrics_port: scraped?.port }, 'listening');

  return {
    url: `http://127.0.0.1:${http.port}`,
    stop: async () => {
      readiness.stop();
      http.drain();
      if (config.SHUTDOWN_DELAY_MS > 0) await new Promise((resolve) => setTimeout(resolve, config.SHUTDOWN_DELAY_MS));
      events.stop();
      const stopWatching = async () => {
        closeProxy(proxy);
        for (const part of [auth, parts.revocations, limits]) part.stop();
      };
      await shutDown(
        [
          { limitMs: STOP_REQUESTS_MS, parts: { requests: http.close } },
          { limitMs: STOP_REST_MS, parts: { gateway: stopWatching, metrics: scraped?.close } },
          { limitMs: STOP_REST_MS, parts: { nats: bus.close } },
        ],
        logger,
      );
    },
  };
}

export type RunningGateway = Awaited<ReturnType<typeof startGateway>>;
