import { isIPv4 } from 'node:net';

/** The sixteen-bit groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const plain = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0');
  const [head = [], tail] = plain.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head];
  if (tail) groups.push(...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail);
  return groups;
}

/** The network of a client: the /24 of an IPv4 address, the /48 of an IPv6 address, unless other bits are asked for. */
export function networkOf(address: string, bits: { v4: 24 | 32; v6: 48 | 64 } = { v4: 24, v6: 48 }): string {
  const v4 = address.replace(/^::ffff:/i, '');
  if (isIPv4(v4)) return bits.v4 === 32 ? v4 : `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`;
  if (!address.includes(':')) return address;
  return `${groupsOf(address)
    .slice(0, bits.v6 / 16)
    .join(':')}::/${bits.v6}`;
}
