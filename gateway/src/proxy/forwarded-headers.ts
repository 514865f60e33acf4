import type { IncomingHttpHeaders } from 'node:http';
import { IDENTITY_HEADER } from '@tutoring/shared/kit/identity/auth';
import type { Route } from '../exchange/routes.ts';

/** Headers forwarded to services. The gateway sets identity, forwarding and hop-by-hop headers itself. */
const FORWARDED = ['accept', 'content-type', 'user-agent', 'idempotency-key'];

/** The same for routes that serve files. */
const FORWARDED_FOR_FILES = [...FORWARDED, 'range', 'if-range', 'if-none-match'];

/**
 * Headers of webhooks that are not forwarded: those of the connection, credentials, conditions, and those that the
 * gateway sets itself.
 */
const NOT_FORWARDED = new RegExp(
  `^(?:${[
    ...[
      'connection',
      'content-length',
      'expect',
      'host',
      'keep-alive',
      'te',
      'trailer',
      'transfer-encoding',
      'upgrade',
    ],
    ...['authorization', 'cookie', 'proxy-.*', 'sec-.*', 'forwarded', 'via', 'x-forwarded-.*', 'x-real-ip'],
    ...['content-encoding', 'accept-encoding', 'accept-language', 'range', 'if-.*', 'origin'],
    ...[IDENTITY_HEADER, 'x-client-address', 'x-request-id', 'x-envelope', 'traceparent', 'tracestate', 'baggage'],
  ].join('|')})$`,
);

const isForwardedOfWebhook = (name: string) => !NOT_FORWARDED.test(name);

/**
 * The headers of a request that its service gets. A payment provider signs a webhook in headers with names of its own,
 * so those of a webhook are all forwarded, with the exceptions above.
 */
export function forwardedHeaders(given: IncomingHttpHeaders, route: Route | undefined): Record<string, string> {
  const names =
    route?.limit === 'webhooks'
      ? Object.keys(given).filter(isForwardedOfWebhook)
      : route?.download
        ? FORWARDED_FOR_FILES
        : FORWARDED;
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = given[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
