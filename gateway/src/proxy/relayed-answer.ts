import type { IncomingMessage, ServerResponse } from 'node:http';
import { problem } from '@tutoring/shared/kit/http/declare/fields';
import { parseJson } from '@tutoring/shared/kit/http/read/json-reader';
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

const MAX_REFUSAL_BYTES = 64 * 1024;
/** The payload of a success without a body. */
const NULL_PAYLOAD = 'null';
const DEFAULT_RETRY_MS = 60_000;
const JSON_MEDIA = /^application\/json\s*(;|$)/i;

/** A service's headers that are relayed to clients. */
const RELAYED_HEADERS = ['idempotent-replayed', 'retry-after', 'allow', 'content-range'];
const RELAYED_RAW_HEADERS = [
  ...RELAYED_HEADERS,
  'content-type',
  'content-length',
  'content-disposition',
  'content-digest',
  'location',
  'etag',
  'accept-ranges',
];
/** On raw routes, a service's value of these headers replaces the gateway's. */
const OVERRIDABLE = ['Content-Security-Policy', 'Cache-Control'];

/** Converts a service's answer into the client's. Every chunk refreshes the timer `silence`. */
export function relayAnswer(upstream: IncomingMessage, res: ServerResponse, silence: NodeJS.Timeout): void {
  const { route } = exchangeOf(res);
  const status = upstream.statusCode ?? 502;
  const isJson = JSON_MEDIA.test(upstream.headers['content-type'] ?? '');
  if (route?.raw && (status < 400 || !isJson)) passThrough(upstream, res, silence);
  else if (status >= 400) relayRefusal(upstream, res, isJson);
  else if (status < 300 && (isJson || hasNoBody(upstream))) wrap(upstream, res, silence);
  else {
    upstream.resume();
    refuseOwn(res, 'badGateway');
  }
}

const hasNoBody = (upstream: IncomingMessage) =>
  upstream.statusCode === 204 || upstream.headers['content-length'] === '0';

const relayedHeaders = ({ headers }: IncomingMessage, names: string[]): string[] =>
  names.flatMap((name) => (typeof headers[name] === 'string' ? [name, headers[name]] : []));

function passThrough(upstream: IncomingMessage, res: ServerResponse, silence: NodeJS.Timeout): void {
  const status = upstream.statusCode ?? 200;
  const headers = headersOf(exchangeOf(res), status, relayedHeaders(upstream, RELAYED_RAW_HEADERS));
  for (const name of OVERRIDABLE) {
    const given = upstream.headers[name.toLowerCase()];
    const at = typeof given === 'string' ? headers.indexOf(name) : -1;
    if (at !== -1) headers[at + 1] = given as string;
  }
  res.writeHead(status, headers);
  upstream.on('data', () => silence.refresh());
  upstream.pipe(res);
}

/**
 * Streams the payload between prefix and suffix. Most answers are small and arrive in one chunk of known length: they
 * are written as one string together with the headers (latin1 preserves every byte).
 */
function wrap(upstream: IncomingMessage, res: ServerResponse, silence: NodeJS.Timeout): void {
  const exchange = exchangeOf(res);
  const { status, prefix, suffix } = success(exchange, upstream.statusCode ?? 200);
  const line = exchange.strict ? (upstream.statusCode ?? 200) : 200;
  const declared = upstream.headers['content-length'];
  const length = declared === undefined ? undefined : Number(declared);
  const head = (payloadLength: number | undefined) => {
    const headers = headersOf(exchange, status, [
      'Content-Type',
      JSON_TYPE,
      ...relayedHeaders(upstream, RELAYED_HEADERS),
    ]);
    if (payloadLength !== undefined)
      headers.push('Content-Length', String(prefix.length + payloadLength + suffix.length));
    res.writeHead(line, headers);
  };
  const endEmpty = () => {
    head(NULL_PAYLOAD.length);
    res.end(`${prefix}${NULL_PAYLOAD}${suffix}`);
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
    upstream.on('data', () => silence.refresh());
    upstream.pipe(res, { end: false });
    upstream.once('end', () => res.end(suffix));
  });
}

/** Reads a refusal of at most 64 KiB and answers it in the envelope; with a 502 if the body is not a valid refusal. */
function relayRefusal(upstream: IncomingMessage, res: ServerResponse, isJson: boolean): void {
  const pieces: Buffer[] = [];
  let size = 0;
  upstream.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= MAX_REFUSAL_BYTES) pieces.push(piece);
    else refuseOwn(res, 'badGateway');
  });
  upstream.once('end', () => {
    const refused = isJson && size <= MAX_REFUSAL_BYTES ? problemOf(res.req, Buffer.concat(pieces)) : undefined;
    if (!refused) refuseOwn(res, 'badGateway');
    else answerProblem(upstream, res, refused);
  });
}

function answerProblem(upstream: IncomingMessage, res: ServerResponse, problem: Problem): void {
  const exchange = exchangeOf(res);
  const status = upstream.statusCode ?? 502;
  // Identity could not verify the bearer, or the bearer is good and the service refused the gateway's signature: with a
  // 401 an app would log out for no reason.
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
  // The client is still sending the body.
  if (!res.req.complete) refuseUnread(res, status, problem, relayedHeaders(upstream, RELAYED_HEADERS));
  else refuse(res, status, problem, relayedHeaders(upstream, RELAYED_HEADERS));
}

/** The refusal in a body; undefined when it is not valid. The refusal of a HEAD request has no body. */
const problemOf = ({ method }: IncomingMessage, body: Buffer): Problem | undefined =>
  method === 'HEAD' ? { code: '', message: '' } : problem.safeParse(parseJson(body.toString())).data;
