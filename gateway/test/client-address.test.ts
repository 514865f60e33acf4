import { expect, test } from '@jest/globals';
import { clientAddress } from '../src/exchange/exchange.ts';

test.each([
  [0, '9.9.9.9', '10.0.0.1'],
  [1, undefined, '10.0.0.1'],
  [1, '9.9.9.9', '9.9.9.9'],
  [1, 'evil, 9.9.9.9', '9.9.9.9'],
  [2, '8.8.8.8, 9.9.9.9', '8.8.8.8'],
  [2, '9.9.9.9', '9.9.9.9'],
  [1, 'unknown', '10.0.0.1'],
  [1, '::ffff:7.7.7.7', '7.7.7.7'],
  [1, '8.8.8.8, 7.7.7.7:49152', '7.7.7.7'],
  [2, '[2001:db8::1]:443, 9.9.9.9', '2001:db8::1'],
  [1, '2001:DB8:0:0::1', '2001:db8::1'],
  [1, '[::ffff:707:707]', '7.7.7.7'],
  [1, '9.9.9.9:', '9.9.9.9'],
  [1, '[unknown]:443', '10.0.0.1'],
  [1, '7.7.7.7:49152:1', '10.0.0.1'],
])('with %i trusted hops, X-Forwarded-For %s gives the address %s', (hops, header, expected) => {
  const request = { socket: { remoteAddress: '::ffff:10.0.0.1' }, headers: { 'x-forwarded-for': header } };
  expect(clientAddress(request as unknown as Parameters<typeof clientAddress>[0], hops)).toBe(expected);
});
