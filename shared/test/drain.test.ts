import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import express from 'express';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Listening } from '../kit/http/serve/listener.ts';
import { listen } from '../kit/http/serve/server.ts';

/** More than the operating system buffers. */
const LARGE = 50_000_000;

let listening: Listening;
let agent: Agent;
let finish: () => void;

beforeEach(async () => {
  const app = express();
  app.get('/fast', (_req, res) => void res.json({}));
  app.get('/slow', (_req, res) => void (finish = () => void res.json({})));
  app.get('/large', (_req, res) => void res.end(Buffer.alloc(LARGE)));
  listening = await listen(app, { host: '127.0.0.1', port: 0 });
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(async () => {
  agent.destroy();
  listening.server.closeAllConnections();
  await listening.close();
});

/** Returns the headers about the connection when the whole answer has arrived. */
async function get(path: string) {
  const sent = request({ port: listening.port, path, agent });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  const { connection, 'keep-alive': keepAlive } = answer.headers;
  return { connection, keepAlive, reused: sent.reusedSocket };
}

test('the announced keep-alive time makes clients leave idle connections before a draining server closes them', async () => {
  expect(await get('/fast')).toEqual({ connection: 'keep-alive', keepAlive: 'timeout=3', reused: false });
  expect(await get('/fast')).toEqual({ connection: 'keep-alive', keepAlive: 'timeout=3', reused: true });
  await listening.close();
});

test('a draining server closes each connection after one more answer', async () => {
  await get('/fast');
  listening.drain();
  expect(await get('/fast')).toEqual({ connection: 'close', keepAlive: undefined, reused: true });
  expect(await get('/fast')).toEqual({ connection: 'close', keepAlive: undefined, reused: false });
  await listening.close();
});

test('an answer that is in flight when draining begins is the last one of its connection', async () => {
  const slow = get('/slow');
  await once(listening.server, 'request');
  listening.drain();
  finish();
  expect(await slow).toEqual({ connection: 'close', keepAlive: undefined, reused: false });
  expect(await get('/fast')).toMatchObject({ reused: false });
});

test('closing waits until an answer is sent, however slowly the client reads it', async () => {
  const sent = request({ port: listening.port, path: '/large', agent });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const closed = listening.close();
  let size = 0;
  for await (const piece of answer) size += (piece as Buffer).length;
  expect(size).toBe(LARGE);
  await closed;
});

test('closing waits only for the answers in flight', async () => {
  const slow = get('/slow');
  await once(listening.server, 'request');
  listening.drain();
  const closed = listening.close();
  finish();
  expect(await slow).toMatchObject({ reused: false });
  await closed;
});

test('a service accepts the longest headers that the gateway forwards, including those that it adds', async () => {
  const sent = request({ port: listening.port, path: '/fast', agent, headers: { 'user-agent': 'x'.repeat(24_000) } });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(200);
});
