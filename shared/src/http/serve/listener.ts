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

/** An `import` of node:http reads all of its exports, and with `WebSocket` loads undici: 14 MB a process. */
const http = process.getBuiltinModule('node:http');

/** Limits on what a process's clients may use; times in milliseconds. */
interface Bounds {
  /** From the start of a connection or request to the end of its headers. */
  headers: number;
  /** To the end of its body. */
  request: number;
  /** How often these two are checked. */
  check: number;
  /** Open connections; never so many that the process runs out of file descriptors. */
  connections: number;
  /** On a connection on which nothing moves, whatever it waits for. */
  silence: number;
  /** On a connection that has been answered and waits for its next request; KEEP_ALIVE_MS unless it is given. */
  keepAlive?: number;
  /** Idle connections of one client network. With it, no network gets more than half of what the others leave. */
  idle?: IdleLimit | undefined;
  /** How fast clients have to read. */
  pace?: ReadingPace;
}

interface Options {
  host: string;
  port: number;
  bounds: Bounds;
  maxHeaderSize?: number;
  refuse?: (error: Error, socket: Socket) => void;
  /**
   * Requests whose answers last: HTTP lets go of their connections, so that they take a quarter of the memory. They
   * have no body.
   */
  isSolitary?: (request: IncomingMessage) => boolean;
}

const CLOSE_POLL_MS = 50;
/** Clients are told the first part: they have left their idle connections when a draining server closes them. */
const keepAlive = (ms: number) => {
  const told = Math.min(IDLE_SECONDS * 1_000, ms);
  return { keepAliveTimeout: told, keepAliveTimeoutBuffer: ms - told };
};
/** Part of the process's file descriptors: a client's connection often needs another one to a service. */
const SHARE_OF_FILES = 0.4;

