import type { IncomingMessage, ServerResponse } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { CircuitState, circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import { IDENTITY_HEADER } from '@tutoring/shared/identity/auth';
import type { Logger } from '@tutoring/shared/process/logger';
import type { ServiceName } from '@tutoring/shared/process/names';
import type { Timings } from '../deadlines.ts';
import { placeName } from '../edge/observation.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { refuseOwn, refuseRoute, refuseUnavailable } from '../exchange/respond.ts';
import { relayAnswer } from './relayed-answer.ts';
import { bodySize, countBody, refuseTooLarge } from './request-body.ts';

/** Not by `import`: see openListener. */
const http = process.getBuiltinModule('node:http');

/** Why there was no answer. `left` and `too_large` are caused by the client and say nothing about the service. */
type Reason = 'refused' | 'broken' | 'late' | 'left' | 'too_large';

class NoAnswer extends Error {
  readonly reason: Reason;
  /** The request was sent into a connection that had been used before. */
  readonly isReused: boolean;
  constructor(reason: Reason, { cause, isReused }: { cause?: unknown; isReused: boolean }) {
    super(`no answer: ${reason}`, { cause });
    this.reason = reason;
    this.isReused = isReused;
  }
}

const SERVICE_FAILURES: Reason[] = ['refused', 'broken', 'late'];
const isServiceFailure = (error: unknown) => error instanceof NoAnswer && SERVICE_FAILURES.includes(error.reason);
const FAILURES_UNTIL_OPEN = 5;
const MAX_FREE_SOCKETS = 256;

/** The client's headers that a service gets; the gateway sets identity, forwarding and hop-by-hop headers itself. */
const PASSED = ['accept', 'content-type', 'user-agent', 'idempotency-key', 'x-signature', 'stripe-signature'];

/** Further headers for paths that serve files. */
const PASSED_DOWNLOAD = [...PASSED, 'range', 'if-range', 'if-none-match'];

/** As the flat list that a request takes. */
function upstreamHeaders(req: IncomingMessage, exchange: Exchange, service: ServiceName, host: string): string[] {
  const headers = ['host', host, 'x-request-id', exchange.id, 'x-client-address', exchange.address];
  headers.push('accept-language', exchange.language);
  for (const name of exchange.place?.download ? PASSED_DOWNLOAD : PASSED) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.push(name, value);
  }
  if (exchange.traceparent !== undefined) headers.push('traceparent', exchange.traceparent);
  if (exchange.verdict?.kind === 'good') headers.push(IDENTITY_HEADER, exchange.verdict.identity(service));
  const size = bodySize(req);
  if (size === 'chunked') headers.push('transfer-encoding', 'chunked');
  else if (size > 0 || (req.method !== 'GET' && req.method !== 'HEAD')) headers.push('content-length', String(size));
  return headers;
}

/** Why a request to a service failed, from its state at that moment. */
function reasonOf(error: NodeJS.ErrnoException, res: ServerResponse): Reason {
  if (res.destroyed || !res.socket || res.socket.destroyed) return 'left';
  return error.code === 'ECONNREFUSED' || error.code === 'EHOSTUNREACH' || error.code === 'ENOTFOUND'
    ? 'refused'
    : 'broken';
}

