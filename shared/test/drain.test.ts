import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import express from 'express';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Listening } from '../src/http/serve/listener.ts';
import { listen } from '../src/http/serve/server.ts';

let listening: Listening;
let agent: Agent;
let finish: () => void;

beforeEach(async () => {
  const app = express();
  app.get('/fast', (_req, res) => void res.json({}));
  app.get('/slow', (_req, res) => void (finish = () => void res.json({})));
  listening = await listen(app, { host: '127.0.0.1', port: 0 });
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(() => agent.destroy());

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

test('clients are told to leave idle connections before a deployment closes them', async () => {
  expect(await get('/fast')).toEqual({ connection: 'keep-alive', keepAlive: 'timeout=3', reused: false });
  expect(await get('/fast')).toEqual({ connection: 'keep-alive', keepAlive: 'timeout=3', reused: true });
  await listening.close();
});

test('a draining server answers on known connections once more, and then ends them', async () => {
  await get('/fast');
  listening.drain();
  expect(await get('/fast')).toEqual({ connection: 'close', keepAlive: undefined, reused: true });
  expect(await get('/fast')).toEqual({ connection: 'close', keepAlive: undefined, reused: false });
  await listening.close();
});

test('closing waits for the answer in flight and for nothing else', async () => {
  const slow = get('/slow');
  await once(listening.server, 'request');
  listening.drain();
  const closed = listening.close();
  finish();
  expect(await slow).toMatchObject({ reused: false });
  await closed;
});
