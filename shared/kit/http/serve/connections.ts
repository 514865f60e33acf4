import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../process/client-network.ts';
import { createShares, type Shares } from '../../shares.ts';

/** Most unanswered requests on a connection (pipelining). */
const MAX_PIPELINED = 8;

/** How many connections of a client network may be idle for longer than `ms`, the keep-alive time announced to them. */
export interface IdleLimit {
  connections: number;
  ms: number;
}

/**
 * The slowest pace at which a client may read a waiting answer: `bytes` in `ms`; while `isPressed` returns true, a
 * quarter of the bytes in a quarter of the time.
 */
export interface ReadingPace {
  bytes: number;
  ms: number;
  isPressed: () => boolean;
}

interface Connection {
  socket: Socket;
  unanswered: ServerResponse[];
  /** Time of the last answer (performance.now; Infinity before the first) and the socket's `bytesRead` at that time. */
  answeredAt: number;
  bytesRead: number;
  /** When the bytes of an incomplete request began to arrive; undefined when there are none. */
  requestStartedAt: number | undefined;
  /** Since when answers have waited for the client, and the bytes that were delivered by then. */
  waiting: { since: number; delivered: number } | undefined;
  /** The open connections of its client network; undefined when the connection does not count. */
  network: Set<Connection> | undefined;
  /** Returns its share of the connections. */
  releaseShare: (() => void) | undefined;
  /** Whether it serves a long-lived answer, such as an event stream, to which the limits here do not apply. */
  isLongLived: boolean;
}

/** Whether the connection waits for its next request. */
const isIdle = ({ unanswered, bytesRead, socket }: Connection) =>
  unanswered.length === 0 && bytesRead === socket.bytesRead;

/** Bytes that were passed to the operating system. */
const delivered = ({ bytesWritten, writableLength }: Socket) => bytesWritten - writableLength;

/** Whether a complete answer still waits for a slow client. */
const isFlushing = ({ unanswered }: Connection) =>
  unanswered.some(({ writableEnded, writableFinished }) => writableEnded && !writableFinished);

/** Closes the longest idle connections of each network that has more than the limit. */
function closeIdle(networks: Map<string, Set<Connection>>, limit: IdleLimit): void {
  const longAgo = performance.now() - limit.ms;
  for (const [name, open] of networks) {
    if (open.size === 0) networks.delete(name);
    if (open.size <= limit.connections) continue;
    const idle = [...open].filter((connection) => connection.answeredAt < longAgo && isIdle(connection));
    idle.sort((a, b) => a.answeredAt - b.answeredAt);
    for (const { socket } of idle.slice(0, open.size - limit.connections)) socket.destroy();
  }
}

/** Whether an incomplete request takes longer than headers may. Node's own check ignores empty lines. */
function sendsTooSlowly(connection: Connection, now: number, headersMs: number): boolean {
  const { unanswered, bytesRead, socket } = connection;
  if (unanswered.length > 0 || bytesRead === socket.bytesRead) connection.requestStartedAt = undefined;
  else connection.requestStartedAt ??= now;
  return connection.requestStartedAt !== undefined && now - connection.requestStartedAt > headersMs;
}

/** Whether the client reads waiting answers too slowly. */
function readsTooSlowly(connection: Connection, now: number, pace: Omit<ReadingPace, 'isPressed'>): boolean {
  const { socket } = connection;
  if (socket.writableLength === 0) {
    connection.waiting = undefined;
    return false;
  }
  connection.waiting ??= { since: now, delivered: delivered(socket) };
  const { since, delivered: before } = connection.waiting;
  if (now - since < pace.ms) return false;
  connection.waiting = undefined;
  return delivered(socket) - before < pace.bytes;
}

interface Supervision {
  handler: RequestListener;
  /** Undefined behind a proxy, where all clients have the same address: then there is no limit per network. */
  idleLimit: IdleLimit | undefined;
  pace: ReadingPace | undefined;
  checkMs: number;
  headersMs: number;
  isLongLived: (request: IncomingMessage) => boolean;
}

