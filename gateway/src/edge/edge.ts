import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import cors from 'cors';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { openListener } from '@tutoring/shared/http/serve/listener';
import { inServerSpan } from '@tutoring/shared/process/context';
import type { Logger } from '@tutoring/shared/process/logger';
import type { Metrics } from '@tutoring/shared/process/metrics';
import type { Deps } from '../config.ts';
import { LEAST_BYTES_PER_SECOND } from '../deadlines.ts';
import { exchangeOf, openExchange, placeName, type Exchange } from '../exchange/exchange.ts';
import { headersOf, JSON_TYPE, LAST_OF_CONNECTION, refuseOwn } from '../exchange/respond.ts';
import { ALLOWED_METHODS } from '../exchange/routes.ts';
import { limitTime } from '../proxy/request-body.ts';
import { texts } from '../texts.ts';
import { originPattern } from '../origins.ts';

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
    origin: origins.includes('*') ? '*' : origins.map(originPattern).filter((one) => one !== undefined),
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    preflightContinue: true,
  });

const CONTINUE = /(?:^|\W)100-continue(?:\W|$)/i;

/** How often a request names its host; of other headers Node has taken the first. */
function hosts({ rawHeaders }: Request): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** HTTP/1.1 names one host, HTTP/1.0 may name none, and nothing else is understood. */
const isUnderstood = (req: Request) =>
  req.httpVersion === '1.1' ? hosts(req) === 1 : req.httpVersion === '1.0' && hosts(req) <= 1;

/** Answers what HTTP does not allow; false when it allows the request. */
function refuseMisuse(req: Request, res: Response): boolean {
  const { expect } = req.headers;
  if (!isUnderstood(req)) {
    refuseOwn(res, 'malformed', LAST_OF_CONNECTION);
    return true;
  }
  if (req.httpVersion !== '1.1') return false;
  if (expect === undefined || CONTINUE.test(expect)) return false;
  refuseOwn(res, 'expectation', LAST_OF_CONNECTION);
  return true;
}

const HEALTH = new Set(['/livez', '/readyz']);

type Answered = Pick<Exchange, 'id' | 'method' | 'path' | 'place' | 'answered' | 'refusal'>;
type AnswerLog = (answered: Answered, seconds: number) => void;

/** The client left before an answer. */
const LEFT = 499;

/**
 * Writes a line about an answer: at `info` about the gateway's own refusals, where they are wanted, about all at
 * `debug`.
 */
function createAnswerLog(logger: Logger, refusals: boolean): AnswerLog {
  const all = logger.isLevelEnabled('debug');
  return (answered, seconds) => {
    const { id, method, answered: status = LEFT, refusal } = answered;
    const isTold = refusals && refusal !== undefined;
    if (!isTold && !all) return;
    const facts = { request_id: id, method, route: placeName(answered), status, ms: Math.round(seconds * 1_000) };
    if (isTold) logger.info({ ...facts, refusal }, 'refused');
    else logger.debug({ ...facts, refusal }, 'answered');
  };
}

/** Call this when the answer has ended: counts the request by place and by the status in the body. */
function observation(metrics: Metrics, log: AnswerLog, exchange: Exchange): () => void {
  const started = performance.now();
  return () => {
    const seconds = (performance.now() - started) / 1_000;
    metrics.observeRequest(placeName(exchange), exchange.method, exchange.answered ?? LEFT, seconds);
    log(exchange, seconds);
  };
}

/** Runs `next` in the span of this request, which services then see as the parent of theirs. */
function trace(exchange: Exchange, res: Response, next: () => void): void {
  const begin = (traceparent: string | undefined) => {
    exchange.traceparent = traceparent;
    next();
  };
  inServerSpan(res, exchange.traceparent, begin, () => ({
    name: `${exchange.method} ${placeName(exchange)}`,
    attributes: { request_id: exchange.id, 'http.response.status_code': exchange.answered ?? LEFT },
  }));
}

interface Options {
  isReady: () => boolean;
  /** Unread answers take nearly all of the memory that they may take. */
  isPressed: () => boolean;
  metrics: Metrics;
  /** Handles requests that are neither a health check nor a preflight. */
  serve(req: Request, res: Response): Promise<void>;
}

/** The Express app: health, request ids, cross-origin access, and the last error handler. */
function createApp({ config, logger, timings }: Deps, options: Options, log: AnswerLog): Express {
  const { metrics, serve } = options;
  const allowOrigin = allowOrigins(config.CORS_ORIGINS);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  app.use((req, res, next) => {
    if ((req.method === 'GET' || req.method === 'HEAD') && HEALTH.has(req.url) && isUnderstood(req)) {
      limitTime(req, res, false, timings);
      next();
      return;
    }
    const exchange = openExchange(req, res, config.TRUSTED_PROXY_HOPS);
    limitTime(req, res, exchange.uploadBytes !== undefined, timings);
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

/** Node's refusals of malformed requests, by error code: in English, because no language is known yet. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: texts.en.requestTimeout },
  HPE_HEADER_OVERFLOW: { status: 431, message: texts.en.headersTooLarge },
};

function refuseBare(error: NodeJS.ErrnoException, socket: Socket, log: AnswerLog): void {
  // A part of an answer has been sent: more text would only corrupt it.
  const isAnswering = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent;
  if (!socket.writable || isAnswering || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? { status: 400, message: texts.en.malformed };
  const body = JSON.stringify({ success: false, statusCode: status, message });
  const exchange = { id: randomUUID(), place: undefined, budget: undefined, answered: undefined as number | undefined };
  const length = String(Buffer.byteLength(body));
  const headers = headersOf(exchange, status, [
    ...LAST_OF_CONNECTION,
    ...['Content-Type', JSON_TYPE, 'Content-Length', length],
  ]);
  log({ ...exchange, method: '', path: '', refusal: status === 408 ? 'timeout' : 'malformed' }, 0);
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const isPlain = (headers: IncomingHttpHeaders) =>
  headers.host !== undefined &&
  headers.expect === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

/** A plain `GET api/events`: what is refused or read first is not among them. */
const isEventStream = (request: IncomingMessage) =>
  request.method === 'GET' && /^\/api\/events\/?(\?|$)/.test(request.url ?? '') && isPlain(request.headers);

/** Listens, with limits on slow, silent and many clients. Rejects when the port is taken. */
export async function openEdge(deps: Deps, options: Options) {
  const { config, timings, logger } = deps;
  const { HOST: host, PORT: port, MAX_CONNECTIONS: connections, TRUSTED_PROXY_HOPS: hops } = config;
  const idle = { connections: config.MAX_IDLE_PER_NETWORK, ms: timings.crowdedIdle };
  const log = createAnswerLog(logger, config.LOG_REFUSALS);
  const app = createApp(deps, options, log);
  const listening = await openListener(app, {
    host,
    port,
    bounds: {
      headers: timings.requestHeaders,
      // A file's; every other body has less time: `limitTime`.
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
      // Behind a proxy all connections are the proxy's, so there is no limit per network.
      idle: hops === 0 ? idle : undefined,
    },
    maxHeaderSize: 16 * 1024,
    refuse: (error, socket) => refuseBare(error, socket, log),
    isSolitary: isEventStream,
  });
  listening.adopt(app);
  return listening;
}