function openFiles(): number {
  // Without this the report looks up the name of every interface's address.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

/** Requests that have their connections for themselves: `takeSocket` works. */
const solitary = new WeakSet<IncomingMessage>();

/** Requests whose connection Node lets go of when their headers are there, as if it were to be upgraded. */
const solitaryRequests = (isMeant: (request: IncomingMessage) => boolean) =>
  class extends http.IncomingMessage {
    get upgrade(): boolean {
      return isMeant(this);
    }
    /** Node sets it by the request's header `Upgrade`. */
    set upgrade(_value: boolean | null) {
      return;
    }
  };

/**
 * Closes connections that time out, unless a request has arrived by then: timers run before what the system has received
 * is read.
 */
function closeWhenSilent(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
}

/** A server within its limits, and the classes of its messages. */
function createServer({ bounds, maxHeaderSize, refuse, isSolitary }: Options) {
  const Incoming = isSolitary ? solitaryRequests(isSolitary) : class extends http.IncomingMessage {};
  const Outgoing = class extends http.ServerResponse {};
  const server = http.createServer({
    ...keepAlive(bounds.keepAlive ?? KEEP_ALIVE_MS),
    IncomingMessage: Incoming,
    ServerResponse: Outgoing,
    headersTimeout: bounds.headers,
    requestTimeout: bounds.request,
    connectionsCheckingInterval: bounds.check,
    requireHostHeader: !refuse,
    ...(maxHeaderSize !== undefined && { maxHeaderSize }),
    ...(isSolitary && { shouldUpgradeCallback: isSolitary }),
  });
  server.timeout = bounds.silence;
  closeWhenSilent(server);
  server.maxConnections = Math.min(bounds.connections, Math.floor(openFiles() * SHARE_OF_FILES));
  /**
   * Makes messages the app's own from the start: Express exchanges the prototypes of all others, and V8 would have to
   * find each of their properties again.
   */
  const makeOwn = (app: Express): void => {
    Object.setPrototypeOf(Incoming.prototype, app.request);
    Object.setPrototypeOf(Outgoing.prototype, app.response);
    Object.assign(app, { request: Incoming.prototype, response: Outgoing.prototype });
  };
  return { server, Outgoing, makeOwn };
}

/** Ends a connection when what was written has left, or soon: its client may read nothing. */
export function endSoon(socket: Socket, withinMs: number): void {
  socket.destroySoon();
  // With a reset: the kernel would go on to send what it holds.
  const timer = setTimeout(() => socket.resetAndDestroy(), withinMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Answers such a request; the connection ends with the answer. */
function serveSolitary(server: Server, Outgoing: new (request: IncomingMessage) => ServerResponse): void {
  server.on('upgrade', (request, stream) => {
    const socket = stream as Socket;
    const response = new Outgoing(request);
    solitary.add(request);
    response.shouldKeepAlive = false;
    socket.on('error', () => undefined);
    socket.once('end', () => endSoon(socket, LINGER_MS));
    try {
      response.assignSocket(socket);
    } catch {
      // A client that did not wait for the answer before.
      socket.destroy();
      return;
    }
    response.once('finish', () => endSoon(socket, LINGER_MS));
    // What else the client sends is dropped.
    socket.resume();
    server.emit('request', request, response);
  });
}

/**
 * The connection of a solitary request, whose answer has begun: from here on whoever takes it writes the rest of the
 * body, and nothing else of the request is kept. Undefined for any other request.
 */
export function takeSocket(request: IncomingMessage, response: ServerResponse): Socket | undefined {
  const { socket } = response;
  if (!solitary.has(request) || !socket) return undefined;
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
 * Path and query of a request line. The host of an absolute form (`http://host/api/skills`) is ignored, so that a
 * client cannot choose another host, and so is a fragment, which Express ignores too; a path that does not decode
 * (`%ff`) is taken literally, so that it is an unknown one.
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
 * An HTTP server that listens, within its limits; rejects when the port is taken. `refuse` answers malformed requests;
 * their connection is closed a second later, whatever the client does. With it, the handler also gets what Node would
 * refuse in words of its own: requests without Host, and those with an unknown `Expect`.
 */
export async function openListener(first: RequestListener, options: Options) {
  const { host, port, bounds, refuse, isSolitary: isMeant } = options;
  const { server, Outgoing, makeOwn } = createServer(options);
  let handler = first;
  let draining = false;
  server.prependListener('request', (request, response) => {
    request.url = originForm(request.url ?? '/');
    if (draining) response.shouldKeepAlive = false;
  });
  if (isMeant) serveSolitary(server, Outgoing);
  const { drain } = superviseConnections(server, {
    handler: (request, response) => void handler(request, response),
    idleLimit: bounds.idle,
    pace: bounds.pace,
    checkMs: bounds.check,
    headersMs: bounds.headers,
    isApart: (request) => solitary.has(request),
  });
  if (refuse) refuseMalformed(server, refuse);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  return {
    server,
    port: (server.address() as AddressInfo).port,
    /** From now on the app answers. */
    adopt: (app: Express): void => {
      makeOwn(app);
      handler = app;
    },
    /** From now on every answer is the last one of its connection, also to requests that are here already. */
    drain: () => {
      draining = true;
      drain();
    },
    /**
     * Stops accepting and resolves when the requests in flight have been answered; at once when it is closed already.
     */
    close: () =>
      new Promise<void>((resolve) => {
        // Repeatedly: a busy connection becomes idle with its answer.
        const idle = setInterval(() => server.closeIdleConnections(), CLOSE_POLL_MS);
        server.close(() => {
          clearInterval(idle);
          resolve();
        });
      }),
  };
}

export type Listening = Awaited<ReturnType<typeof openListener>>;

/** Enough for a few scrapers. */
const FOR_SCRAPERS = {
  headers: SCRAPE_HEADERS_MS,
  request: SCRAPE_MS,
  check: 1_000,
  silence: SILENT_CONNECTION_MS,
  connections: 32,
};

/** Serves `GET /metrics` on a port of its own, where there is one: never reachable through the gateway. */
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
  const { server, port, close } = await openListener(answer, { host, port: metricsPort, bounds: FOR_SCRAPERS });
  return {
    port,
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
}
