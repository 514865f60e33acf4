import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { mount } from '../kit/http/serve/mount.ts';
import { createApp } from '../kit/http/serve/server.ts';
import { route, type Route } from '../kit/http/declare/route.ts';
import { createInternalClient, type InternalClient } from '../contract/client.ts';
import { command } from '../contract/command.ts';
import { createLogger } from '../kit/process/logger.ts';
import { createMetrics } from '../kit/process/metrics.ts';
import { signedClient } from '../testing/client.ts';
import { signerOf, signerTowards } from '../testing/keys.ts';

const mounted = (name: string, spec: Route) => () =>
  mount([spec], { name, signer: signerOf('wallet'), checkResponses: true });

test('a service route that is not a command of this service cannot be mounted', () => {
  const hold = command('hold.release', () => ({ released: 1 }));
  const { method, path } = hold;
  const own = route(`${method} ${path}`, { summary: 'x', auth: 'service', response: z.object({}), handle: () => ({}) });
  expect(mounted('wallet', hold)).not.toThrow();
  expect(mounted('calls', hold)).toThrow('calls: post /internal/holds/release is no command of this service');
  expect(mounted('wallet', own)).toThrow('wallet: post /internal/holds/release is no command of this service');
});

const logger = createLogger('test', 'silent');
const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('the owner of a command', () => {
  const answering = async (answer: { released: number }) => {
    const routes: Route[] = [command('hold.release', () => answer)];
    const metrics = createMetrics('wallet');
    const signer = signerOf('wallet');
    const options = {
      name: 'wallet',
      logger,
      isLive: () => true,
      ready: async () => true,
      metrics,
      signer,
      routes,
      liveEvents: {},
    };
    const server = createServer(createApp({ ...options, checkResponses: true }));
    const client = signedClient(await listening(server), signerTowards('wallet')).service('calls');
    const { status } = await client.post('/internal/holds/release', { reference: 'call:c1' });
    server.close();
    return status;
  };

  test('returns the fields of the catalogue, and fails in tests when it returns others', async () => {
    expect(await answering({ released: 5 })).toBe(200);
    const more = { released: 5, reason: 'nobody reads this' };
    expect(await answering(more)).toBe(500);
  });
});

describe('the caller of a command', () => {
  const owner = { status: 200, text: '', requests: [] as { method: unknown; url: unknown; body: string }[] };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      owner.requests.push({ method: request.method, url: request.url, body });
      response.writeHead(owner.status, { 'content-type': 'application/json' }).end(owner.text);
    });
  });
  let wallet: InternalClient<'wallet'>;
  let calls: InternalClient<'calls'>;
  beforeAll(async () => {
    const baseUrl = await listening(server);
    const of = { baseUrl, from: 'identity', signer: signerOf('identity'), logger } as const;
    wallet = createInternalClient({ ...of, to: 'wallet' });
    calls = createInternalClient({ ...of, to: 'calls' });
  });
  afterAll(() => void server.close());
  beforeEach(() => void Object.assign(owner, { status: 200, requests: [] }));
  const answer = (status: number, body: unknown) =>
    Object.assign(owner, { status, text: typeof body === 'string' ? body : JSON.stringify(body) });

  test('sends each field in the path, query or body, as the catalogue declares', async () => {
    answer(200, { rtc_token: null });
    const uuid = '0f3c7f3e-9a53-4d59-8a51-2f6c6f7d1b11';
    await calls.ask('room-token.read', { uuid });
    await calls.ask('room-token.read', { uuid, user_id: 7 });
    answer(200, { open_withdrawals: 0, balance: 5 });
    await wallet.ask('obligations.check', { id: 7, forfeit: true });
    answer(200, { forfeited: 5 });
    await wallet.ask('balance.forfeit', { id: 7 });
    answer(200, { currency: 'XOF', charges: [], refunds: [] });
    await wallet.ask('call-ledger.read', { identifier: 'a/b?c' });
    expect(owner.requests).toEqual([
      { method: 'GET', url: `/internal/rooms/${uuid}/token`, body: '' },
      { method: 'GET', url: `/internal/rooms/${uuid}/token?user_id=7`, body: '' },
      { method: 'POST', url: '/internal/users/7/obligations', body: '{"forfeit":true}' },
      { method: 'POST', url: '/internal/users/7/forfeit', body: '{}' },
      { method: 'GET', url: '/internal/calls/a%2Fb%3Fc/ledger', body: '' },
    ]);
  });

  test('gets only the fields of its own release, not those of a later one', async () => {
    answer(200, { live: true, since: '2026-11-22T06:18:02.338838Z' });
    expect(await calls.ask('live-call.read', { id: 7 })).toEqual({ live: true });
  });

  test.each<[string, unknown]>([
    ['that is not JSON', '<html>'],
    ['that is empty', ''],
    ['with a wrong type', { live: 'yes' }],
    ['without a required field', {}],
  ])('an answer %s is reported as unavailable', async (_what, body) => {
    answer(200, body);
    await expect(calls.ask('live-call.read', { id: 7 })).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  });

  test.each<[string, number, unknown, object]>([
    ['by the owner is passed on', 409, { code: 'conflict', message: 'No.' }, { code: 'conflict', message: 'No.' }],
    [
      'of fields is passed on',
      422,
      { code: 'invalid', errors: { id: ['No.'] } },
      { code: 'invalid', errors: { id: ['No.'] } },
    ],
    ['without a message has its code as message', 402, { code: 'payment_required' }, { message: 'payment_required' }],
    [
      'of the calling process is unavailable',
      401,
      { code: 'identity_refused', message: 'No.' },
      { code: 'unavailable' },
    ],
    [
      'of a command that the release does not have is unavailable',
      404,
      { code: 'route_not_found', message: 'No.' },
      { code: 'unavailable' },
    ],
    [
      'by an internal error is unavailable',
      500,
      { code: 'internal', message: 'Server Error' },
      { code: 'unavailable' },
    ],
    ['with an unknown code is unavailable', 400, { code: 'strange' }, { code: 'unavailable' }],
    ['by another server is unavailable', 404, '<html>', { code: 'unavailable' }],
  ])('a refusal %s', async (_kind, status, body, refusal) => {
    answer(status, body);
    await expect(calls.ask('live-call.read', { id: 7 })).rejects.toMatchObject(refusal);
  });
});
