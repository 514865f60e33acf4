import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { CircuitState, circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import type { Request, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { IDENTITY_HEADER } from '@tutoring/shared/kit/identity/auth';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import type { ServiceName } from '@tutoring/shared/contract/names';
import type { Parts } from '../parts.ts';
import type { Costs } from '../admission/costs.ts';
import type { Running } from '../admission/running.ts';
import { exchangeOf, routeName, type Exchange } from '../exchange/exchange.ts';
import {
  refuseOwn,
  refuseTooLarge,
  refuseUnauthorized,
  refuseUnavailable,
  refuseUnreadUnavailable,
  retryHeaders,
} from '../exchange/respond.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { createBodies, createReads, type Unread } from './load.ts';
import { relayAnswer } from './relayed-answer.ts';
import { bodySize, countBody } from './request-body.ts';

/**
 * Why a service did not answer. `left` (the client disconnected), `too_large`, `interrupted` (the connection broke
 * while the client was sending) and `revoked` (the caller has lost the right) say nothing about the service.
 */
type Reason = 'refused' | 'broken' | 'late' | 'left' | 'too_large' | 'interrupted' | 'revoked';

class NoAnswer extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, cause?: unknown) {
    super(`no answer: ${reason}`, { cause });
    this.reason = reason;
  }
}

const SERVICE_FAILURES: Reason[] = ['refused', 'broken', 'late'];
const isServiceFailure = (error: unknown) => error instanceof NoAnswer && SERVICE_FAILURES.includes(error.reason);
const FAILURES_UNTIL_OPEN = 5;
const MAX_FREE_SOCKETS = 256;

/** One attempt to get an answer, from sending the request to the answer's first byte. */
interface Attempt {
  settle(reason?: Reason, cause?: unknown): void;
  request: ClientRequest | undefined;
  isSettled: boolean;
  /** Timer that fires when the service is silent for too long. */
  silence: NodeJS.Timeout;
}

const ATTEMPT = 'attempt';
const attemptOf = (res: ServerResponse) => (res as Response).locals[ATTEMPT] as Attempt;

function upstreamHeaders(req: IncomingMessage, exchange: Exchange, service: ServiceName): Record<string, string> {
  const headers: Record<string, string> = {
    ...forwardedHeaders(req.headers, exchange.route),
    'x-request-id': exchange.id,
    'x-client-address': exchange.address,
    'accept-language': exchange.language,
  };
  if (exchange.traceparent !== undefined) headers['traceparent'] = exchange.traceparent;
  if (exchange.verdict?.kind === 'good') headers[IDENTITY_HEADER] = exchange.verdict.identity(service);
  const size = bodySize(req);
  if (size === 'chunked') headers['transfer-encoding'] = 'chunked';
  else if (size > 0) headers['content-length'] = String(size);
  return headers;
}

/** Whether the request changes nothing yet, so that it can be cut: it reads, or its file is still a draft. */
const readsOrUploads = ({ method, path, uploadBytes }: Exchange) =>
  method === 'GET' || uploadBytes !== undefined || path.endsWith('all');

/** Why a request to a service failed, from its state at that moment. */
function reasonOf(error: NodeJS.ErrnoException, res: ServerResponse): Reason {
  // A request that Node could not parse is already answered, and its connection is no longer writable.
  if (res.destroyed || !res.req.socket.writable) return 'left';
  if (error.code === 'ECONNREFUSED' || error.code === 'EHOSTUNREACH' || error.code === 'ENOTFOUND') return 'refused';
  return res.req.complete ? 'broken' : 'interrupted';
}

/** What all services share: limits, and the running requests of administrators. */
interface Bounds {
  costs: Costs;
  unread: Unread;
  running: Running;
}

