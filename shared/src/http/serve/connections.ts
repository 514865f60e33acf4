import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../process/client-network.ts';

/** How many requests one connection may send ahead of their answers. */
const AHEAD = 8;

/** Of one client network so many connections may be idle for longer than `ms`: they have been told to leave before. */
export interface IdleLimit {
  connections: number;
  ms: number;
}

interface Connection {
  socket: Socket;
  unanswered: ServerResponse[];
  /** When it was answered last (performance.now), and what had been read by then; before its first request infinite. */
  answeredAt: number;
  bytesRead: number;
  /** The open connections of its client network; undefined when it is not counted. */
  network: Set<Connection> | undefined;
}

/** Its next request has not begun. */
const isIdle = ({ unanswered, bytesRead, socket }: Connection) =>
  unanswered.length === 0 && bytesRead === socket.bytesRead;

/** An answer of it is written, and waits for a client that reads slowly. */
const isLeaving = ({ unanswered }: Connection) =>
  unanswered.some(({ writableEnded, writableFinished }) => writableEnded && !writableFinished);

/** The open connections by client network. Of those beyond the limit the longest idle are closed. */
function watchNetworks(server: Server, limit: IdleLimit, checkMs: number) {
  const networks = new Map<string, Set<Connection>>();
  const timer = setInterval(() => {
    const longAgo = performance.now() - limit.ms;
    for (const [name, open] of networks) {
      if (open.size === 0) networks.delete(name);
      if (open.size <= limit.connections) continue;
      const idle = [...open].filter((one) => one.answeredAt < longAgo && isIdle(one));
      idle.sort((a, b) => a.answeredAt - b.answeredAt);
      for (const { socket } of idle.slice(0, open.size - limit.connections)) socket.destroy();
    }
  }, checkMs);
  server.once('close', () => clearInterval(timer));
  return (address: string): Set<Connection> => {
    const name = networkOf(address);
    const network = networks.get(name) ?? new Set();
    networks.set(name, network);
    return network;
  };
}

/**
 * Passes a server's requests to `handler`. A connection with too many unanswered ones is closed, and the answers of a
 * closed connection are destroyed, also those that waited for the answers before them. Beyond `idleLimit` of one client
 * network the longest idle connections are closed. Those that `isApart` names, with their connections, do not count.
 * Returns what makes the answers in flight the last ones of their connections.
 */
export function superviseConnections(
  server: Server,
  options: {
    handler: RequestListener;
    idleLimit: IdleLimit | undefined;
    checkMs: number;
    isApart: (request: IncomingMessage) => boolean;
  },
): { drain(): void } {
  const { handler, idleLimit, isApart } = options;
  const networkAt = idleLimit && watchNetworks(server, idleLimit, options.checkMs);
  const connections = new Map<Socket, Connection>();

  function leave(connection: Connection): void {
    connection.network?.delete(connection);
    connection.network = undefined;
  }

  server.on('connection', (socket) => {
    const network = networkAt?.(socket.remoteAddress ?? '');
    const connection: Connection = { socket, unanswered: [], answeredAt: Infinity, bytesRead: 0, network };
    connections.set(socket, connection);
    network?.add(connection);
    socket.once('close', () => {
      leave(connection);
      connections.delete(socket);
      for (const response of [...connection.unanswered]) response.destroy();
    });
  });
  // Node takes a connection for idle when its answer is written, which may still have to leave.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...connections.values()].some(isLeaving)) closeIdle();
  };

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection) return;
    if (isApart(request)) {
      leave(connection);
      handler(request, response);
      return;
    }
    const { unanswered, network } = connection;
    if (unanswered.length >= AHEAD) socket.destroy();
    // One piece of text may hold hundreds of requests.
    if (socket.destroyed) return;
    unanswered.push(response);
    response.on('close', () => {
      unanswered.splice(unanswered.indexOf(response), 1);
      if (!response.writableFinished) socket.destroy();
      if (!network) return;
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
