import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import cors from 'cors';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { openListener } from '@tutoring/shared/kit/http/serve/listener';
import { inServerSpan } from '@tutoring/shared/kit/process/context';
import type { Metrics } from '@tutoring/shared/kit/process/metrics';
import type { Parts } from '../parts.ts';
import { LEAST_BYTES_PER_SECOND } from '../deadlines.ts';
import { exchangeOf, openExchange, routeName, type Exchange } from '../exchange/exchange.ts';
import { headersOf, JSON_TYPE, CLOSE_CONNECTION, refuseOwn } from '../exchange/respond.ts';
import { ALLOWED_METHODS } from '../exchange/routes.ts';
import { limitTime } from '../proxy/request-body.ts';
import { texts } from '../texts.ts';
import { originPattern } from '../origins.ts';

/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Status-Code',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'Accept-Ranges',
  'Content-Digest',
  'Content-Disposition',
  'Content-Range',
  'ETag',
];

/** Cross-origin access for the configured origins; sets the headers of preflights. */
const allowOrigins = (origins: string[]) =>
  cors({
    origin: origins.includes('*') ? '*' : origins.map(originPattern).filter((pattern) => pattern !== undefined),
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
    preflightContinue: true,
  });

const CONTINUE = /(?:^|\W)100-continue(?:\W|$)/i;

/** The number of Host headers, from the raw headers: Node keeps only the first. */
function countHosts({ rawHeaders }: Request): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/**
 * An HTTP/1.1 request must have exactly one Host, an HTTP/1.0 request at most one; other versions are not supported.
 */
const hasValidVersionAndHost = (req: Request) =>
  req.httpVersion === '1.1' ? countHosts(req) === 1 : req.httpVersion === '1.0' && countHosts(req) <= 1;

/** True after refusing a request with an invalid version, Host or Expect. */
function refuseMisuse(req: Request, res: Response): boolean {
  const { expect } = req.headers;
  if (!hasValidVersionAndHost(req)) {
    refuseOwn(res, 'malformed', CLOSE_CONNECTION);
    return true;
  }
  if (req.httpVersion !== '1.1') return false;
  if (expect === undefined || CONTINUE.test(expect)) return false;
  refuseOwn(res, 'expectation', CLOSE_CONNECTION);
  return true;
}

const HEALTH = new Set(['/livez', '/readyz']);

type AnsweredExchange = Pick<Exchange, 'id' | 'method' | 'path' | 'route' | 'status' | 'refusal'>;
/** Status in logs and metrics when the client disconnects before an answer. */
const CLIENT_CLOSED = 499;

/** Logs an answer: the gateway's own refusals at `info` when that is configured, every answer at `debug`. */
function logAnswer({ config, logger }: Parts, answered: AnsweredExchange, seconds: number): void {
  const { id, method, status = CLIENT_CLOSED, refusal } = answered;
  const isLoggedRefusal = config.LOG_REFUSALS && refusal !== undefined;
  if (!isLoggedRefusal && !logger.isLevelEnabled('debug')) return;
  const facts = { request_id: id, method, route: routeName(answered), status, ms: Math.round(seconds * 1_000) };
  if (isLoggedRefusal) logger.info({ ...facts, refusal }, 'refused');
  else logger.debug({ ...facts, refusal }, 'answered');
}

/** Returns a function to call when the answer has ended: it counts the request by route and status in the body. */
function observeOnEnd(parts: Parts, metrics: Metrics, exchange: Exchange): () => void {
  const started = performance.now();
  return () => {
    const seconds = (performance.now() - started) / 1_000;
    metrics.observeRequest(routeName(exchange), exchange.method, exchange.status ?? CLIENT_CLOSED, seconds);
    logAnswer(parts, exchange, seconds);
  };
}

/** Runs `next` in a span of this request, which becomes the parent of the services' spans. */
function trace(exchange: Exchange, res: Response, next: () => void): void {
  const begin = (traceparent: string | undefined) => {
    exchange.traceparent = traceparent;
    next();
  };
  inServerSpan(res, exchange.traceparent, begin, () => ({
    name: `${exchange.method} ${routeName(exchange)}`,
    attributes: { request_id: exchange.id, 'http.response.status_code': exchange.status ?? CLIENT_CLOSED },
  }));
}

