import { BlockList, isIP } from 'node:net';

/**
 * Whether an address may call. An empty list allows all addresses: over HTTP the secret alone is strong enough. An
 * entry that can't be parsed allows none.
 */
export function isAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(plain);
  if (family === 0) return false;
  const allowed = compiled.get(list) ?? compileList(list);
  return allowed.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** A list belongs to application data that is read again every second. */
const compiled = new WeakMap<readonly string[], BlockList>();

function compileList(list: readonly string[]): BlockList {
  const allowed = new BlockList();
  for (const entry of list) {
    const [network = '', bits] = entry.split('/');
    const kind = isIP(network);
    const longest = kind === 4 ? 32 : 128;
    if (kind === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)) || Number(bits ?? 0) > longest) continue;
    allowed.addSubnet(network, Number(bits ?? longest), kind === 4 ? 'ipv4' : 'ipv6');
  }
  compiled.set(list, allowed);
  return allowed;
}
