import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { z } from 'zod';
import type { problem } from '@tutoring/shared/kit/http/declare/fields';
import { fill } from '@tutoring/shared/kit/language/localized';
import { BODY_DRAIN_MS } from '../deadlines.ts';
import { texts } from '../texts.ts';
import { exchangeOf, type Exchange } from './exchange.ts';
import { quirkOf } from './routes.ts';

/** A refusal as services send it. */
export type Problem = z.infer<typeof problem>;

/** Statuses that are always on the HTTP status line, without `X-Envelope: strict` too. */
export const REAL_STATUSES = [400, 405, 408, 413, 415, 417, 422, 429, 431, 500, 502, 503, 504];

/** The exact body of a refusal, the status in the body and in `X-Status-Code`, and the status of the HTTP line. */
export function refusal(
  { path, route, strict, language }: Pick<Exchange, 'path' | 'route' | 'strict' | 'language'>,
  status: number,
  problem: Problem,
) {
  const isUnknownRoute = problem.code === 'route_not_found';
  // Clients of the original system do not use raw routes: there the HTTP line has the real status.
  const isReal = strict || route?.raw || REAL_STATUSES.includes(status) || isUnknownRoute;
  const { bodyStatus = status, shape } = (!isUnknownRoute && quirkOf(path, status, route)) || {};
  const answer = (body: unknown) => ({ httpStatus: isReal ? status : 200, status: bodyStatus, body });
  const wording = texts[language];
  const plain = (message: unknown) => answer({ success: false, statusCode: bodyStatus, message });

  if (status === 422) return answer({ message: problem.message, errors: problem.errors ?? {} });
  if (status === 429) return answer({ message: wording.tooManyAttempts });
  if (status === 500) return plain(wording.serverError);
  if (bodyStatus === 403) {
    const message = problem.code === 'second_factor' ? problem.message : wording.unauthorized;
    return answer({ success: false, message, statusCode: 403 });
  }
  if (status === 401 && shape === 'data')
    return answer({ data: { success: false, message: wording.unauthenticatedPayments, statusCode: 401 } });
  if (status === 401) return plain(wording.unauthenticated);
  return plain(shape === 'object' ? { message: problem.message } : problem.message);
}

const envelopeOf = (status: number) => ({
  status,
  prefix: `{"success":true,"statusCode":${status},"data":`,
  suffix: '}',
});
const OK = envelopeOf(200);

