import { isIP } from 'node:net';
import { ProblemError } from './problem.ts';

/**
 * Addresses and networks that may connect: IPv4, IPv6 or CIDR, without duplicates. Throws ALLOWED_IP_INVALID for the
 * first invalid one.
 */
export function checkAllowedAddresses(entries: readonly string[]): string[] {
  for (const [index, value] of entries.entries())
    if (!isAddressOrNetwork(value))
      throw new ProblemError('ALLOWED_IP_INVALID', { value }, [
        { field: `whiteListIp.${index}`, code: 'ALLOWED_IP_INVALID', params: { value } },
      ]);
  return [...new Set(entries.map((entry) => entry.toLowerCase()))];
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  // A zone (`fe80::1%eth0`) names a link of the machine it was written on, not of ours.
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  return bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
