import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createTutoringClient, payload, TutoringError } from '../src/client.ts';

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

test('an answer that breaks in the middle of its body is asked for again, with the same key', async () => {
  const heard: unknown[] = [];
  const client = await clientOf((request, response) => {
    heard.push(request.headers['idempotency-key'] ?? request.url);
    response.writeHead(200, { 'content-type': 'application/json' });
    const body = JSON.stringify({ success: true, statusCode: 200, data: [] });
    if (heard.length % 2 === 1) response.write(body.slice(0, 20), () => response.destroy());
    else response.end(body);
  });
  expect(payload(await client.POST('/api/deposits', { body: { amount: 500 } }))).toEqual([]);
  expect(payload(await client.GET('/api/deposits'))).toEqual([]);
  expect(heard).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), heard[0], '/api/deposits', '/api/deposits']);
});

test('a download is handed on while it arrives', async () => {
  const client = await clientOf((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-disposition': 'attachment' });
    response.write('{"profile":');
  });
  const { data } = await client.GET('/api/me/export', { parseAs: 'stream' });
  const { value } = await data!.getReader().read();
  expect(new TextDecoder().decode(value)).toBe('{"profile":');
});

test('the refusal of paymentsall without a bearer keeps its sentence', async () => {
  const refusal = { data: { success: false, message: 'Please authenticate to continue.', statusCode: 401 } };
  const client = await clientOf((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
  });
  const answer = await client.POST('/api/paymentsall', { body: { page: 1, pageItems: 15 } });
  expect(() => payload(answer)).toThrow(new TutoringError(401, 'Please authenticate to continue.', {}));
});

test('an upload sends the other fields of the form before the file, and those of the path only there', async () => {
  const heard: { url: string | undefined; form: string }[] = [];
  const client = await clientOf((request, response) => {
    let form = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (form += chunk));
    request.on('end', () => {
      heard.push({ url: request.url, form });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, statusCode: 200, data: {} }));
    });
  });
  const file = new Blob(['reference,status']);
  const given = { name: 'a.csv', provider: 'bank', from: '2026-11-01', to: '2026-11-30' };
  await client.upload('/api/admin/reconciliations', file, given);
  await client.upload('/api/admin/payout-batches/{id}/results', file, { name: 'b.csv', id: '12' });
  const namesOf = ({ form }: { form: string }) => [...form.matchAll(/; name="(\w+)"/g)].map(([, name]) => name);
  expect(heard.map(namesOf)).toEqual([['provider', 'from', 'to', 'file'], ['file']]);
  expect(heard[1]).toMatchObject({ url: '/api/admin/payout-batches/12/results' });
  expect(heard[1]?.form).toContain('filename="b.csv"');
});

test('an upload that a proxy refuses with a page of its own throws the status', async () => {
  const client = await clientOf((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>'));
  });
  const uploading = client.upload('/api/me/photo', new Blob(['x']), { name: 'me.jpg' });
  await expect(uploading).rejects.toMatchObject({ name: 'TutoringError', status: 413, message: 'Payload Too Large' });
});

test('an upload whose answer breaks in the middle of its body throws the failure, no refusal', async () => {
  const client = await clientOf((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200).write('{"success":true', () => response.destroy()));
  });
  await expect(client.upload('/api/me/photo', new Blob(['x']), { name: 'me.jpg' })).rejects.toThrow('terminated');
});

/** A client of a server that answers the first request for events with `stream`, and each other one with a 401. */
async function clientOfStream(stream: string) {
  const asked: unknown[] = [];
  const client = await clientOf((request, response) => {
    asked.push(request.headers['last-event-id']);
    response.writeHead(asked.length === 1 ? 200 : 401).end(asked.length === 1 ? stream : '');
  });
  return { client, asked };
}

test('what onOpen throws ends the stream', async () => {
  const { client, asked } = await clientOfStream('retry: 1\n\n');
  const onOpen = () => {
    throw new Error('no room for events');
  };
  await expect(client.events({ onOpen }).next()).rejects.toThrow('no room for events');
  expect(asked).toHaveLength(1);
});

test('the callbacks tell an open connection from one that breaks and one that cannot be opened', async () => {
  const told: string[] = [];
  const { client } = await clientOfStream('retry: 1\n\n');
  const [onOpen, onBreak] = [() => told.push('open'), () => told.push('broken')];
  await expect(client.events({ onOpen, onBreak }).next()).rejects.toMatchObject({ status: 401 });
  expect(told).toEqual(['open', 'broken']);

  const stop = new AbortController();
  const busy = await clientOf((_request, response) => response.writeHead(503).end());
  const events = busy.events({ signal: stop.signal, onOpen, onBreak: () => stop.abort(told.push('not opened')) });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(told.slice(2)).toEqual(['not opened']);
});

test('an event that arrives damaged is asked for again', async () => {
  const whole = 'retry: 1\nid: 1\nevent: message.read\ndata: {}\n\n';
  const { client, asked } = await clientOfStream(`${whole}id: 2\nevent: message.read\ndata: {"room\n\n`);
  const events = client.events();
  expect(await events.next()).toMatchObject({ value: { id: '1' } });
  await expect(events.next()).rejects.toMatchObject({ status: 401 });
  expect(asked).toEqual([undefined, '1']);
});
