import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '@tutoring/shared/process/logger';
import type { Metrics } from '@tutoring/shared/process/metrics';
import { openExchange, type Exchange } from '../exchange/exchange.ts';
import { headersOf, JSON_TYPE, LAST_OF_CONNECTION, refuseOwn } from '../exchange/respond.ts';
import { ALLOWED_METHODS } from '../exchange/routes.ts';
import { createCors } from './cors.ts';
import { observation, placeName, trace, type AnswerLog } from './observation.ts';

interface EdgeOptions {
  trustedHops: number;
  corsOrigins: string[];
  isReady: () => boolean;
  metrics: Metrics;
  logger: Logger;
  log: AnswerLog | undefined;
  /** Handles requests that are neither a health check nor a preflight. */
  serve(exchange: Exchange, req: IncomingMessage, res: ServerResponse): Promise<void>;
}

const CONTINUE = /(?:^|\W)100-continue(?:\W|$)/i;

/** Answers what HTTP/1.1 does not allow; false when it allows the request. */
function refuseMisuse(exchange: Exchange, req: IncomingMessage, res: ServerResponse): boolean {
  const { host, expect } = req.headers;
  if (req.httpVersion !== '1.1') return false;
  if (host === undefined) {
    refuseOwn(res, exchange, 'malformed', LAST_OF_CONNECTION);
    return true;
  }
  if (expect === undefined || CONTINUE.test(expect)) return false;
  refuseOwn(res, exchange, 'expectation', LAST_OF_CONNECTION);
  return true;
}

/** Health, request ids, cross-origin access, and what answers when anything fails. */
export function createEdge(options: EdgeOptions): RequestListener {
  const { metrics, logger, log, serve } = options;
  const allowOrigin = createCors(options.corsOrigins);

  function answerHealth(res: ServerResponse, isReady: boolean, status: string): void {
    const body = JSON.stringify({ status });
    const headers = { 'content-type': JSON_TYPE, 'content-length': body.length };
    res.writeHead(isReady ? 200 : 503, headers).end(body);
  }

  async function handle(exchange: Exchange, req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (refuseMisuse(exchange, req, res)) return;
    const isCrossOrigin = req.headers.origin !== undefined && exchange.path.startsWith('/api/');
    if (isCrossOrigin) allowOrigin(req, res, () => undefined);
    if (req.method === 'OPTIONS' && exchange.place) answerOptions(exchange, res);
    else await trace(exchange, res, () => serve(exchange, req, res));
  }

  return (req, res) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && req.url === '/livez') return answerHealth(res, true, 'live');
    if (isRead && req.url === '/readyz') {
      const isReady = options.isReady();
      return answerHealth(res, isReady, isReady ? 'ready' : 'not ready');
    }
    const exchange = openExchange(req, options.trustedHops);
    res.once('close', observation(metrics, log, exchange));
    handle(exchange, req, res).catch((error: unknown) => {
      logger.error({ err: error, request_id: exchange.id, route: placeName(exchange) }, 'unforeseen');
      if (res.headersSent) res.destroy();
      else refuseOwn(res, exchange, 'serverError');
    });
  };
}

/** The headers of a preflight are set already. */
function answerOptions(exchange: Exchange, res: ServerResponse): void {
  res.writeHead(204, headersOf(exchange, 204, ['Allow', ALLOWED_METHODS])).end();
}
