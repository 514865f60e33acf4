import type { RequestListener } from 'node:http';
import express, { type Express, type RequestHandler, type Response } from 'express';
import type { IdentitySigner } from '../../identity/auth.ts';
import { inServerSpan, languageOf, requestIdOf, runInContext } from '../../process/context.ts';
import { HEADERS_MS, REQUEST_MS, SILENT_CONNECTION_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import type { Metrics } from '../../process/metrics.ts';
import { openListener, type Listening } from './listener.ts';
import { texts } from '../../language/texts.ts';
import { errorHandler, mount, routeNotFound } from './mount.ts';
import { openApi, type LiveEvents } from '../declare/openapi.ts';
import type { Route } from '../declare/route.ts';

/** Sets the request id (the caller's if it is well formed) and the context for logs, events and texts. */
const requestContext: RequestHandler = (req, res, next) => {
  const requestId = requestIdOf(req.header('x-request-id'));
  req.headers['x-request-id'] = requestId;
  res.setHeader('x-request-id', requestId);
  const begin = (traceparent: string | undefined) =>
    runInContext({ requestId, language: languageOf(req), ...(traceparent && { traceparent }) }, next);
  inServerSpan(res, req.header('traceparent'), begin, () => ({
    name: `${req.method} ${routeOf(res)}`,
    attributes: { 'http.route': routeOf(res), 'http.response.status_code': res.statusCode, request_id: requestId },
  }));
};

/** The path template of the route, for metrics and spans. It has no ids, so that there are few label values. */
const routeOf = (res: Response) => (res.locals['route'] as string | undefined) ?? 'unknown';

/** Counts each finished request and logs one line about it, if the log level is enabled. */
const observe =
  ({ metrics, logger }: Pick<AppOptions, 'metrics' | 'logger'>): RequestHandler =>
  (req, res, next) => {
    const started = performance.now();
    const elapsed = () => performance.now() - started;
    res.once('finish', () => metrics.observeRequest(routeOf(res), req.method, res.statusCode, elapsed() / 1_000));
    res.once('close', () => {
      const level = res.statusCode >= 500 ? 'error' : 'debug';
      if (!logger.isLevelEnabled(level)) return;
      const facts = {
        request_id: req.headers['x-request-id'],
        req: { method: req.method, route: routeOf(res) },
        res: { status: res.statusCode },
        responseTime: Math.round(elapsed()),
      };
      const ended = res.writableFinished ? 'completed' : 'aborted';
      logger[level](facts, level === 'error' ? 'request errored' : `request ${ended}`);
    });
    next();
  };

/** `/livez` calls `isLive`, which must only check the process itself; `/readyz` calls `ready`. */
function health({ isLive, ready }: Pick<AppOptions, 'isLive' | 'ready'>): RequestHandler {
  return (req, res, next) => {
    if (req.path === '/livez') {
      const ok = isLive();
      res.status(ok ? 200 : 503).json({ status: ok ? 'live' : 'not live' });
    } else if (req.path === '/readyz') {
      void ready()
        .catch(() => false)
        .then((ok) => res.status(ok ? 200 : 503).json({ status: ok ? 'ready' : 'not ready' }));
    } else next();
  };
}

/** The app of a service that is starting: live, but not ready. */
export function waitingApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(health({ isLive: () => true, ready: () => Promise.resolve(false) }));
  app.use((_req, res) => void res.status(503).json({ code: 'unavailable', message: texts.busy }));
  return app;
}

interface AppOptions {
  name: string;
  routes: Route[];
  /** For the API reference. */
  liveEvents: LiveEvents;
  signer: IdentitySigner;
  logger: Logger;
  /** Returns false when the process hangs and must be restarted. */
  isLive: () => boolean;
  ready: () => Promise<boolean>;
  metrics: Metrics;
  /** Check every answer against its schema (in tests). */
  checkResponses: boolean;
}

/** The Express app of a service. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'extended');
  app.use(health(options), requestContext, observe(options));
  app.use(mount(options.routes, options));
  let document: unknown;
  app.get('/internal/openapi.json', (_req, res) => {
    document ??= openApi(options.name, options.routes, options.liveEvents);
    res.json(document);
  });
  app.use(routeNotFound);
  app.use(errorHandler(options.logger));
  return app;
}

/** Limits for gateways and other services, each with a few hundred connections at most. */
const BOUNDS = {
  headers: HEADERS_MS,
  request: REQUEST_MS,
  check: 1_000,
  silence: SILENT_CONNECTION_MS,
  connections: 4_096,
};

/** Twice the gateway's limit, because the gateway adds a few headers to those of its clients. */
const HEADER_BYTES = 32 * 1024;

/** Opens the listener of a service; rejects when the port is in use. */
export const listen = (app: RequestListener, options: { host: string; port: number }): Promise<Listening> =>
  openListener(app, { ...options, bounds: BOUNDS, maxHeaderSize: HEADER_BYTES });
