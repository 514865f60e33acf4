import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Behaviour = (req: IncomingMessage, res: ServerResponse, received: Received) => void;

/** Answers with a status and JSON, as services do. */
export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (_req, res) => {
    const text = JSON.stringify(body);
    res.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      ...headers,
    });
    res.end(text);
  };

/** A stand-in for a service of this system: answers as the test sets it up, and records requests. */
export async function startStandIn() {
  let behaviour: Behaviour = answers(200, { ok: true });
  let onRequest: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;
  const received: Received[] = [];
  const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => {
    if (req.url === '/readyz') {
      res.end('{}');
      return;
    }
    if (onRequest) {
      onRequest(req, res);
      return;
    }
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    const take = () => {
      const request = {
        method: req.method ?? '',
        path: req.url ?? '',
        headers: req.headers,
        body: Buffer.concat(pieces).toString(),
      };
      received.push(request);
      behaviour(req, res, request);
    };
    req.on('end', take);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    /** Sets the answer from now on. */
    respondWith: (next: Behaviour) => void (behaviour = next),
    /** From now on calls this before a body is read; such requests are not recorded. */
    handleRequests: (next: typeof onRequest) => void (onRequest = next),
    /** Stops listening and closes all connections; `start` listens again on the same port. */
    stop,
    start: () => listen(port),
  };
}

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;
