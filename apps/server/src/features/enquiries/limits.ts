import type { AttemptLimit } from '@pahatid/db';
import { networkKeys } from '../../signing-in/network-keys.ts';

const hourMs = 3_600_000;

/** People write once or twice; a program is stopped at its address, at its network, and over all. */
export function enquiryLimits(ip: string, now: Date): AttemptLimit[] {
  const { address, network } = networkKeys(ip);
  return [
    { what: 'enquiry.address', key: address, limit: 5, windowMs: hourMs, now },
    { what: 'enquiry.all', key: '', limit: 500, windowMs: 24 * hourMs, now },
    { what: 'enquiry.network', key: network, limit: 30, windowMs: 24 * hourMs, now },
  ];
}
