import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createTutoringClient } from '../src/client.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A client of a server that answers as the test says. */
async function clientOf(answer: RequestListener) {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return createTutoringClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

test('a POST to a path that ignores the Idempotency-Key is sent once, even with a key', async () => {
  const heard: string[] = [];
  const client = await clientOf((request, response) => {
    heard.push(`${request.url} ${String(request.headers['idempotency-key'])}`);
    response.destroy();
  });
  const headers = { 'idempotency-key': 'mine' };
  const opening = client.POST('/api/rooms', { body: { teacher_id: 2 }, headers });
  await expect(opening).rejects.toThrow('fetch failed');
  expect(heard).toEqual(['/api/rooms mine']);

  const depositing = client.POST('/api/deposits', { body: { amount: 500 }, headers });
  await expect(depositing).rejects.toThrow('fetch failed');
  expect(heard.slice(1)).toEqual(Array.from({ length: 4 }, () => '/api/deposits mine'));
});

test('an upload that a proxy refuses with a page of its own throws the status', async () => {
  const client = await clientOf((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>'));
  });
  const uploading = client.upload('/api/me/photo', new Blob(['x']), { name: 'me.jpg' });
  await expect(uploading).rejects.toMatchObject({ name: 'TutoringError', status: 413, message: 'Payload Too Large' });
});
