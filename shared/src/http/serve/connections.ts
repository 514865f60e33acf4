import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { UNTOLD_IDLE_MS } from '../../process/deadlines.ts';

/** How many requests one connection may send ahead of their answers. */
const AHEAD = 8;

/** A client network, and how many of its connections stay open after their answers. */
interface Network {
  name: string;
  kept: number;
}

interface Connection {
  unanswered: Set<ServerResponse>;
  /** Undefined when its network is not counted, or when it ends with its answer. */
  network: Network | undefined;
}

/** IPv4 by /24, IPv6 by /48. */
export function clientNetwork(address: string): string {
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
  if (!isIPv6(plain)) return plain.split('.').slice(0, 3).join('.');
  const [head = '', tail = ''] = (plain.split('%')[0] ?? '').split('::');
  const [left, right] = [head, tail].map((half) => half.split(':').filter(Boolean)) as [string[], string[]];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = plain.includes('::') ? [...left, ...zeros, ...right] : left;
  return groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Passes a server's requests to `handler`. A connection with too many unanswered ones is closed, and the answers of a
 * closed connection are destroyed, also those that waited for the answers before them. Of one client network at most
 * `keptPerNetwork` connections stay open after an answer: all others are told by the answer that it is the last one, so
 * that no request is on its way when they are closed. Those that `isApart` names, with their connections, do not count.
 */
export function superviseConnections(
  server: Server,
  options: {
    handler: RequestListener;
    keptPerNetwork: number | undefined;
    isApart: (request: IncomingMessage) => boolean;
  },
): void {
  const { handler, keptPerNetwork = Infinity, isApart } = options;
  const networks = new Map<string, Network>();
  const connections = new WeakMap<Socket, Connection>();

  function join(address: string): Network {
    const name = clientNetwork(address);
    const network = networks.get(name) ?? { name, kept: 0 };
    networks.set(name, network);
    network.kept += 1;
    return network;
  }

  function leave(connection: Connection): void {
    const { network } = connection;
    connection.network = undefined;
    if (network && (network.kept -= 1) === 0) networks.delete(network.name);
  }

  /** Lets the answer end the connection, but not before the request is whole: its client might not get to see it. */
  function letEnd(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const tell = () => {
      if (response.headersSent) request.socket.setTimeout(UNTOLD_IDLE_MS);
      else {
        leave(connection);
        response.shouldKeepAlive = false;
      }
    };
    if (hasBody(request)) request.once('end', tell);
    else tell();
  }

  server.on('connection', (socket) => {
    const network = keptPerNetwork === Infinity ? undefined : join(socket.remoteAddress ?? '');
    const connection: Connection = { unanswered: new Set(), network };
    connections.set(socket, connection);
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
    response.once('close', () => {
      unanswered.delete(response);
      if (!response.writableFinished) socket.destroy();
    });
    if (network && network.kept > keptPerNetwork) letEnd(connection, request, response);
    handler(request, response);
  });
}
