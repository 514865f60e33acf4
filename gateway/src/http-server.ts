import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Timings } from './config.ts';
import { texts } from './texts.ts';

const KEEP_ALIVE_MS = 75_000;
const CLOSE_POLL_MS = 50;

/** What Node refuses before there is a request, by its error code. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: texts.requestTimeout },
  HPE_HEADER_OVERFLOW: { status: 431, message: texts.headersTooLarge },
};

function refuseBare(error: NodeJS.ErrnoException, socket: Socket): void {
  // Something of an answer is on its way already: more text would only garble it.
  const isAnswering = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent;
  if (!socket.writable || isAnswering || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? { status: 400, message: texts.malformed };
  const body = JSON.stringify({ success: false, statusCode: status, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    `X-Status-Code: ${status}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Listens, with time limits on clients that send slowly. Rejects when the port is taken. */
export async function listenPublicly(
  handler: RequestListener,
  { host, port, timings }: { host: string; port: number; timings: Timings },
) {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: timings.requestHeaders,
      requestTimeout: timings.wholeRequest,
      connectionsCheckingInterval: timings.connectionsCheck,
      maxHeaderSize: 16 * 1024,
    },
    handler,
  );
  let draining = false;
  server.prependListener('request', (_req, res) => {
    if (draining) res.shouldKeepAlive = false;
  });
  server.on('clientError', (error, socket) => refuseBare(error, socket as Socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    /** From now on answers ask clients to close their connections. */
    drain: () => void (draining = true),
    /** Stops accepting and resolves when the requests in flight have been answered. */
    close: () =>
      new Promise<void>((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), CLOSE_POLL_MS);
        server.close(() => {
          clearInterval(idle);
          resolve();
        });
      }),
  };
}
