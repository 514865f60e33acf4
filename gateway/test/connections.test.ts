import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { startSystem, type System } from './system.ts';

let system: System;
beforeEach(async () => {
  system = await startSystem();
});
afterEach(() => system.stop());

test('those whose client never closes are closed one second after their time-out', async () => {
  const narrow = await system.addGateway({
    env: { MAX_CONNECTIONS: '1' },
    timings: { requestHeaders: 300, connectionsCheck: 50 },
  });
  const { hostname, port } = new URL(narrow.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await new Promise((resolve) => socket.resume().once('end', resolve));
  // The one place is free again, although this side is still open.
  const works = () =>
    request(narrow.url, 'GET', '/api/rooms').then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually('another is served', works);
  socket.destroy();
});

test('at most 64 idle ones per network, and active ones continue', async () => {
  const patient = await system.addGateway({ timings: { requestHeaders: 60_000, wholeRequest: 60_000 } });
  const lines = Array.from({ length: 70 }, () => dial(patient.url));
  let closed = 0;
  for (const line of lines) void line.closed.then(() => (closed += 1));
  await eventually('six are closed', () => closed === 6);
  expect((await request(patient.url, 'GET', '/api/rooms')).status).toBe(200);
  for (const { socket } of lines) socket.destroy();
});

test('no more than MAX_CONNECTIONS are open', async () => {
  const small = await system.addGateway({ env: { MAX_CONNECTIONS: '2' } });
  const lines = Array.from({ length: 3 }, () => dial(small.url));
  await Promise.any(lines.map(({ closed }) => closed));
  expect(lines.map(({ text }) => text)).toEqual(['', '', '']);
  for (const { socket } of lines) socket.destroy();
});
