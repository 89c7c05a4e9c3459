import type { AttemptLimit } from '@pahatid/db';
import { networkKeys } from '../../http/network-keys.ts';
import { workBits } from '../../http/proof-of-work.ts';

const hourMs = 3_600_000;

/** People of one office may share an address; a program is stopped by its address, its network and its network's block. */
export function visitLimits(ip: string, now: Date): AttemptLimit[] {
  const { address, network, block } = networkKeys(ip);
  return [
    { what: 'demoVisit.address', key: address, limit: 20, windowMs: hourMs, now },
    { what: 'demoVisit.network', key: network, limit: 60, windowMs: hourMs, now },
    { what: 'demoVisit.block', key: block, limit: 200, windowMs: hourMs, now },
  ];
}

/** Tickets, of which a visit takes one. Returns the network's count too. */
export function ticketLimits(ip: string, now: Date): [address: AttemptLimit, network: AttemptLimit] {
  const { address, network } = networkKeys(ip);
  return [
    { what: 'demoVisit.ticket.address', key: address, limit: 60, windowMs: hourMs, now },
    { what: 'demoVisit.ticket.network', key: network, limit: 300, windowMs: hourMs, now },
  ];
}

/** Visits that are open at a time. */
export const mostVisits = 500;
/** How long one lasts at most. */
export const visitMs = 2 * hourMs;
/** How long a ticket may be used. */
export const ticketLifeMs = hourMs;
/** Zero bits of the proof, by how often the network asked in this hour. */
export const visitBits = workBits;
