import { fill } from '@tutoring/shared/language/localized';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { texts } from '../texts.ts';
import { refusal, type Problem } from './envelope.ts';
import { exchangeOf, type Exchange } from './exchange.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Helmet's headers as a flat list: they are the same on every answer, so they are computed once. */
export function securityHeaders(options: Parameters<typeof helmet>[0]): string[] {
  const collected: string[] = [];
  const sink = { setHeader: (name: string, value: string) => void collected.push(name, value), removeHeader: () => {} };
  helmet(options)({} as IncomingMessage, sink as unknown as ServerResponse, () => undefined);
  return collected;
}

/** Headers of pages, scripts and images. JSON in the envelope is never rendered and needs fewer: `DATA`. */
const RAW = securityHeaders({
  contentSecurityPolicy: {
    directives: {
      'default-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'style-src': ["'self'", "'unsafe-inline'"],
      'frame-ancestors': ["'none'"],
      // Also sent over plain HTTP on a developer's machine, where it would break the pages.
      'upgrade-insecure-requests': null,
    },
  },
  // Avatars are shown by apps of other origins.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
});
const DATA = Object.entries({
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
}).flat();

/** The headers of every answer, as the flat list that `writeHead` takes; `status` is the one in the body. */
export function headersOf(
  exchange: Pick<Exchange, 'id' | 'place' | 'budget' | 'answered'>,
  status: number,
  more: string[] = [],
): string[] {
  const { budget } = exchange;
  exchange.answered = status;
  const headers = [...(exchange.place?.raw ? RAW : DATA), 'Cache-Control', 'no-store'];
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

/** Writes the headers of a refusal and returns its body; undefined when it is too late for any. */
export function beginRefusal(response: ServerResponse, status: number, problem: Problem, more: string[] = []) {
  if (response.headersSent || response.destroyed) return undefined;
  const exchange = exchangeOf(response);
  const answer = refusal(exchange, status, problem);
  if (!exchange.isRelayed) exchange.refusal = problem.code;
  const body = Buffer.from(JSON.stringify(answer.body));
  const headers = headersOf(exchange, answer.status, ['Content-Type', JSON_TYPE, ...more]);
  // Of a HEAD it would be the length of what a GET gets, which is not known here.
  if (exchange.method !== 'HEAD') headers.push('Content-Length', String(body.length));
  response.writeHead(answer.line, headers);
  return body;
}

/** `Retry-After` and the moment at which a budget is whole again. */
export function retryHeaders(afterMs: number): string[] {
  const seconds = Math.max(1, Math.ceil(afterMs / 1_000));
  const at = Math.ceil(Date.now() / 1_000) + seconds;
  return ['Retry-After', String(seconds), 'X-RateLimit-Reset', String(at)];
}

export function refuseRoute(response: ServerResponse): void {
  const { language, path } = exchangeOf(response);
  const message = fill(texts[language].routeNotFound, { path: path.slice(1) });
  refuse(response, 404, { code: 'route_not_found', message });
}

export function refuseMethod(response: ServerResponse, allowed: string): void {
  const { language, method } = exchangeOf(response);
  const message = fill(texts[language].methodNotAllowed, { method });
  refuse(response, 405, { code: 'method_not_allowed', message }, ['Allow', allowed]);
}

/** The gateway's other refusals by their sentence: status and code. */
const OWN = {
  malformed: [400, 'malformed'],
  unauthenticated: [401, 'unauthenticated'],
  setUpTotp: [403, 'second_factor'],
  dashboardNotBuilt: [404, 'route_not_found'],
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
type Own = keyof typeof OWN;

/** The status of a refusal of the gateway's own, and the refusal in the language of the request. */
export function ownRefusal(response: ServerResponse, name: Own): [status: number, problem: Problem] {
  const [status, code] = OWN[name];
  return [status, { code, message: texts[exchangeOf(response).language][name] }];
}

export const refuseOwn = (response: ServerResponse, name: Own, more?: string[]) =>
  refuse(response, ...ownRefusal(response, name), more);

export const refuseUnavailable = (response: ServerResponse) => refuseOwn(response, 'unavailable', ['Retry-After', '1']);

export const LAST_OF_CONNECTION = ['Connection', 'close'];
