import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { languageOf, requestIdOf, traceparentOf } from '@tutoring/shared/kit/process/context';
import type { Language } from '@tutoring/shared/kit/process/language';
import { DASHBOARD, isDashboard, routeOf, uploadBytes, type Route } from './routes.ts';
import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import type { ServiceName } from '@tutoring/shared/contract/names';
import { clientOf, plainAddress, readAddress } from '@tutoring/shared/kit/process/client-network';

/** The owner of a good bearer token. */
export type Bearer = UserCaller | AdminCaller;

/** What is known about a bearer token. `unknown`: identity could not be reached. */
export type BearerVerdict =
  | {
      kind: 'good';
      caller: Bearer;
      subject: string;
      /** An administrator who has to set up a second factor before anything else. */
      needsTotp: boolean;
      identity(audience: ServiceName): string;
    }
  | { kind: 'bad' | 'unknown' };

export const subjectOf = (caller: Bearer) => `${caller.kind}:${caller.id}`;

/** A budget of requests after this request was counted. */
export interface Budget {
  limit: number;
  remaining: number;
  exceeded: boolean;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** A request, and what the gateway has found out about it so far. */
export interface Exchange {
  id: string;
  traceparent: string | undefined;
  method: string;
  /** Without query and trailing slash. */
  path: string;
  /** Undefined when no service owns the path. */
  route: Route | undefined;
  /** The client sent `X-Envelope: strict`. */
  strict: boolean;
  language: Language;
  address: string;
  /** The bearer token that was sent. */
  token: string | undefined;
  /** Largest body of a file upload; undefined for every other request. */
  uploadBytes: number | undefined;
  budget: Budget | undefined;
  /** Undefined when no bearer was sent. */
  verdict: BearerVerdict | undefined;
  /** The status in the answer's body; undefined before the answer. */
  status: number | undefined;
  /** The answer is a service's refusal. */
  isRelayed: boolean;
  /** The code of the gateway's own refusal. */
  refusal: string | undefined;
}

/** An `Authorization` header with a bearer token. */
const BEARER = /^bearer +(\S+)$/i;

/** Path without query and trailing slash. */
function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

const LOCAL = 'exchange';

/** Accepts a request id only from a trusted proxy, which has set or checked it, and a traceparent from any client. */
export function openExchange(request: Request, response: Response, trustedHops: number): Exchange {
  const path = pathOf(request.url ?? '/');
  const route = routeOf(path);
  const id = requestIdOf(trustedHops > 0 ? request.get('x-request-id') : undefined);
  const method = request.method ?? 'GET';
  const exchange: Exchange = {
    id,
    traceparent: traceparentOf(request.get('traceparent')),
    method,
    path,
    strict: request.headers['x-envelope'] === 'strict',
    language: languageOf(request),
    address: clientAddress(request, trustedHops),
    token: BEARER.exec(request.headers.authorization?.trim() ?? '')?.[1],
    route,
    uploadBytes: uploadBytes(route, method, path),
    budget: undefined,
    verdict: undefined,
    status: undefined,
    isRelayed: false,
    refusal: undefined,
  };
  response.locals[LOCAL] = exchange;
  return exchange;
}

export const exchangeOf = (response: ServerResponse) => (response as Response).locals[LOCAL] as Exchange;

/**
 * The client's address as the outermost trusted proxy saw it: `hops` entries of X-Forwarded-For from the right. Entries
 * further left can be forged and are never read.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  const header = request.headers['x-forwarded-for'];
  if (hops === 0 || header === undefined) return peer;
  const chain = (Array.isArray(header) ? header.join(',') : header).split(',');
  return readAddress(chain[Math.max(0, chain.length - hops)] ?? '') ?? peer;
}

/** The owner of a good bearer token, such as `user:12`. */
export const personOf = ({ verdict }: Pick<Exchange, 'verdict'>) =>
  verdict?.kind === 'good' ? verdict.subject : undefined;

/** The person, or the address of an anonymous client. */
export const clientKey = (exchange: Pick<Exchange, 'verdict' | 'address'>) =>
  personOf(exchange) ?? clientOf(exchange.address);

/** The constant part of a path, for logs and metrics: never with ids or keys of files. */
export function routeName({ path, route }: Pick<Exchange, 'path' | 'route'>): string {
  if (isDashboard(path)) return DASHBOARD;
  if (!route) return 'unknown';
  const [, api = '', first = '', second = ''] = path.split('/');
  return first === 'admin' ? `/${api}/${first}/${second}` : `/${api}/${first}`;
}