/** The connections to one service, and its circuit breaker. */
function createUpstream(name: ServiceName, url: string, timings: Timings, logger: Logger) {
  const { host } = new URL(url);
  const { hostname, port } = urlToHttpOptions(new URL(url));
  const agent = new http.Agent({ keepAlive: true, timeout: timings.idleUpstream });
  // Not an option: Node copies every option of the agent for every request.
  agent.maxFreeSockets = MAX_FREE_SOCKETS;
  const breaker = circuitBreaker(handleWhen(isServiceFailure), {
    halfOpenAfter: timings.breakerOpen,
    breaker: new ConsecutiveBreaker(FAILURES_UNTIL_OPEN),
  });
  breaker.onBreak(() => logger.warn({ upstream: name }, 'a service does not answer: its breaker is open'));
  breaker.onReset(() => logger.info({ upstream: name }, 'a service answers again'));

  /** Resolves at the answer's first byte, which is then passed to `relayAnswer`. */
  function attempt(exchange: Exchange, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { uploadBytes, place } = exchange;
    const { method, url: path } = req;
    const headers = upstreamHeaders(req, exchange, name, host);
    const request = http.request({ agent, hostname, port, method, path, headers });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let answer: IncomingMessage | undefined;
    let isFailed = false;
    const fail = (reason: Reason, cause?: unknown) => {
      if (answer || isFailed) return;
      isFailed = true;
      clearTimeout(pause);
      request.destroy();
      reject(new NoAnswer(reason, { cause, isReused: request.reusedSocket }));
    };
    const onPause = () => {
      // In the middle of an answer: the part that the client has cannot be taken back.
      if (answer || res.headersSent) res.destroy();
      else if (req.complete) fail('late');
      else pause.refresh();
    };
    let pause = setTimeout(onPause, uploadBytes === undefined ? timings.upstream : timings.uploadAnswer);
    request.on('error', (error) => fail(reasonOf(error, res), error));
    request.once('response', (first) => {
      answer = first;
      if (isFailed) return void answer.resume();
      if (place?.raw) {
        clearTimeout(pause);
        pause = setTimeout(onPause, timings.download);
      } else pause.refresh();
      resolve();
      relayAnswer(first, exchange, res, pause);
      first.once('close', () => {
        if (!first.complete && !res.writableEnded) res.destroy();
        if (request.writableFinished) return;
        // Answered in the middle of the body: a client that sends all of it first gets to see the answer, too.
        req.unpipe(request).resume();
        request.destroy();
      });
    });
    res.once('close', () => {
      clearTimeout(pause);
      fail('left');
      // In the middle of the request or the answer: the service would wait for its client.
      if (!req.complete || !answer?.complete || !res.writableFinished) request.destroy();
    });
    if (bodySize(req) === 0) request.end();
    else {
      countBody(req, exchange, () => fail('too_large'));
      req.pipe(request);
    }
    return promise;
  }

  /** Repeats a GET that reached no service: refused, or sent into a connection that was just being closed. */
  async function attemptTwice(exchange: Exchange, req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await attempt(exchange, req, res);
    } catch (error) {
      const { reason, isReused } = error as NoAnswer;
      const reachedNobody = reason === 'refused' || (reason === 'broken' && isReused);
      const mayRepeat = req.method === 'GET' && bodySize(req) === 0 && reachedNobody && !res.headersSent;
      if (!mayRepeat) throw error;
      await attempt(exchange, req, res);
    }
  }

  return { breaker, agent, attemptTwice };
}

/** Forwards requests to their services. */
export function createProxy(options: { services: Record<ServiceName, string>; timings: Timings; logger: Logger }) {
  const { services, timings, logger } = options;
  const upstreams = new Map(
    Object.entries(services).map(([name, url]) => [name, createUpstream(name as ServiceName, url, timings, logger)]),
  );

  function answerFailure(error: unknown, exchange: Exchange, req: IncomingMessage, res: ServerResponse): void {
    if (!(error instanceof NoAnswer)) {
      // The breaker is open.
      refuseUnavailable(res, exchange);
      return;
    }
    const { reason } = error;
    if (reason !== 'left' && reason !== 'too_large') {
      logger.warn(
        { err: error.cause, reason, request_id: exchange.id, route: placeName(exchange) },
        'a service gave no answer',
      );
    }
    if (reason === 'too_large') refuseTooLarge(req, res, exchange);
    else if (reason === 'refused') refuseUnavailable(res, exchange);
    else if (reason === 'broken') refuseOwn(res, exchange, 'badGateway');
    else if (reason === 'late') refuseOwn(res, exchange, 'gatewayTimeout');
  }

  return {
    /** Answers with the help of the service that owns the path. */
    forward: async (exchange: Exchange, req: IncomingMessage, res: ServerResponse): Promise<void> => {
      if (res.destroyed) return;
      const upstream = upstreams.get(exchange.place?.owner ?? '');
      if (!upstream) return refuseRoute(res, exchange);
      // A breaker that tries one request makes the others wait for it; they must not wait.
      if (upstream.breaker.state === CircuitState.HalfOpen) return refuseUnavailable(res, exchange);
      try {
        await upstream.breaker.execute(() => upstream.attemptTwice(exchange, req, res));
      } catch (error) {
        answerFailure(error, exchange, req, res);
      }
    },
    stop: () => {
      for (const { agent } of upstreams.values()) agent.destroy();
    },
  };
}
