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

interface Network {
  open: Set<Socket>;
  /** The longest idle first: since when (performance.now), and what had been read by then. */
  idle: Map<Socket, { since: number; bytesRead: number }>;
}

interface Connection {
  unanswered: Set<ServerResponse>;
  /** Undefined when it is not counted. */
  network: Network | undefined;
}

/** The open connections of each client network. Those beyond the limit are closed when they have been idle for long. */
function watchNetworks(server: Server, limit: IdleLimit, checkMs: number) {
  const networks = new Map<string, Network>();
  const timer = setInterval(() => {
    const longAgo = performance.now() - limit.ms;
    for (const [name, { open, idle }] of networks) {
      if (open.size === 0) networks.delete(name);
      const beyond = Math.max(0, open.size - limit.connections);
      for (const [socket, { since, bytesRead }] of [...idle].slice(0, beyond))
        if (since < longAgo && socket.bytesRead === bytesRead) socket.destroy();
    }
  }, checkMs);
  server.once('close', () => clearInterval(timer));
  return (address: string): Network => {
    const name = networkOf(address);
    const network = networks.get(name) ?? { open: new Set(), idle: new Map() };
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

  function leave(socket: Socket, connection: Connection): void {
    connection.network?.open.delete(socket);
    connection.network?.idle.delete(socket);
    connection.network = undefined;
  }

  server.on('connection', (socket) => {
    const connection: Connection = { unanswered: new Set(), network: networkAt?.(socket.remoteAddress ?? '') };
    connections.set(socket, connection);
    connection.network?.open.add(socket);
    socket.once('close', () => {
      leave(socket, connection);
      for (const response of connection.unanswered) response.destroy();
    });
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection) return;
    if (isApart(request)) {
      leave(socket, connection);
      handler(request, response);
      return;
    }
    const { unanswered, network } = connection;
    if (unanswered.size >= AHEAD) socket.destroy();
    // One piece of text may hold hundreds of requests.
    if (socket.destroyed) return;
    unanswered.add(response);
    network?.idle.delete(socket);
    if (network && idleLimit && network.open.size > idleLimit.connections)
      response.setHeader('keep-alive', `timeout=${lastSeconds}`);
    response.once('close', () => {
      unanswered.delete(response);
      if (!response.writableFinished) socket.destroy();
      else if (unanswered.size === 0 && !socket.destroyed)
        network?.idle.set(socket, { since: performance.now(), bytesRead: socket.bytesRead });
    });
    handler(request, response);
  });
}
