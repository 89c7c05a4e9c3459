import { isIPv4, isIPv6 } from 'node:net';

export interface NetworkKeys {
  /** One line of one household or office: an IPv4 address, an IPv6 /64. */
  readonly address: string;
  /** Its neighbourhood: an IPv4 /24, an IPv6 /48. */
  readonly network: string;
  /** What one provider may have many networks of: an IPv4 /16, an IPv6 /32. */
  readonly block: string;
}

/** What attempts from an address are counted under; an IPv4 address mapped into IPv6 is the IPv4 address. */
export function networkKeys(ip: string): NetworkKeys {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain)) {
    const bytes = plain.split('.');
    return {
      address: plain,
      network: `${bytes.slice(0, 3).join('.')}.0/24`,
      block: `${bytes.slice(0, 2).join('.')}.0.0/16`,
    };
  }
  if (!isIPv6(plain)) return { address: ip, network: ip, block: ip };
  const groups = expand(plain);
  const first = (count: number): string => groups.slice(0, count).join(':');
  return { address: `${first(4)}::/64`, network: `${first(3)}::/48`, block: `${first(2)}::/32` };
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
