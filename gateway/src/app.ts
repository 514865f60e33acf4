import type { Request, Response } from 'express';
import { createIdentitySigner } from '@tutoring/shared/kit/identity/auth';
import { connectBus } from '@tutoring/shared/contract/bus';
import { serveMetrics } from '@tutoring/shared/kit/http/serve/listener';
import { createInternalClient } from '@tutoring/shared/contract/client';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { STOP_REQUESTS_MS, STOP_REST_MS } from '@tutoring/shared/kit/process/deadlines';
import { createMetrics } from '@tutoring/shared/kit/process/metrics';
import { shutDown } from '@tutoring/shared/kit/process/process';
import { createAdmission, createRateLimits } from './admission/admission.ts';
import { createCosts } from './admission/costs.ts';
import { watchRevocations } from './admission/revocations.ts';
import { createAuth } from './admission/verdicts.ts';
import type { Deps, GatewayConfig } from './config.ts';
import { createDashboard } from './dashboard/dashboard.ts';
import { timings as standardTimings, type Timings } from './deadlines.ts';
import { openEdge } from './edge/edge.ts';
import { watchReadiness } from './edge/readiness.ts';
import { exchangeOf } from './exchange/exchange.ts';
import { refuseUnavailable } from './exchange/respond.ts';
import { isDashboard } from './exchange/routes.ts';
import { createEvents } from './live/live.ts';
import { createUnread } from './proxy/load.ts';
import { createProxy } from './proxy/proxy.ts';
import { acceptBody } from './proxy/request-body.ts';
import { createDocs } from './reference/reference.ts';

/** Connects and starts every part of the gateway except HTTP. */
async function openParts(config: GatewayConfig, logger: Logger, timings: Timings, clock: () => number) {
  const { IDENTITY_URL, WALLET_URL, MESSAGING_URL, CALLS_URL } = config;
  const services = { identity: IDENTITY_URL, wallet: WALLET_URL, messaging: MESSAGING_URL, calls: CALLS_URL };
  const { NATS_URL: url, NATS_PREFIX: prefix } = config;
  const signer = createIdentitySigner('gateway', config, { now: clock });
  const bus = await connectBus({ url, prefix, name: 'gateway', limits: config, logger });
  const deps: Deps = { config, services, timings, logger, bus };
  const revocations = watchRevocations(deps);
  const identity = createInternalClient({ baseUrl: IDENTITY_URL, from: 'gateway', to: 'identity', signer, logger });
  const auth = createAuth({ identity, signer, revocations, timings });
  const events = createEvents(deps, auth);
  revocations.onRevoked(auth.revoke, events.revoke);
  const limits = await createRateLimits(deps);
  const unread = createUnread();
  return {
    deps,
    revocations,
    auth,
    events,
    limits,
    docs: createDocs(deps),
    dashboard: createDashboard(config),
    unread,
    proxy: createProxy(deps, { costs: createCosts(limits), unread }),
    readiness: watchReadiness(deps),
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
  const { auth, dashboard, deps, docs, events, limits, metrics, proxy, readiness, unread } = parts;
  const { bus } = deps;
  // After the flush NATS has the subscriptions, so revocations are received.
  await bus.connection.flush();
  const { admit, admitPage } = createAdmission({ auth, limits });

  async function serve(req: Request, res: Response): Promise<void> {
    const { path, route } = exchangeOf(res);
    if (isDashboard(path)) {
      if (!(await admitPage(res))) return;
      if (unread.takeStreamed(res)) dashboard(req, res);
      else refuseUnavailable(res);
      return;
    }
    if (!(await admit(res))) return;
    if (route?.owner === 'events') await events.handle(req, res);
    else if (route?.owner === 'reference') await (unread.takeStreamed(res) ? docs(res) : refuseUnavailable(res));
    else if (acceptBody(req, res)) await proxy.forward(req, res);
  }

  const http = await openEdge(deps, { isReady: readiness.isReady, isPressed: unread.isPressed, metrics, serve });
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
        for (const part of [proxy, auth, parts.revocations, limits]) part.stop();
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
