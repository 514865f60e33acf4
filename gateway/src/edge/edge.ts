import cors from 'cors';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Logger } from '@tutoring/shared/process/logger';
import type { Metrics } from '@tutoring/shared/process/metrics';
import type { GatewayConfig } from '../config.ts';
import { exchangeOf, openExchange } from '../exchange/exchange.ts';
import { headersOf, LAST_OF_CONNECTION, refuseOwn } from '../exchange/respond.ts';
import { ALLOWED_METHODS } from '../exchange/routes.ts';
import { observation, placeName, trace, type AnswerLog } from './observation.ts';

/** The headers of an answer that pages of other origins may read. */
const EXPOSED = [
  'X-Request-Id',
  'X-Status-Code',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
];

/** Cross-origin access for the configured origins; sets the headers of preflights. */
const allowOrigins = (origins: string[]) =>
  cors({
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    preflightContinue: true,
  });

const CONTINUE = /(?:^|\W)100-continue(?:\W|$)/i;

/** Answers what HTTP/1.1 does not allow; false when it allows the request. */
function refuseMisuse(req: Request, res: Response): boolean {
  const { host, expect } = req.headers;
  if (req.httpVersion !== '1.1') return false;
  if (host === undefined) {
    refuseOwn(res, 'malformed', LAST_OF_CONNECTION);
    return true;
  }
  if (expect === undefined || CONTINUE.test(expect)) return false;
  refuseOwn(res, 'expectation', LAST_OF_CONNECTION);
  return true;
}

/** The Express app: health, request ids, cross-origin access, and the last error handler. */
export function createEdge(options: {
  config: GatewayConfig;
  isReady: () => boolean;
  metrics: Metrics;
  logger: Logger;
  log: AnswerLog | undefined;
  /** Handles requests that are neither a health check nor a preflight. */
  serve(req: Request, res: Response): Promise<void>;
}): Express {
  const { config, metrics, logger, log, serve } = options;
  const allowOrigin = allowOrigins(config.CORS_ORIGINS);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  app.use((req, res, next) => {
    if ((req.method === 'GET' || req.method === 'HEAD') && (req.url === '/livez' || req.url === '/readyz')) {
      next();
      return;
    }
    const exchange = openExchange(req, res, config.TRUSTED_PROXY_HOPS);
    res.on('close', observation(metrics, log, exchange));
    if (refuseMisuse(req, res)) return;
    const proceed = () => {
      // The headers of a preflight are set already.
      if (req.method === 'OPTIONS' && exchange.place)
        res.writeHead(204, headersOf(exchange, 204, ['Allow', ALLOWED_METHODS])).end();
      else trace(exchange, res, () => void serve(req, res).catch(next));
    };
    const isCrossOrigin = req.headers.origin !== undefined && exchange.path.startsWith('/api/');
    if (isCrossOrigin) allowOrigin(req, res, proceed);
    else proceed();
  });

  app.get('/livez', (_req, res) => void res.json({ status: 'live' }));
  app.get('/readyz', (_req, res) => {
    const isReady = options.isReady();
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready' });
  });

  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const exchange = exchangeOf(res);
    logger.error({ err: error, request_id: exchange.id, route: placeName(exchange) }, 'unforeseen');
    if (res.headersSent) res.destroy();
    else refuseOwn(res, 'serverError');
  });
  return app;
}
