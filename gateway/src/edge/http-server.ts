import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { openListener } from '@tutoring/shared/http/serve/listener';
import type { GatewayConfig } from '../config.ts';
import type { Timings } from '../deadlines.ts';
import { headersOf, JSON_TYPE, LAST_OF_CONNECTION } from '../exchange/respond.ts';
import { texts } from '../texts.ts';
import type { AnswerLog } from './observation.ts';

/** Node's refusals of malformed requests, by error code: in English, because no language is known yet. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: texts.en.requestTimeout },
  HPE_HEADER_OVERFLOW: { status: 431, message: texts.en.headersTooLarge },
};

function refuseBare(error: NodeJS.ErrnoException, socket: Socket, log: AnswerLog | undefined): void {
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
  log?.({ ...exchange, method: '', path: '', refusal: status === 408 ? 'timeout' : 'malformed' }, 0);
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
export function listenPublicly(
  handler: RequestListener,
  { config, timings, log }: { config: GatewayConfig; timings: Timings; log: AnswerLog | undefined },
) {
  const { HOST: host, PORT: port, MAX_CONNECTIONS: connections, TRUSTED_PROXY_HOPS: hops } = config;
  const idle = { connections: config.MAX_IDLE_PER_NETWORK, ms: timings.crowdedIdle };
  return openListener(handler, {
    host,
    port,
    bounds: {
      headers: timings.requestHeaders,
      // Every other body has less time: `limitTime`.
      request: timings.wholeUpload,
      check: timings.connectionsCheck,
      silence: timings.silence,
      connections,
      // Behind a proxy all connections are the proxy's, so there is no limit per network.
      idle: hops === 0 ? idle : undefined,
    },
    maxHeaderSize: 16 * 1024,
    refuse: (error, socket) => refuseBare(error, socket, log),
    isSolitary: isEventStream,
  });
}