function breakerOf(name: ServiceName, { timings, logger }: Parts) {
  const breaker = circuitBreaker(handleWhen(isServiceFailure), {
    halfOpenAfter: timings.breakerOpen,
    breaker: new ConsecutiveBreaker(FAILURES_UNTIL_OPEN),
  });
  breaker.onBreak(() => logger.warn({ upstream: name }, 'a service does not answer: its breaker is open'));
  breaker.onReset(() => logger.info({ upstream: name }, 'a service answers again'));
  return breaker;
}

/** Sends requests to one service and relays its answers. */
const senderTo = ({ protocol, hostname, port }: URL, agent: Agent, { costs, unread }: Bounds) =>
  createProxyMiddleware<Request, Response>({
    target: { protocol, hostname, port: port || '80' },
    agent,
    // The routing table has chosen the service; without this the library matches the path against globs.
    pathFilter: () => true,
    selfHandleResponse: true,
    // The default plugins parse URLs for logging and put the host into answers to errors.
    ejectPlugins: true,
    plugins: [
      (proxy) => {
        proxy.on('proxyReq', (request, req, res) => {
          const attempt = attemptOf(res);
          attempt.request = request;
          // The library would send `close`: a service that refuses the request before the end of the body would then
          // close the connection, and its answer would be lost.
          if (bodySize(req) === 'chunked') request.setHeader('connection', 'keep-alive');
          if (attempt.isSettled) request.destroy();
          else countBody(req, res, () => attempt.settle('too_large'));
        });
        proxy.on('proxyRes', (answer, _req, res) => {
          const attempt = attemptOf(res);
          if (attempt.isSettled) {
            answer.resume();
            return;
          }
          attempt.settle();
          costs.charge(answer, exchangeOf(res));
          if (!unread.takeAnswer(answer, res)) {
            answer.destroy();
            refuseUnavailable(res);
            return;
          }
          relayAnswer(answer, res, attempt.silence);
        });
        proxy.on('error', (error, _req, res) => {
          if (res && 'locals' in res) attemptOf(res).settle(reasonOf(error, res), error);
        });
        proxy.on('econnreset', (error, _req, res) => attemptOf(res).settle('left', error));
      },
    ],
  });

/** The connections to one service, and its circuit breaker. */
function openUpstream(name: ServiceName, url: string, parts: Parts, bounds: Bounds) {
  const { timings } = parts;
  const agent = new Agent({ keepAlive: true, timeout: timings.idleUpstream });
  // Not an option: Node copies every option of the agent for every request.
  agent.maxFreeSockets = MAX_FREE_SOCKETS;
  const send = senderTo(new URL(url), agent, bounds);
  return { name, timings, agent, send, breaker: breakerOf(name, parts), bodies: createBodies(), reads: createReads() };
}

type Upstream = ReturnType<typeof openUpstream>;

/** Resolves at the answer's first byte; `relayAnswer` relays the answer. Rejects with `NoAnswer`. */
function attempt({ send, timings }: Upstream, req: Request, res: Response): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { uploadBytes, route } = exchangeOf(res);
  const onSilence = () => {
    // The client already has a part of the answer, so the only way to report a failure is to disconnect.
    if (res.headersSent || current.isSettled) res.destroy();
    else if (req.complete) current.settle('late');
    else current.silence.refresh();
  };
  const silence = setTimeout(onSilence, uploadBytes === undefined ? timings.upstream : timings.uploadAnswer);
  const current: Attempt = {
    request: undefined,
    isSettled: false,
    silence,
    settle: (reason, cause) => {
      if (current.isSettled) return;
      current.isSettled = true;
      if (reason === undefined) {
        if (route?.raw) {
          clearTimeout(silence);
          current.silence = setTimeout(onSilence, timings.download);
        } else silence.refresh();
        resolve();
        return;
      }
      clearTimeout(silence);
      current.request?.destroy();
      reject(new NoAnswer(reason, cause));
    },
  };
  res.locals[ATTEMPT] = current;
  // This listener is freed with the response; a reference from the exchange would keep finished requests in memory.
  res.on('close', () => {
    clearTimeout(current.silence);
    current.settle('left');
    // The request or the answer is incomplete: the service would wait for its client.
    if (!req.complete || !res.writableFinished) current.request?.destroy();
  });
  void send(req, res, (error: unknown) => current.settle('broken', error));
  return promise;
}

