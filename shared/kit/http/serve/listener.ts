import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import type { Registry } from 'prom-client';
import type { ProcessConfig } from '../../process/config.ts';
import {
  IDLE_SECONDS,
  KEEP_ALIVE_MS,
  LINGER_MS,
  SCRAPE_HEADERS_MS,
  SCRAPE_MS,
  SILENT_CONNECTION_MS,
} from '../../process/deadlines.ts';
import { superviseConnections, type IdleLimit, type ReadingPace } from './connections.ts';
import { createMessageClasses, http } from './message-classes.ts';

/** Limits for the clients of a process; times in milliseconds. */
interface Bounds {
  /** Until the headers of a request are complete. */
  headers: number;
  /** Until the body of a request is complete. */
  request: number;
  /** Interval at which both are checked. */
  check: number;
  /** Open connections; lowered if the process has too few file descriptors. */
  connections: number;
  /** Until a connection without any traffic is closed. */
  silence: number;
  /** Until an idle connection is closed; KEEP_ALIVE_MS by default. */
  keepAlive?: number;
  /** Idle connections per client network. Also limits a network to half of the connections that others leave. */
  idle?: IdleLimit | undefined;
  /** The slowest pace at which clients may read. */
  pace?: ReadingPace;
}

interface Options {
  host: string;
  port: number;
  bounds: Bounds;
  maxHeaderSize?: number;
  refuse?: (error: Error, socket: Socket) => void;
  /**
   * Selects requests with long-lived answers, such as event streams; they must have no body. Node's HTTP server
   * releases their connections, so that they take a quarter of the memory, and `takeSocket` returns their sockets.
   */
  isLongLived?: (request: IncomingMessage) => boolean;
}

const CLOSE_POLL_MS = 50;
/** Announces a shorter time to clients, so that they leave idle connections before a draining server closes them. */
const keepAlive = (ms: number) => {
  const announced = Math.min(IDLE_SECONDS * 1_000, ms);
  return { keepAliveTimeout: announced, keepAliveTimeoutBuffer: ms - announced };
};
/** Share of the file descriptors for clients: a client's connection often needs another one to a service. */
const SHARE_OF_FILES = 0.4;

