/**
 * Addresses that no callback may reach: all in the IANA registries of special-purpose addresses, multicast, and in IPv6
 * everything that is not global unicast. AS112 and AMT, which are public by the registries, are not a customer's server
 * either.
 */
import { BlockList, isIP } from 'node:net';

const networks4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  // Azure's virtual public address: metadata, DNS and health of the host, the same in each of its machines.
  '168.63.129.16/32',
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Protocols and Teredo, documentation, 6to4, AS112; all else that is no unicast lies outside of 2000::/3. */
const networks6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** Networks (CIDR) and single addresses as a list to look addresses up in. */
export function toBlockList(items: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of items) {
    const [address = '', bits] = item.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const special = toBlockList([...networks4, ...networks6]);
const unicast6 = toBlockList(['2000::/3']);

export const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is of the public internet. An IPv4 address in IPv6's clothes is not. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 0 || isIn(special, address)) return false;
  return family === 4 || isIn(unicast6, address);
};