/** Retries a GET that did not reach the service: the connection was refused, or closed while it was idle. */
async function attemptWithRetry(upstream: Upstream, req: Request, res: Response): Promise<void> {
  try {
    await attempt(upstream, req, res);
  } catch (error) {
    const { request } = attemptOf(res);
    const neverReached =
      error instanceof NoAnswer && (error.reason === 'refused' || (error.reason === 'broken' && request?.reusedSocket));
    const mayRetry = req.method === 'GET' && bodySize(req) === 0 && neverReached && !res.headersSent;
    if (!mayRetry) throw error;
    await attempt(upstream, req, res);
  }
}

interface Proxy extends Bounds {
  logger: Logger;
  upstreams: Map<string, Upstream>;
}

/** Opens the connections over which `forward` sends requests to their services. */
export function openProxy(parts: Parts, bounds: Bounds): Proxy {
  const upstreams = Object.entries(parts.services).map(
    ([name, url]) => [name, openUpstream(name as ServiceName, url, parts, bounds)] as const,
  );
  return { ...bounds, logger: parts.logger, upstreams: new Map(upstreams) };
}

function answerFailure({ logger }: Proxy, error: unknown, res: Response): void {
  // Thrown by the open breaker.
  if (!(error instanceof NoAnswer)) return refuseUnavailable(res);
  const { reason } = error;
  const exchange = exchangeOf(res);
  const facts = { err: error.cause, reason, request_id: exchange.id, route: routeName(exchange) };
  if (isServiceFailure(error)) logger.warn(facts, 'a service did not answer a request');
  else if (reason === 'interrupted')
    logger.info(facts, 'a service closed the connection before it had received the whole request');
  if (reason === 'too_large') refuseTooLarge(res);
  else if (reason === 'revoked') refuseUnauthorized(res);
  else if (reason === 'refused') refuseUnavailable(res);
  else if (reason === 'broken' || reason === 'interrupted') refuseOwn(res, 'badGateway');
  else if (reason === 'late') refuseOwn(res, 'gatewayTimeout');
}

async function forwardTo(upstream: Upstream, proxy: Proxy, req: Request, res: Response): Promise<void> {
  const { costs, running } = proxy;
  const exchange = exchangeOf(res);
  await running.renew(exchange);
  if (res.destroyed) return;
  const waitMs = costs.waitOf(exchange);
  if (waitMs > 0) return refuseOwn(res, 'tooManyAttempts', retryHeaders(waitMs));
  // A half-open breaker would make this request wait for the result of its trial request.
  if (upstream.breaker.state === CircuitState.HalfOpen) return refuseUnavailable(res);
  req.headers = upstreamHeaders(req, exchange, upstream.name);
  if (readsOrUploads(exchange))
    running.add(res, () => {
      const attempt = attemptOf(res);
      if (attempt.isSettled) res.destroy();
      else attempt.settle('revoked');
    });
  try {
    await upstream.breaker.execute(() => attemptWithRetry(upstream, req, res));
  } catch (error) {
    answerFailure(proxy, error, res);
  }
}

/** Forwards the request to the service that owns the path, and relays its answer. */
export async function forward(proxy: Proxy, req: Request, res: Response): Promise<void> {
  const exchange = exchangeOf(res);
  const upstream = proxy.upstreams.get(exchange.route?.owner ?? '');
  if (!upstream) return refuseOwn(res, 'routeNotFound');
  if (!upstream.bodies.take(req, res)) return refuseUnreadUnavailable(res);
  await upstream.reads.run(exchange, () => forwardTo(upstream, proxy, req, res));
}

export function closeProxy({ upstreams }: Proxy): void {
  for (const { agent } of upstreams.values()) agent.destroy();
}