function maxOpenFiles(): number {
  // Otherwise the report resolves the names of all network addresses.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/** Requests with long-lived answers, whose sockets `takeSocket` returns. */
const longLived = new WeakSet<IncomingMessage>();

/**
 * Closes connections that time out. Checks once more after pending input is read: timers run before it, so a request
 * may have arrived just in time.
 */
function closeWhenSilent(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}

/** Creates a server with these limits, and with its own classes of requests and responses. */
function createServer({ bounds, maxHeaderSize, refuse, isLongLived }: Options) {
  const { Incoming, Outgoing, usePrototypes } = createMessageClasses(isLongLived);
  const server = http.createServer({
    ...keepAlive(bounds.keepAlive ?? KEEP_ALIVE_MS),
    IncomingMessage: Incoming,
    ServerResponse: Outgoing,
    headersTimeout: bounds.headers,
    requestTimeout: bounds.request,
    connectionsCheckingInterval: bounds.check,
    requireHostHeader: !refuse,
    ...(maxHeaderSize !== undefined && { maxHeaderSize }),
    ...(isLongLived && { shouldUpgradeCallback: isLongLived }),
  });
  server.timeout = bounds.silence;
  closeWhenSilent(server);
  server.maxConnections = Math.min(bounds.connections, Math.floor(maxOpenFiles() * SHARE_OF_FILES));
  return { server, Outgoing, usePrototypes };
}

/** Closes a connection when pending data is sent, or after `withinMs`, because the client may not read. */
export function closeAfterFlush(socket: Socket, withinMs: number): void {
  socket.destroySoon();
  // A reset, because after a normal close the kernel would keep sending its buffer.
  const timer = setTimeout(() => socket.resetAndDestroy(), withinMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Serves requests with long-lived answers. The connection is closed after the answer. */
function serveLongLived(server: Server, Outgoing: new (request: IncomingMessage) => ServerResponse): void {
  server.on('upgrade', (request, stream) => {
    const socket = stream as Socket;
    const response = new Outgoing(request);
    longLived.add(request);
    response.shouldKeepAlive = false;
    socket.on('error', () => undefined);
    socket.once('end', () => closeAfterFlush(socket, LINGER_MS));
    try {
      response.assignSocket(socket);
    } catch {
      // The previous answer is not complete: the client pipelined requests.
      socket.destroy();
      return;
    }
    response.once('finish', () => closeAfterFlush(socket, LINGER_MS));
    // Discard anything else that the client sends.
    socket.resume();
    server.emit('request', request, response);
  });
}

/**
 * Returns the socket of a request with a long-lived answer whose headers are sent; undefined for any other request. The
 * caller writes the rest of the body, and the request and response objects can be collected.
 */
export function takeSocket(request: IncomingMessage, response: ServerResponse): Socket | undefined {
  const { socket } = response;
  if (!longLived.has(request) || !socket) return undefined;
  response.removeAllListeners('finish');
  response.detachSocket(socket);
  response.emit('close');
  return socket;
}

function refuseMalformed(server: Server, refuse: (error: Error, socket: Socket) => void): void {
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    refuse(error, socket);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  });
}

const FRAGMENT = /#.*$/s;
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Path and query of a request target. Ignores a fragment, and the host of an absolute form (`http://host/api/skills`),
 * which a client could choose. A path with invalid encoding (`%ff`) is taken literally, so that no route matches it.
 */
function originForm(target: string): string {
  const rest = target.replace(FRAGMENT, '').replace(AUTHORITY, '');
  const local = rest.startsWith('/') ? rest : `/${rest}`;
  if (!local.includes('%')) return local;
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  return decodes(path) ? local : path.replaceAll('%', '%25') + local.slice(path.length);
}

/**
 * Opens an HTTP server with limits; rejects when the port is in use. `refuse` answers malformed requests; their
 * connections are closed after a second. With `refuse`, the handler also gets requests that Node would refuse by
 * itself: those without Host, and those with an unknown `Expect`.
 */
export async function openListener(initialHandler: RequestListener, options: Options) {
  const { host, port, bounds, refuse, isLongLived } = options;
  const { server, Outgoing, usePrototypes } = createServer(options);
  let handler = initialHandler;
  let draining = false;
  server.prependListener('request', (request, response) => {
    request.url = originForm(request.url ?? '/');
    if (draining) response.shouldKeepAlive = false;
  });
  if (isLongLived) serveLongLived(server, Outgoing);
  const { drain } = superviseConnections(server, {
    handler: (request, response) => void handler(request, response),
    idleLimit: bounds.idle,
    pace: bounds.pace,
    checkMs: bounds.check,
    headersMs: bounds.headers,
    isLongLived: (request) => longLived.has(request),
  });
  if (refuse) refuseMalformed(server, refuse);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  return {
    server,
    port: (server.address() as AddressInfo).port,
    /** Replaces the handler by the app. */
    useApp: (app: Express): void => {
      usePrototypes(app);
      handler = app;
    },
    /** Makes every answer the last one of its connection, also for requests in flight. */
    drain: () => {
      draining = true;
      drain();
    },
    /** Stops accepting connections. Resolves when all requests in flight are answered, or when it is closed already. */
    close: () =>
      new Promise<void>((resolve) => {
        // Repeatedly, because a busy connection becomes idle after its answer.
        const idle = setInterval(() => server.closeIdleConnections(), CLOSE_POLL_MS);
        server.close(() => {
          clearInterval(idle);
          resolve();
        });
      }),
  };
}

export type Listening = Awaited<ReturnType<typeof openListener>>;

/** Limits of the metrics port, for a few scrapers. */
const SCRAPER_BOUNDS = {
  headers: SCRAPE_HEADERS_MS,
  request: SCRAPE_MS,
  check: 1_000,
  silence: SILENT_CONNECTION_MS,
  connections: 32,
};

/** Serves `GET /metrics` on METRICS_PORT, if it is set. The gateway does not forward to it. */
export async function serveMetrics(registry: Registry, config: Pick<ProcessConfig, 'HOST' | 'METRICS_PORT'>) {
  const { HOST: host, METRICS_PORT: metricsPort } = config;
  if (metricsPort === undefined) return undefined;
  const answer: RequestListener = (req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => res.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  };
  const { server, port, close } = await openListener(answer, { host, port: metricsPort, bounds: SCRAPER_BOUNDS });
  return {
    port,
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
}
