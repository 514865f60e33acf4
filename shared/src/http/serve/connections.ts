import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../process/client-network.ts';
import { createShares, type Shares } from '../../shares.ts';

/** How many requests one connection may send ahead of their answers. */
const AHEAD = 8;

/** Of one client network so many connections may be idle for longer than `ms`: they have been told to leave before. */
export interface IdleLimit {
  connections: number;
  ms: number;
}

/** A client for which an answer waits reads at least `bytes` of it in `ms`, and a quarter in a quarter when `isPressed`. */
export interface ReadingPace {
  bytes: number;
  ms: number;
  isPressed: () => boolean;
}

interface Connection {
  socket: Socket;
  unanswered: ServerResponse[];
  /** When it was answered last (performance.now), and what had been read by then; before its first request infinite. */
  answeredAt: number;
  bytesRead: number;
  /** Since when bytes have arrived that are no request yet; undefined when there are none. */
  begunAt: number | undefined;
  /** Since when answers have waited for the client, and what it had taken by then. */
  waiting: { since: number; delivered: number } | undefined;
  /** The open connections of its client network; undefined when it is not counted. */
  network: Set<Connection> | undefined;
  /** Gives back its place among the connections of its network. */
  giveBack: (() => void) | undefined;
  /** An event stream's: it has rules of its own. */
  isApart: boolean;
}

/** Its next request has not begun. */
const isIdle = ({ unanswered, bytesRead, socket }: Connection) =>
  unanswered.length === 0 && bytesRead === socket.bytesRead;

/** Bytes that the system has taken over. */
const delivered = ({ bytesWritten, writableLength }: Socket) => bytesWritten - writableLength;

/** An answer of it is written, and waits for a client that reads slowly. */
const isLeaving = ({ unanswered }: Connection) =>
  unanswered.some(({ writableEnded, writableFinished }) => writableEnded && !writableFinished);

/** Closes the longest idle connections of each network that has more than the limit. */
function closeIdle(networks: Map<string, Set<Connection>>, limit: IdleLimit): void {
  const longAgo = performance.now() - limit.ms;
  for (const [name, open] of networks) {
    if (open.size === 0) networks.delete(name);
    if (open.size <= limit.connections) continue;
    const idle = [...open].filter((one) => one.answeredAt < longAgo && isIdle(one));
    idle.sort((a, b) => a.answeredAt - b.answeredAt);
    for (const { socket } of idle.slice(0, open.size - limit.connections)) socket.destroy();
  }
}

/** Whether bytes that make no request have arrived for longer than the headers of one may take: empty lines. */
function dawdles(connection: Connection, now: number, headersMs: number): boolean {
  const { unanswered, bytesRead, socket } = connection;
  if (unanswered.length > 0 || bytesRead === socket.bytesRead) connection.begunAt = undefined;
  else connection.begunAt ??= now;
  return connection.begunAt !== undefined && now - connection.begunAt > headersMs;
}

/** Whether its client reads the answers that wait for it too slowly. */
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
  /** Undefined where all clients have one address, a proxy's: then networks do not count. */
  idleLimit: IdleLimit | undefined;
  pace: ReadingPace | undefined;
  checkMs: number;
  headersMs: number;
  isApart: (request: IncomingMessage) => boolean;
}

/** Calls `check` regularly, when what has arrived meanwhile is read: nothing is closed while its request is here. */
function regularly(server: Server, checkMs: number, check: () => void): void {
  const timer = setInterval(() => setImmediate(check), checkMs);
  server.once('close', () => clearInterval(timer));
}

/**
 * Passes a server's requests to `handler`. A connection with too many unanswered ones is closed, and the answers of a
 * closed connection are destroyed, also those that waited for the answers before them. Beyond `idleLimit` of one client
 * network the longest idle connections are closed; no network gets more than half of those that the others leave of
 * `server.maxConnections`. A client that sends empty lines in place of a request, or reads more slowly than `pace`, is
 * disconnected. Those that `isApart` names, with their connections, count only among all connections.
 * Returns what makes the answers in flight the last ones of their connections.
 */
export function superviseConnections(server: Server, options: Supervision): { drain(): void } {
  const { handler, idleLimit, isApart, pace, headersMs } = options;
  const shares: Shares | undefined = idleLimit && createShares(server.maxConnections);
  const networks = new Map<string, Set<Connection>>();
  const connections = new Map<Socket, Connection>();

  function check(): void {
    if (idleLimit) closeIdle(networks, idleLimit);
    const now = performance.now();
    const hurry = shares?.isScarce() || pace?.isPressed() ? 4 : 1;
    const asked = pace && { bytes: pace.bytes / hurry, ms: pace.ms / hurry };
    for (const connection of connections.values()) {
      if (connection.isApart) continue;
      const isTooSlow = dawdles(connection, now, headersMs) || (asked && readsTooSlowly(connection, now, asked));
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
    const giveBack = shares?.take(1, { network: name });
    if (shares && !giveBack) {
      socket.destroy();
      return;
    }
    const connection: Connection = {
      ...{ socket, unanswered: [], answeredAt: Infinity, bytesRead: 0 },
      ...{ begunAt: undefined, waiting: undefined, network: undefined, giveBack, isApart: false },
    };
    connections.set(socket, connection);
    if (idleLimit) enter(connection, name);
    socket.once('close', () => {
      connection.giveBack?.();
      leave(connection);
      connections.delete(socket);
      for (const response of [...connection.unanswered]) response.destroy();
    });
  });
  // Node takes a connection for idle when its answer is written, which may still have to leave.
  const closeAll = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...connections.values()].some(isLeaving)) closeAll();
  };

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection) return;
    if (isApart(request)) {
      connection.isApart = true;
      leave(connection);
      connection.giveBack?.();
      connection.giveBack = shares?.take(1, {});
      handler(request, response);
      return;
    }
    const { unanswered } = connection;
    if (unanswered.length >= AHEAD) socket.destroy();
    // One piece of text may hold hundreds of requests.
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
