import ipaddr from 'ipaddr.js';
import { isIP, isIPv4 } from 'node:net';

/** With quotes, brackets and a port, as some proxies write addresses. Without brackets the port is one of IPv4. */
const WRITTEN = /^\s*"?(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*|([^"]*?))"?\s*$/;

/**
 * An address as it is compared: IPv4 dotted, also when it is written as IPv6 (`::ffff:…` in any spelling); IPv6 in its
 * canonical form, without a zone. Undefined for any other text.
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

/** An address as it is compared; any other text unchanged. */
export const plainAddress = (text: string): string => readAddress(text) ?? text;

/** The part of an address that all addresses of one network share: dotted, or groups of IPv6. */
function shared(text: string, v4: (plain: string) => string, groups: number): string {
  const address = plainAddress(text);
  if (isIP(address) !== 6) return v4(address);
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, groups);
  return `${parts.map((part) => part.toString(16)).join(':')}::/${groups * 16}`;
}

/** The addresses of one client: an IPv4 address, or the /64 of an IPv6 address. */
export const clientOf = (address: string) => shared(address, (plain) => plain, 4);

/** The network of a client: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export const networkOf = (address: string) =>
  shared(address, (plain) => `${plain.split('.').slice(0, 3).join('.')}.0/24`, 3);
