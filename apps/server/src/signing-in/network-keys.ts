import { isIPv4, isIPv6 } from 'node:net';

export interface NetworkKeys {
  /** One line of one household or office: an IPv4 address, an IPv6 /64. */
  readonly address: string;
  /** Its neighbourhood: an IPv4 /24, an IPv6 /48. */
  readonly network: string;
}

/** What attempts from an address are counted under; an IPv4 address mapped into IPv6 is the IPv4 address. */
export function networkKeys(ip: string): NetworkKeys {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain)) return { address: plain, network: `${plain.split('.').slice(0, 3).join('.')}.0/24` };
  if (!isIPv6(plain)) return { address: ip, network: ip };
  const groups = expand(plain);
  return { address: `${groups.slice(0, 4).join(':')}::/64`, network: `${groups.slice(0, 3).join(':')}::/48` };
}

function expand(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const groupsOf = (part: string | undefined): string[] => (part ? part.split(':') : []);
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(missing).fill('0'), ...last].map((group) =>
    Number.parseInt(group || '0', 16).toString(16),
  );
}
