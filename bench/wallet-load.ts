import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { IDENTITY_HEADER } from '@tutoring/shared/kit/identity/auth';
import { randomCharge, type People } from './wallet-charges.ts';

/** Options of this worker thread: it charges over HTTP, one request at a time per connection, and posts the rate. */
export interface LoadOptions {
  port: number;
  /** The signed identity of the service `calls`. */
  identity: string;
  connections: number;
  seconds: number;
  people: People;
}

const { port, identity, connections, seconds, people } = workerData as LoadOptions;

function request(): string {
  const body = JSON.stringify({ charges: [randomCharge(people)] });
  const head = [
    'POST /internal/charges/batch HTTP/1.1',
    'host: wallet',
    'content-type: application/json',
    `${IDENTITY_HEADER}: ${identity}`,
    `content-length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Charges until `end`. Returns the number of charges. */
function charging(end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let done = 0;
    let received = '';
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(request()));
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const split = received.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(received)?.[1];
      if (split === -1 || length === undefined || received.length < split + 4 + Number(length)) return;
      if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received));
      received = '';
      done += 1;
      if (Date.now() < end) return socket.write(request());
      socket.end();
      resolve(done);
    });
  });
}

const end = Date.now() + seconds * 1000;
const counts = await Promise.all(Array.from({ length: connections }, () => charging(end)));
parentPort?.postMessage(counts.reduce((sum, count) => sum + count, 0) / seconds);
