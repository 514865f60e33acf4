import { expect, test } from '@jest/globals';
import { clientOf, networkOf, plainAddress, readAddress } from '../kit/process/client-network.ts';

const V4 = ['203.0.113.9', '203.0.113.9', '203.0.113.0/24'] as const;
const V6 = ['2001:db8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'] as const;

test.each([
  ['203.0.113.9', ...V4],
  ['203.0.113.9:49152', ...V4],
  [' 203.0.113.9 ', ...V4],
  ['[203.0.113.9]:80', ...V4],
  ['::ffff:203.0.113.9', ...V4],
  ['::FFFF:203.0.113.9', ...V4],
  ['::ffff:cb00:7109', ...V4],
  ['0:0:0:0:0:ffff:203.0.113.9', ...V4],
  ['0000:0000:0000:0000:0000:FFFF:CB00:7109', ...V4],
  ['[::ffff:cb00:7109]:443', ...V4],
  ['2001:db8:1:2::9', ...V6],
  ['2001:0DB8:0001:0002:0000:0000:0000:0009', ...V6],
  ['[2001:db8:1:2::9]', ...V6],
  ['[2001:db8:1:2::9]:443', ...V6],
  ['"[2001:db8:1:2::9]:443"', ...V6],
  ['2001:db8:1:2::9%eth0', ...V6],
  ['2001:db8::1', '2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['64:ff9b::203.0.113.9', '64:ff9b::cb00:7109', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
  ['::1', '::1', '0:0:0:0::/64', '0:0:0::/48'],
])('%s is the address %s of the client %s in the network %s', (text, address, client, network) => {
  expect([readAddress(text), clientOf(text), networkOf(text)]).toEqual([address, client, network]);
});

test.each(['', 'unknown', '_hidden', '203.0.113', '203.0.113.256', '203.0.113.9:80:80', '[203.0.113.9', '::1]', '1.2'])(
  '"%s" is not an address',
  (text) => {
    expect([readAddress(text), plainAddress(text)]).toEqual([undefined, text]);
  },
);
