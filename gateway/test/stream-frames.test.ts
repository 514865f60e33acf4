import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { EventStream } from '../src/live/stream.ts';

/** More than the kernel keeps of a connection for a reader that does not read yet. */
const LARGE = 'x'.repeat(64 * 1024 * 1024);

test('an event alone may be larger than what a reader may be behind; a second one then ends the stream', async () => {
  const server = createServer((req, res) => {
    res.writeHead(200).flushHeaders();
    const stream = new EventStream(res, 0);
    stream.send(1, LARGE);
    if (req.url === '/both') stream.send(2, LARGE);
    stream.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const read = async (path: string) => {
    const [answer] = (await once(get(`http://127.0.0.1:${port}${path}`), 'response')) as [IncomingMessage];
    return buffer(answer).then(
      ({ length }) => length,
      () => 'cut',
    );
  };
  const lengths = [await read('/one'), await read('/both')];
  server.close();
  server.closeAllConnections();
  expect(lengths).toEqual([LARGE.length, 'cut']);
});