/** Calls `check` at intervals, after pending input is read: a connection whose request has arrived is not closed. */
function regularly(server: Server, checkMs: number, check: () => void): void {
  const timer = setInterval(() => setImmediate(check), checkMs);
  server.once('close', () => clearInterval(timer));
}

/**
 * Passes requests to `handler` and enforces limits on connections:
 * - A connection with too many unanswered requests is closed. All answers of a closed connection are destroyed.
 * - The longest idle connections of a client network beyond `idleLimit` are closed.
 * - A network gets at most half of the connections that other networks leave of `server.maxConnections`.
 * - A client that sends a request, or reads its answers, too slowly is disconnected.
 * Connections of requests for which `isLongLived` returns true only count towards the total.
 * `drain` makes the answers in flight the last ones of their connections.
 */
export function superviseConnections(server: Server, options: Supervision): { drain(): void } {
  const { handler, idleLimit, isLongLived, pace, headersMs } = options;
  const shares: Shares | undefined = idleLimit && createShares(server.maxConnections);
  const networks = new Map<string, Set<Connection>>();
  const connections = new Map<Socket, Connection>();

  function check(): void {
    if (idleLimit) closeIdle(networks, idleLimit);
    const now = performance.now();
    const hurry = shares?.isScarce() || pace?.isPressed() ? 4 : 1;
    const required = pace && { bytes: pace.bytes / hurry, ms: pace.ms / hurry };
    for (const connection of connections.values()) {
      if (connection.isLongLived) continue;
      const isTooSlow =
        sendsTooSlowly(connection, now, headersMs) || (required && readsTooSlowly(connection, now, required));
      if (isTooSlow) connection.socket.destroy();
    }
  }
  if (idleLimit || pace) regularly(server, options.checkMs, check);

  function enter(connection: Connection, name: string): void {
    const network = networks.get(name) ?? new Set();
    networks.set(name, network.add(connection));
    connection.network = network;
  }

  function leave(connection: Connection): void {
    connection.network?.delete(connection);
    connection.network = undefined;
  }

  server.on('connection', (socket) => {
    const name = idleLimit ? networkOf(socket.remoteAddress ?? '') : '';
    const releaseShare = shares?.take(1, { network: name });
    if (shares && !releaseShare) {
      socket.destroy();
      return;
    }
    const connection: Connection = {
      ...{ socket, unanswered: [], answeredAt: Infinity, bytesRead: 0 },
      ...{ requestStartedAt: undefined, waiting: undefined, network: undefined, releaseShare, isLongLived: false },
    };
    connections.set(socket, connection);
    if (idleLimit) enter(connection, name);
    socket.once('close', () => {
      connection.releaseShare?.();
      leave(connection);
      connections.delete(socket);
      for (const response of [...connection.unanswered]) response.destroy();
    });
  });
  // Node considers a connection idle once its answer is written, even if the answer has not been sent yet.
  const closeAll = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...connections.values()].some(isFlushing)) closeAll();
  };

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection) return;
    if (isLongLived(request)) {
      connection.isLongLived = true;
      leave(connection);
      connection.releaseShare?.();
      connection.releaseShare = shares?.take(1, {});
      handler(request, response);
      return;
    }
    const { unanswered } = connection;
    if (unanswered.length >= MAX_PIPELINED) socket.destroy();
    // A single chunk may contain hundreds of requests.
    if (socket.destroyed) return;
    unanswered.push(response);
    response.on('close', () => {
      unanswered.splice(unanswered.indexOf(response), 1);
      if (!response.writableFinished) socket.destroy();
      connection.answeredAt = performance.now();
      connection.bytesRead = socket.bytesRead;
    });
    handler(request, response);
  });

  return {
    drain: () => {
      for (const { unanswered } of connections.values()) {
        const newest = unanswered.at(-1);
        if (newest && !newest.headersSent) newest.shouldKeepAlive = false;
      }
    },
  };
}