/** The status in the body of a success, and the text before and after its payload. */
export function success({ path, route }: Pick<Exchange, 'path' | 'route'>, upstreamStatus: number): typeof OK {
  const bodyStatus = upstreamStatus === 200 ? undefined : quirkOf(path, upstreamStatus, route)?.bodyStatus;
  return bodyStatus === undefined ? OK : envelopeOf(bodyStatus);
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Helmet's headers as a flat list, computed once because they are the same on every answer. */
export function securityHeaders(options: Parameters<typeof helmet>[0]): string[] {
  const collected: string[] = [];
  const sink = { setHeader: (name: string, value: string) => void collected.push(name, value), removeHeader: () => {} };
  helmet(options)({} as IncomingMessage, sink as unknown as ServerResponse, () => undefined);
  return collected;
}

/** Headers of pages, scripts and images. JSON in the envelope is never rendered and needs only `JSON_HEADERS`. */
const RAW_HEADERS = securityHeaders({
  contentSecurityPolicy: {
    directives: {
      'default-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'style-src': ["'self'", "'unsafe-inline'"],
      'frame-ancestors': ["'none'"],
      // It would break the pages on a developer's machine, which has no HTTPS.
      'upgrade-insecure-requests': null,
    },
  },
  // Apps of other origins show avatars.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
});
const JSON_HEADERS = Object.entries({
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
}).flat();

/** The headers of every answer, as the flat list that `writeHead` takes; `status` is the one in the body. */
export function headersOf(
  exchange: Pick<Exchange, 'id' | 'route' | 'budget' | 'status'>,
  status: number,
  more: string[] = [],
): string[] {
  const { budget } = exchange;
  exchange.status = status;
  const headers = [...(exchange.route?.raw ? RAW_HEADERS : JSON_HEADERS), 'Cache-Control', 'no-store'];
  headers.push('X-Request-Id', exchange.id, 'X-Status-Code', String(status));
  if (budget)
    headers.push('X-RateLimit-Limit', String(budget.limit), 'X-RateLimit-Remaining', String(budget.remaining));
  headers.push(...more);
  return headers;
}

/** Answers a refusal in the envelope; does nothing when the answer has begun or the client has disconnected. */
export function refuse(...refused: Parameters<typeof beginRefusal>): void {
  const [response] = refused;
  const body = beginRefusal(...refused);
  if (body) response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Writes the headers of a refusal and returns its body; undefined when the answer has begun or the client is gone. */
function beginRefusal(response: ServerResponse, status: number, problem: Problem, more: string[] = []) {
  if (response.headersSent || response.destroyed) return undefined;
  const exchange = exchangeOf(response);
  const answer = refusal(exchange, status, problem);
  if (!exchange.isRelayed) exchange.refusal = problem.code;
  const body = Buffer.from(JSON.stringify(answer.body));
  const headers = headersOf(exchange, answer.status, ['Content-Type', JSON_TYPE, ...more]);
  // The answer to a HEAD would need the length of the answer to a GET, which is not known here.
  if (exchange.method !== 'HEAD') headers.push('Content-Length', String(body.length));
  response.writeHead(answer.httpStatus, headers);
  return body;
}

/** `Retry-After`, and `X-RateLimit-Reset`: the time at which the budget is full again. */
export function retryHeaders(afterMs: number): string[] {
  const seconds = Math.max(1, Math.ceil(afterMs / 1_000));
  const at = Math.ceil(Date.now() / 1_000) + seconds;
  return ['Retry-After', String(seconds), 'X-RateLimit-Reset', String(at)];
}

/** The gateway's own refusals: status and code, by the key of the message. */
const OWN_REFUSALS = {
  malformed: [400, 'malformed'],
  unauthenticated: [401, 'unauthenticated'],
  setUpTotp: [403, 'second_factor'],
  unauthorized: [403, 'forbidden'],
  routeNotFound: [404, 'route_not_found'],
  dashboardNotBuilt: [404, 'route_not_found'],
  methodNotAllowed: [405, 'method_not_allowed'],
  requestTimeout: [408, 'timeout'],
  tooLarge: [413, 'too_large'],
  unsupportedEncoding: [415, 'unsupported_media_type'],
  expectation: [417, 'expectation'],
  tooManyAttempts: [429, 'rate_limited'],
  serverError: [500, 'internal'],
  badGateway: [502, 'bad_gateway'],
  unavailable: [503, 'unavailable'],
  gatewayTimeout: [504, 'timeout'],
} as const;
type OwnRefusal = keyof typeof OWN_REFUSALS;

/** The status of one of the gateway's own refusals, and the refusal in the language of the request. */
function ownRefusal(response: ServerResponse, name: OwnRefusal): [status: number, problem: Problem] {
  const [status, code] = OWN_REFUSALS[name];
  const { language, method, path } = exchangeOf(response);
  return [status, { code, message: fill(texts[language][name], { method, path: path.slice(1) }) }];
}

export const refuseOwn = (response: ServerResponse, name: OwnRefusal, more?: string[]) =>
  refuse(response, ...ownRefusal(response, name), more);

export const refuseMethod = (response: ServerResponse, allowed: string) =>
  refuseOwn(response, 'methodNotAllowed', ['Allow', allowed]);

export const refuseUnavailable = (response: ServerResponse) => refuseOwn(response, 'unavailable', ['Retry-After', '1']);

export const CLOSE_CONNECTION = ['Connection', 'close'];

export const refuseTooLarge = (res: ServerResponse) => refuseUnread(res, ...ownRefusal(res, 'tooLarge'));

export const refuseUnauthorized = (res: ServerResponse) =>
  res.req.complete ? refuseOwn(res, 'unauthorized') : refuseUnread(res, ...ownRefusal(res, 'unauthorized'));

export const refuseUnreadUnavailable = (res: ServerResponse) =>
  refuseUnread(res, ...ownRefusal(res, 'unavailable'), ['Retry-After', '1']);

/**
 * Answers while the client is still sending. Ends the answer and the connection only when the client has finished
 * sending, or after a time-out: if the connection closed earlier, the client's operating system would discard the
 * answer.
 */
export function refuseUnread(res: ServerResponse, status: number, problem: Problem, more: string[] = []): void {
  const { req } = res;
  const body = beginRefusal(res, status, problem, [...CLOSE_CONNECTION, ...more]);
  if (!body) return;
  res.write(body);
  const end = () => void res.end();
  const timer = setTimeout(end, BODY_DRAIN_MS);
  res.once('close', () => clearTimeout(timer));
  req.unpipe();
  req.once('end', end);
  req.resume();
}
