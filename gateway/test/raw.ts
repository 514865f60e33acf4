import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** Sends a request with exactly this path and these headers. */
export function request(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
) {
  const { hostname, port } = new URL(url);
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A plain TCP connection that collects the text it receives, until the other side closes it. */
export function dial(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (piece) => (text += piece.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    socket,
    closed,
    /**
     * Sends a piece again and again until the other side answers or closes: after reading, because a failed write would
     * discard an answer that has arrived.
     */
    drip(piece: string, everyMs: number): void {
      const dripping = setInterval(() => {
        setImmediate(() => text === '' && socket.writable && socket.write(piece));
      }, everyMs);
      socket.once('close', () => clearInterval(dripping));
    },
    get text() {
      return text;
    },
  };
}
