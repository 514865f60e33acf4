import express, { type NextFunction, type Request, type Response } from 'express';
import { createIdentitySigner } from '@tutoring/shared/auth';
import { connectBus } from '@tutoring/shared/events/bus';
import { createInternalClient } from '@tutoring/shared/internal-client';
import type { Logger } from '@tutoring/shared/logger';
import { createAdmission } from './admission.ts';
import { createAuth } from './auth.ts';
import { timings as standardTimings, type GatewayConfig, type Timings } from './config.ts';
import { createCors } from './cors.ts';
import { exchangeOf, keepExchange, openExchange, type Exchange } from './exchange.ts';
import { listenPublicly } from './http-server.ts';
import { watchLink } from './nats-link.ts';
import { createProxy } from './proxy.ts';
import { createRateLimits } from './rate-limit.ts';
import { watchReadiness } from './readiness.ts';
import { acceptBody } from './request-body.ts';
import { headersOf, refuse } from './respond.ts';
import { hearRevocations } from './revocations.ts';
import { texts } from './texts.ts';

export interface RunningGateway {
  url: string;
  stop(): Promise<void>;
}

/** Starts the gateway. Rejects with what is wrong. */
export async function startGateway(
  config: GatewayConfig,
  logger: Logger,
  timings: Timings = standardTimings,
): Promise<RunningGateway> {
  const services = {
    identity: config.IDENTITY_URL,
    wallet: config.WALLET_URL,
    messaging: config.MESSAGING_URL,
    calls: config.CALLS_URL,
  };
  const bus = await connectBus({ url: config.NATS_URL, prefix: config.NATS_PREFIX, name: 'gateway', logger });
  const link = watchLink(bus.connection);
  const signer = createIdentitySigner(config.INTERNAL_KEYS);
  const identity = createInternalClient({ baseUrl: services.identity, service: 'gateway', signer });
  const auth = createAuth({ identity, signer, link });
  hearRevocations(bus, logger, auth.revoke);
  const limits = createRateLimits({
    perWindow: { auth: config.AUTH_RATE_LIMIT, api: config.API_RATE_LIMIT },
    redisUrl: config.REDIS_URL,
    prefix: config.NATS_PREFIX,
    logger,
  });
  const proxy = createProxy({ services, timings, logger });
  const readiness = watchReadiness({ services, everyMs: timings.readinessPoll, logger });
  const admit = createAdmission({ auth, limits });
  const allowOrigin = createCors(config.CORS_ORIGINS);

  async function serve(exchange: Exchange, req: Request, res: Response): Promise<void> {
    if (!(await admit(exchange, req, res))) return;
    if (acceptBody(req, res, exchange)) await proxy.forward(exchange, req, res);
  }

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.get('/livez', (_req, res) => void res.json({ status: 'live' }));
  app.get('/readyz', (_req, res) => {
    const isReady = readiness.isReady();
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready' });
  });
  app.use((req, res, next) => {
    const exchange = openExchange(req, config.TRUSTED_PROXY_HOPS);
    keepExchange(res, exchange);
    const isCrossOrigin = req.headers.origin !== undefined && exchange.path.startsWith('/api/');
    const proceed = () => {
      if (req.method === 'OPTIONS' && exchange.place) res.writeHead(204, headersOf(exchange, 204)).end();
      else serve(exchange, req, res).catch(next);
    };
    if (isCrossOrigin) allowOrigin(req, res, proceed);
    else proceed();
  });
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const exchange = exchangeOf(res);
    logger.error({ err: error, request_id: exchange.id, path: exchange.path }, 'unforeseen');
    if (res.headersSent) res.destroy();
    else refuse(res, exchange, 500, { code: 'internal', message: texts.serverError });
  });

  const http = await listenPublicly(app, { host: config.HOST, port: config.PORT, timings });
  logger.info({ port: http.port }, 'listening');

  return {
    url: `http://127.0.0.1:${http.port}`,
    stop: async () => {
      readiness.stop();
      if (config.SHUTDOWN_DELAY_MS > 0) await new Promise((resolve) => setTimeout(resolve, config.SHUTDOWN_DELAY_MS));
      await http.close();
      proxy.stop();
      auth.stop();
      link.stop();
      limits.close();
      await bus.close();
    },
  };
}