interface Options {
  isReady: () => boolean;
  /** Whether unread answers take up nearly all of their memory. */
  isPressed: () => boolean;
  metrics: Metrics;
  /** Handles requests that are neither a health check nor a preflight. */
  serve(req: Request, res: Response): Promise<void>;
}

/** The Express app: health checks, request ids, cross-origin access, and the final error handler. */
function createApp(parts: Parts, options: Options): Express {
  const { config, logger, timings } = parts;
  const { metrics, serve } = options;
  const allowOrigin = allowOrigins(config.CORS_ORIGINS);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  app.use((req, res, next) => {
    if ((req.method === 'GET' || req.method === 'HEAD') && HEALTH.has(req.url) && hasValidVersionAndHost(req)) {
      limitTime(req, res, false, timings);
      next();
      return;
    }
    const exchange = openExchange(req, res, config.TRUSTED_PROXY_HOPS);
    limitTime(req, res, exchange.uploadBytes !== undefined, timings);
    res.on('close', observeOnEnd(parts, metrics, exchange));
    if (refuseMisuse(req, res)) return;
    const proceed = () => {
      // The headers of a preflight are set already.
      if (req.method === 'OPTIONS' && exchange.route)
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
    logger.error(
      { err: error, request_id: exchange.id, route: routeName(exchange) },
      'an unexpected error ended a request',
    );
    if (res.headersSent) res.destroy();
    else refuseOwn(res, 'serverError');
  });
  return app;
}

/** Refusals of requests that Node could not parse, by error code: in English, because no language is known yet. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: texts.en.requestTimeout },
  HPE_HEADER_OVERFLOW: { status: 431, message: texts.en.headersTooLarge },
};

function refuseUnparsed(parts: Parts, error: NodeJS.ErrnoException, socket: Socket): void {
  // A part of an answer has been sent: a refusal would corrupt it.
  const isAnswering = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent;
  if (!socket.writable || isAnswering || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? { status: 400, message: texts.en.malformed };
  const body = JSON.stringify({ success: false, statusCode: status, message });
  const exchange = { id: randomUUID(), route: undefined, budget: undefined, status: undefined as number | undefined };
  const length = String(Buffer.byteLength(body));
  const headers = headersOf(exchange, status, [
    ...CLOSE_CONNECTION,
    ...['Content-Type', JSON_TYPE, 'Content-Length', length],
  ]);
  const refusal = status === 408 ? 'timeout' : 'malformed';
  logAnswer(parts, { ...exchange, method: '', path: '', refusal }, 0);
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const isPlain = (headers: IncomingHttpHeaders) =>
  headers.host !== undefined &&
  headers.expect === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

/** A `GET api/events` without a body, whose headers need no refusal. */
const isEventStream = (request: IncomingMessage) =>
  request.method === 'GET' && /^\/api\/events\/?(\?|$)/.test(request.url ?? '') && isPlain(request.headers);

/** Listens, with limits on slow, silent and numerous clients. Rejects when the port is in use. */
export async function openEdge(parts: Parts, options: Options) {
  const { config, timings } = parts;
  const { HOST: host, PORT: port, MAX_CONNECTIONS: connections, TRUSTED_PROXY_HOPS: hops } = config;
  const idle = { connections: config.MAX_IDLE_PER_NETWORK, ms: timings.crowdedIdle };
  const app = createApp(parts, options);
  const listening = await openListener(app, {
    host,
    port,
    bounds: {
      headers: timings.requestHeaders,
      // For uploads; `limitTime` gives other bodies less time.
      request: timings.wholeUpload,
      check: timings.connectionsCheck,
      silence: timings.silence,
      connections,
      keepAlive: config.KEEP_ALIVE_SECONDS * 1_000,
      pace: {
        bytes: (LEAST_BYTES_PER_SECOND * timings.download) / 1_000,
        ms: timings.download,
        isPressed: options.isPressed,
      },
      // Behind a proxy all connections come from the proxy, so there is no limit per network.
      idle: hops === 0 ? idle : undefined,
    },
    maxHeaderSize: 16 * 1024,
    refuse: (error, socket) => refuseUnparsed(parts, error, socket),
    isLongLived: isEventStream,
  });
  listening.useApp(app);
  return listening;
}
