import type { IncomingMessage, ServerResponse } from 'node:http';
import { problem } from '@tutoring/shared/http/declare/fields';
import { parseJson } from '@tutoring/shared/http/read/json-reader';
import { exchangeOf } from '../exchange/exchange.ts';
import {
  headersOf,
  JSON_TYPE,
  refuse,
  refuseOwn,
  refuseUnavailable,
  refuseUnread,
  retryHeaders,
  success,
  type Problem,
} from '../exchange/respond.ts';

const ERROR_LIMIT = 64 * 1024;
/** The payload of a success that has none. */
const NOTHING = 'null';
const DEFAULT_RETRY_MS = 60_000;
const JSON_MEDIA = /^application\/json\s*(;|$)/i;

/** A service's headers that clients get, besides those that the gateway writes itself. */
const PASSED = ['idempotent-replayed', 'retry-after', 'allow', 'content-range'];
const PASSED_RAW = [
  ...PASSED,
  'content-type',
  'content-length',
  'content-disposition',
  'location',
  'etag',
  'accept-ranges',
];
/** Headers for which a service's own value replaces the gateway's, on raw paths. */
const REPLACED = ['Content-Security-Policy', 'Cache-Control'];

/** Turns a service's answer into the client's. `pause` is refreshed with every piece of it. */
export function relayAnswer(upstream: IncomingMessage, res: ServerResponse, pause: NodeJS.Timeout): void {
  const { place } = exchangeOf(res);
  const status = upstream.statusCode ?? 502;
  const isJson = JSON_MEDIA.test(upstream.headers['content-type'] ?? '');
  if (place?.raw && (status < 400 || !isJson)) passThrough(upstream, res, pause);
  else if (status >= 400) relayRefusal(upstream, res, isJson);
  else if (status < 300 && (isJson || hasNoBody(upstream))) wrap(upstream, res, pause);
  else {
    upstream.resume();
    refuseOwn(res, 'badGateway');
  }
}

const hasNoBody = (upstream: IncomingMessage) =>
  upstream.statusCode === 204 || upstream.headers['content-length'] === '0';

const passed = ({ headers }: IncomingMessage, names: string[]): string[] =>
  names.flatMap((name) => (typeof headers[name] === 'string' ? [name, headers[name]] : []));

function passThrough(upstream: IncomingMessage, res: ServerResponse, pause: NodeJS.Timeout): void {
  const status = upstream.statusCode ?? 200;
  const headers = headersOf(exchangeOf(res), status, passed(upstream, PASSED_RAW));
  for (const name of REPLACED) {
    const given = upstream.headers[name.toLowerCase()];
    const at = typeof given === 'string' ? headers.indexOf(name) : -1;
    if (at !== -1) headers[at + 1] = given as string;
  }
  res.writeHead(status, headers);
  upstream.on('data', () => pause.refresh());
  upstream.pipe(res);
}

/**
 * Puts prefix and suffix around the payload while it streams. A usual answer is small and arrives in one piece with its
 * length: it is written as one string together with the headers (latin1 preserves every byte).
 */
function wrap(upstream: IncomingMessage, res: ServerResponse, pause: NodeJS.Timeout): void {
  const exchange = exchangeOf(res);
  const { status, prefix, suffix } = success(exchange, upstream.statusCode ?? 200);
  const line = exchange.strict ? (upstream.statusCode ?? 200) : 200;
  const declared = upstream.headers['content-length'];
  const length = declared === undefined ? undefined : Number(declared);
  const head = (payloadLength: number | undefined) => {
    const headers = headersOf(exchange, status, ['Content-Type', JSON_TYPE, ...passed(upstream, PASSED)]);
    if (payloadLength !== undefined)
      headers.push('Content-Length', String(prefix.length + payloadLength + suffix.length));
    res.writeHead(line, headers);
  };
  const endEmpty = () => {
    head(NOTHING.length);
    res.end(`${prefix}${NOTHING}${suffix}`);
  };
  upstream.once('end', endEmpty);
  upstream.once('data', (first: Buffer) => {
    upstream.off('end', endEmpty);
    head(length);
    if (first.length === length) {
      res.end(`${prefix}${first.toString('latin1')}${suffix}`, 'latin1');
      return;
    }
    res.write(prefix);
    res.write(first);
    upstream.on('data', () => pause.refresh());
    upstream.pipe(res, { end: false });
    upstream.once('end', () => res.end(suffix));
  });
}

/** Reads a refusal (64 KiB at most) and answers it in the envelope; a body that is not a refusal of ours is a 502. */
function relayRefusal(upstream: IncomingMessage, res: ServerResponse, isJson: boolean): void {
  const pieces: Buffer[] = [];
  let size = 0;
  upstream.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= ERROR_LIMIT) pieces.push(piece);
    else refuseOwn(res, 'badGateway');
  });
  upstream.once('end', () => {
    const refused = isJson && size <= ERROR_LIMIT ? problemOf(res.req, Buffer.concat(pieces)) : undefined;
    if (!refused) refuseOwn(res, 'badGateway');
    else answerProblem(upstream, res, refused);
  });
}

function answerProblem(upstream: IncomingMessage, res: ServerResponse, problem: Problem): void {
  const exchange = exchangeOf(res);
  const status = upstream.statusCode ?? 502;
  // Identity could not verify the bearer, or it is good and the service refused the gateway's signature: a 401 would
  // make an app log out for no reason.
  if (status === 401 && exchange.verdict !== undefined && exchange.verdict.kind !== 'bad') {
    refuseUnavailable(res);
    return;
  }
  exchange.isRelayed = true;
  if (status === 429) {
    const seconds = Number(upstream.headers['retry-after']);
    refuse(res, status, problem, retryHeaders(seconds > 0 ? seconds * 1_000 : DEFAULT_RETRY_MS));
    return;
  }
  // The service has refused what the client is still sending.
  if (!res.req.complete) refuseUnread(res, status, problem, passed(upstream, PASSED));
  else refuse(res, status, problem, passed(upstream, PASSED));
}

/** Undefined: it is no refusal of ours. Of a HEAD it has a status and no body. */
const problemOf = ({ method }: IncomingMessage, body: Buffer): Problem | undefined =>
  method === 'HEAD' ? { code: '', message: '' } : problem.safeParse(parseJson(body.toString())).data;
