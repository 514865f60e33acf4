import { request } from 'node:http';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { z } from 'zod';
import { signerOf } from '../testing/keys.ts';
import { route } from '../kit/http/declare/route.ts';
import { createApp, listen } from '../kit/http/serve/server.ts';
import { createMetrics } from '../kit/process/metrics.ts';
import { eventually } from '../testing/wait.ts';

const SIGNER = signerOf('wallet');
const get = (path: string, handle: () => unknown) =>
  route(`get ${path}`, { summary: path, auth: 'public', response: z.unknown(), handle });

/** An app that logs into a list, and its address. */
async function start(level: string, isLive = () => true) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const { promise: never } = Promise.withResolvers<unknown>();
  const broken = () => {
    throw new Error('broken');
  };
  const app = createApp({
    name: 'probe',
    liveEvents: {},
    routes: [get('/fine/{key}', () => ({})), get('/broken', broken), get('/slow', () => never)],
    signer: SIGNER,
    logger,
    isLive,
    ready: () => Promise.resolve(true),
    metrics: createMetrics('probe'),
    checkResponses: false,
  });
  const http = await listen(app, { host: '127.0.0.1', port: 0 });
  const finished = () => lines.filter((line) => 'responseTime' in line);
  return { http, url: `http://127.0.0.1:${http.port}`, finished };
}

test('each finished request is logged in one line with its path template, status and id; health checks are not', async () => {
  const { http, url, finished } = await start('debug');
  await fetch(`${url}/fine/key?secret=1`, { headers: { 'x-request-id': 'r1' } });
  for (const path of ['livez', 'readyz']) expect((await fetch(`${url}/${path}`)).status).toBe(200);
  await fetch(`${url}/broken`, { headers: { 'x-request-id': 'r2' } });
  const leaving = request(`${url}/slow`, { headers: { 'x-request-id': 'r3' } }).on('error', () => undefined);
  leaving.end();
  await new Promise((resolve) => http.server.once('request', resolve));
  leaving.destroy();
  await eventually('all are logged', () => finished().length >= 3);
  const line = (request_id: string, route: string, status: number) => ({
    request_id,
    req: { method: 'GET', route },
    res: { status },
    responseTime: expect.any(Number),
  });
  expect(finished()).toEqual([
    expect.objectContaining({ ...line('r1', '/fine/{key}', 200), level: 20, msg: 'request completed' }),
    expect.objectContaining({ ...line('r2', '/broken', 500), level: 50, msg: 'request errored' }),
    expect.objectContaining({ ...line('r3', '/slow', 200), level: 20, msg: 'request aborted' }),
  ]);
  await http.close();
});

test('only failed requests are logged when the level is not debug', async () => {
  const { http, url, finished } = await start('info');
  await fetch(`${url}/fine`);
  await fetch(`${url}/broken`);
  await eventually('the failure is logged', () => finished().length >= 1);
  expect(finished()).toMatchObject([{ req: { route: '/broken' }, res: { status: 500 } }]);
  await http.close();
});

test('a process is not live as long as a part of it hangs', async () => {
  let hangs = true;
  const { http, url } = await start('info', () => !hangs);
  const live = async () => {
    const answer = await fetch(`${url}/livez`);
    return [answer.status, await answer.json()];
  };
  expect(await live()).toEqual([503, { status: 'not live' }]);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  hangs = false;
  expect(await live()).toEqual([200, { status: 'live' }]);
  await http.close();
});
