import type { AttemptLimit } from '@pahatid/db';
import { networkKeys } from '../../http/network-keys.ts';
import { workBits } from '../../http/proof-of-work.ts';

const hourMs = 3_600_000;

/**
 * People write once or twice; a program is stopped by its address, its network, the block of its network, and in total.
 * A sender with a few networks uses a small share of the last.
 */
export function enquiryLimits(ip: string, now: Date): AttemptLimit[] {
  const { address, network, block } = networkKeys(ip);
  const day = { windowMs: 24 * hourMs, now };
  return [
    { what: 'enquiry.address', key: address, limit: 5, windowMs: hourMs, now },
    { what: 'enquiry.network', key: network, limit: 10, ...day },
    { what: 'enquiry.block', key: block, limit: 60, ...day },
    { what: 'enquiry.all', key: '', limit: 500, ...day },
  ];
}

/** Tickets, of which a form takes one, or a few if it stays open for long. Returns the network's count too. */
export function ticketLimits(ip: string, now: Date): [address: AttemptLimit, network: AttemptLimit] {
  const { address, network } = networkKeys(ip);
  return [
    { what: 'enquiry.ticket.address', key: address, limit: 30, windowMs: hourMs, now },
    { what: 'enquiry.ticket.network', key: network, limit: 300, windowMs: hourMs, now },
  ];
}

/** Requirements of a ticket. */
export interface TicketRules {
  /** No person fills in the form in less. */
  readonly leastFillMs: number;
  readonly lifeMs: number;
  /** Zero bits of the proof, by how often the network asked in this hour. */
  readonly bits: (asked: number) => number;
}

export const ticketRules: TicketRules = { leastFillMs: 3_000, lifeMs: 2 * hourMs, bits: workBits };
