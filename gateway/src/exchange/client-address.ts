import { isIP, isIPv6 } from 'node:net';
import type { IncomingMessage } from 'node:http';

/**
 * The client's address as the outermost trusted proxy saw it: `hops` entries of X-Forwarded-For from the right. Entries
 * further left can be forged and are never read.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const peer = plain(request.socket.remoteAddress ?? '');
  const header = request.headers['x-forwarded-for'];
  if (hops === 0 || header === undefined) return peer;
  const chain = (Array.isArray(header) ? header.join(',') : header).split(',').map((entry) => plain(entry.trim()));
  const seen = chain[Math.max(0, chain.length - hops)] ?? '';
  return isIP(seen) ? seen : peer;
}

const plain = (address: string) =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;

/** The key for counting requests: an IPv4 address, or the /64 that one IPv6 customer gets. */
export function addressKey(address: string): string {
  return isIPv6(address) ? `${network64(address)}::/64` : address;
}

function network64(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
