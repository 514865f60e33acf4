import { isIPv6 } from 'node:net';
import type { RequestInfo } from '@tutoring/shared/http/declare/route';

/** The client, as the gateway saw it. */
export interface Client {
  address: string;
  userAgent: string;
}

export const clientFrom = ({ clientAddress, userAgent }: Pick<RequestInfo, 'clientAddress' | 'userAgent'>): Client => ({
  address: clientAddress,
  userAgent,
});

/** Turns an IPv4 address in IPv6 form into plain IPv4. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The first groups of an IPv6 address. */
function prefix(address: string, groups: number): string {
  const [head = '', tail] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, groups).join(':');
}

/** The addresses of one client: an IPv4 address, or the /64 of an IPv6 address. */
export const clientOf = (address: string) => (isIPv6(plain(address)) ? `${prefix(address, 4)}::/64` : plain(address));

/** The network of a client: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export const networkOf = (address: string) =>
  isIPv6(plain(address)) ? `${prefix(address, 3)}::/48` : `${plain(address).split('.').slice(0, 3).join('.')}.0/24`;
