import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial } from './raw.ts';
import { startSystem, type System } from './system.ts';

/* Requests that Node would answer by itself get the body and headers of all other answers. */

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const malformed = 'The request could not be understood.';
const preflight = 'origin: https://app.test\r\naccess-control-request-method: GET\r\n';

test.each([
  ['without Host', 'GET /api/rooms HTTP/1.1\r\n\r\n', 400, malformed],
  ['for an event stream without Host', 'GET /api/events HTTP/1.1\r\n\r\n', 400, malformed],
  ['for the dashboard without Host', 'GET /admin HTTP/1.1\r\n\r\n', 400, malformed],
  [
    'with an unknown Expect header',
    'GET /api/rooms HTTP/1.1\r\nhost: x\r\nexpect: 200-ok\r\n\r\n',
    417,
    'The expectation of the request cannot be met.',
  ],
  [
    'for the options of an unknown route',
    `OPTIONS /api/nothing HTTP/1.1\r\nhost: x\r\n${preflight}\r\n`,
    404,
    'The route api/nothing could not be found.',
  ],
  ['for the options of all routes', 'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n', 404, 'The route * could not be found.'],
  [
    'for a tunnel',
    'CONNECT elsewhere.test:443 HTTP/1.1\r\nhost: x\r\n\r\n',
    404,
    'The route elsewhere.test:443 could not be found.',
  ],
  ['to post to a health check', 'POST /livez HTTP/1.1\r\nhost: x\r\n\r\n', 404, 'The route livez could not be found.'],
  [
    'with the method TRACE',
    'TRACE /api/rooms HTTP/1.1\r\nhost: x\r\n\r\n',
    405,
    'The TRACE method is not supported for this route.',
  ],
  ['of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, malformed],
  ['that names two hosts', 'GET /api/rooms HTTP/1.1\r\nhost: x\r\nHost: x\r\n\r\n', 400, malformed],
  ['for a health check that names two hosts', 'GET /livez HTTP/1.1\r\nhost: x\r\nHOST: y\r\n\r\n', 400, malformed],
  ['of HTTP/1.0 that names two hosts', 'GET /api/rooms HTTP/1.0\r\nhost: x\r\nhost: y\r\n\r\n', 400, malformed],
  ['that says HTTP/2.0', 'GET /api/rooms HTTP/2.0\r\nhost: x\r\n\r\n', 400, malformed],
  ['for the dashboard that says HTTP/2.0', 'GET /admin HTTP/2.0\r\nhost: x\r\n\r\n', 400, malformed],
  ['for an event stream that says HTTP/2.0', 'GET /api/events HTTP/2.0\r\nhost: x\r\n\r\n', 400, malformed],
  ['for a health check that says HTTP/2.0', 'GET /livez HTTP/2.0\r\nhost: x\r\n\r\n', 400, malformed],
  ['of HTTP/0.9', 'GET /api/rooms HTTP/0.9\r\n\r\n', 400, malformed],
  ['that is not HTTP', 'hello\r\n\r\n', 400, malformed],
])('a request %s is refused by the gateway', async (_what, text, status, message) => {
  const line = dial(system.gateway.url);
  line.socket.write(text);
  await eventually('the answer', () => line.text.endsWith('}'));
  line.socket.destroy();
  const [head = '', body = ''] = line.text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toEqual({ success: false, statusCode: status, message });
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((each) => each.toLowerCase().split(/: (.*)/s)),
  );
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-status-code': String(status),
  });
});

test('HTTP/1.0 needs no Host header, and Expect: 100-continue is supported', async () => {
  const old = dial(system.gateway.url);
  old.socket.write('GET /api/rooms HTTP/1.0\r\n\r\n');
  await old.closed;
  expect(old.text).toMatch(/^HTTP\/1.1 200 /);
  const asking = dial(system.gateway.url);
  asking.socket.write('POST /api/rooms HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n');
  await eventually('the body may be sent', () => asking.text === 'HTTP/1.1 100 Continue\r\n\r\n');
  asking.socket.write('{}');
  await eventually('the answer', () => asking.text.includes('HTTP/1.1 200 '));
  asking.socket.destroy();
});
