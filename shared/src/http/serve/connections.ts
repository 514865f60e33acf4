import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../process/client-network.ts';

/** How many requests one connection may send ahead of their answers. */
const AHEAD = 8;
/** Clients are told that an idle connection ends so much before it does: a request may be on its way. */
const ON_ITS_WAY_MS = 2_000;

/** Of one client network so many connections may be idle for longer than `ms`. */
export interface IdleLimit {
  connections: number;
  ms: number;
}

interface Connection {
  socket: Socket;
  unanswered: Set<ServerResponse>;
  /** When it was answered last (performance.now), and what had been read by then; before its first request infinite. */
  answeredAt: number;
  bytesRead: number;
  /** The open connections of its client network; undefined when it is not counted. */
  network: Set<Connection> | undefined;
}

/** Its next request has not begun. */
const isIdle = ({ unanswered, bytesRead, socket }: Connection) =>
  unanswered.size === 0 && bytesRead === socket.bytesRead;

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
 * network the longest idle connections are closed; the answer before has said when. Those that `isApart` names, with
 * their connections, do not count.
 */
export function superviseConnections(
  server: Server,
  options: {
    handler: RequestListener;
    idleLimit: IdleLimit | undefined;
    checkMs: number;
    isApart: (request: IncomingMessage) => boolean;
  },
): void {
  const { handler, idleLimit, isApart } = options;
  const networkAt = idleLimit && watchNetworks(server, idleLimit, options.checkMs);
  const lastSeconds = Math.max(1, Math.floor(((idleLimit?.ms ?? 0) - ON_ITS_WAY_MS) / 1_000));
  const connections = new WeakMap<Socket, Connection>();

  function leave(connection: Connection): void {
    connection.network?.delete(connection);
    connection.network = undefined;
  }

  server.on('connection', (socket) => {
    const network = networkAt?.(socket.remoteAddress ?? '');
    const connection = { socket, unanswered: new Set<ServerResponse>(), answeredAt: Infinity, bytesRead: 0, network };
    connections.set(socket, connection);
    network?.add(connection);
    socket.once('close', () => {
      leave(connection);
      for (const response of connection.unanswered) response.destroy();
    });
  });

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
    if (unanswered.size >= AHEAD) socket.destroy();
    // One piece of text may hold hundreds of requests.
    if (socket.destroyed) return;
    unanswered.add(response);
    if (network && idleLimit && network.size > idleLimit.connections)
      response.setHeader('keep-alive', `timeout=${lastSeconds}`);
    response.once('close', () => {
      unanswered.delete(response);
      if (!response.writableFinished) socket.destroy();
      if (!network) return;
      connection.answeredAt = performance.now();
      connection.bytesRead = socket.bytesRead;
    });
    handler(request, response);
  });
}
