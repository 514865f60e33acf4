import ipaddr from 'ipaddr.js';

/** An IPv4 address in IPv6 form as plain IPv4; any other text unchanged. */
export const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The part of an address that all addresses of one network share: dotted, or groups of IPv6. */
function shared(address: string, v4: (plain: string) => string, groups: number): string {
  const plain = plainAddress(address);
  // The last two groups, which may be written as IPv4, are in no network.
  const groupsOnly = plain.replace(/(?<=:)\d+(?:\.\d+){3}$/, '0:0');
  if (!plain.includes(':') || !ipaddr.IPv6.isValid(groupsOnly)) return v4(plain);
  const parts = ipaddr.IPv6.parse(groupsOnly).parts.slice(0, groups);
  return `${parts.map((part) => part.toString(16)).join(':')}::/${groups * 16}`;
}

/** The addresses of one client: an IPv4 address, or the /64 of an IPv6 address. */
export const clientOf = (address: string) => shared(address, (plain) => plain, 4);

/** The network of a client: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export const networkOf = (address: string) =>
  shared(address, (plain) => `${plain.split('.').slice(0, 3).join('.')}.0/24`, 3);
