import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { request } from './raw.ts';
import { answers } from './stand-in.ts';
import { startSystem, type System } from './system.ts';

/* No client can open a circuit breaker: others still reach the service. */

let system: System;
let url: string;
/** The number of requests that have reached the service. */
let reached = 0;
beforeAll(async () => {
  system = await startSystem({ env: { API_RATE_LIMIT: '100000' } });
  // An open breaker would stay open for the whole test.
  url = (await system.addGateway({ timings: { breakerOpen: 600_000, wholeRequest: 2_000 } })).url;
});
beforeEach(() => {
  reached = 0;
  system.messaging.handleRequests((req, res) => {
    reached += 1;
    if (req.method === 'GET') answers(200, [])(req, res, {} as never);
    else if (req.headers['user-agent'] === 'resets') req.once('data', () => req.socket.resetAndDestroy());
    else req.resume();
  });
});
afterAll(() => system.stop());

const HEAD = 'POST /api/rooms HTTP/1.1\r\nhost: x\r\n';
/** With a first chunk, because the request is forwarded only then. */
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\na\r\n`;
const LONG = 'x'.repeat(20_000);

type ClientAction = (socket: ReturnType<typeof connect>) => void;
const nothing: ClientAction = () => undefined;

test.each<[string, string, ClientAction]>([
  ['disconnects during its body', `${HEAD}content-length: 1000\r\n\r\nhalf`, (socket) => socket.destroy()],
  ['resets its connection', `${HEAD}content-length: 1000\r\n\r\nhalf`, (socket) => socket.resetAndDestroy()],
  ['ends before the announced length', `${HEAD}content-length: 1000\r\n\r\nhalf`, (socket) => socket.end()],
  ['ends inside a chunk', `${CHUNKED}64\r\nhalf`, (socket) => socket.end()],
  ['sends a chunk without a size', CHUNKED, (socket) => socket.write('zz\r\n')],
  ['sends a chunk that is longer than it says', `${CHUNKED}1\r\n`, (socket) => socket.write('ab\r\n')],
  ['sends a long extension of a chunk', CHUNKED, (socket) => socket.write(`1;${LONG}\r\na\r\n`)],
  ['sends long trailers', CHUNKED, (socket) => socket.write(`0\r\nx-a: ${LONG}\r\n\r\n`)],
  ['sends too much', CHUNKED, (socket) => socket.write(`200000\r\n${'x'.repeat(0x200000)}\r\n`)],
  ['sends its body too slowly', `${HEAD}content-length: 1000\r\n\r\nhalf`, nothing],
  [
    'sends a body at which the service resets the connection',
    `${HEAD}user-agent: resets\r\ncontent-length: 1000\r\n\r\nhalf`,
    nothing,
  ],
])('a client that %s does not open the breaker', async (_what, start, deed) => {
  const { hostname, port } = new URL(url);
  for (let n = 1; n <= 6; n += 1) {
    const socket = connect(Number(port), hostname).resume();
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(start);
    await eventually('the service has it', () => reached === n);
    deed(socket);
    await closed;
  }
  expect((await request(url, 'GET', '/api/rooms')).status).toBe(200);
});
