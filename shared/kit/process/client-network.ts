import ipaddr from 'ipaddr.js';
import { isIP, isIPv4 } from 'node:net';

/** An address with quotes, brackets or a port, as some proxies write it. Only IPv4 may have a port without brackets. */
const WRITTEN = /^\s*"?(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*|([^"]*?))"?\s*$/;

/**
 * Normalizes an address: dotted IPv4, also for an IPv4-mapped IPv6 address (`::ffff:…`); canonical IPv6 without a zone.
 * Undefined for any other text.
 */
export function readAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const [, bracketed, beforePort, bare] = WRITTEN.exec(text) ?? [];
  const address = (bracketed ?? beforePort ?? bare ?? '').replace(/%.*$/, '');
  if (isIP(address) !== 6) return isIPv4(address) ? address : undefined;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bytes = [high, low].map((group) => parseInt(group, 16)).flatMap((pair) => [pair >> 8, pair & 255]);
  return bytes.join('.');
}

/** Normalizes an address; returns any other text unchanged. */
export const plainAddress = (text: string): string => readAddress(text) ?? text;

/** The network prefix of an address: by `v4` for IPv4, else that many groups of IPv6. */
function prefixOf(text: string, v4: (plain: string) => string, groups: number): string {
  const address = plainAddress(text);
  if (isIP(address) !== 6) return v4(address);
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, groups);
  return `${parts.map((part) => part.toString(16)).join(':')}::/${groups * 16}`;
}

/** The addresses of one client: an IPv4 address, or the /64 of an IPv6 address. */
export const clientOf = (address: string) => prefixOf(address, (plain) => plain, 4);

/** The network of a client: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export const networkOf = (address: string) =>
  prefixOf(address, (plain) => `${plain.split('.').slice(0, 3).join('.')}.0/24`, 3);
