import type { AttemptLimit } from '@pahatid/db';
import { workBits } from '../../proof-of-work.ts';
import { networkKeys } from '../../signing-in/network-keys.ts';

const hourMs = 3_600_000;

/**
 * People write once or twice; a program is stopped at its address, at its network, at the block that the network is of, and
 * over all. Whoever has a few networks takes a small share of the last.
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

/** Tickets, of which a form takes one, or a few where it stays open for long. Answers the network's count too. */
export function ticketLimits(ip: string, now: Date): [address: AttemptLimit, network: AttemptLimit] {
  const { address, network } = networkKeys(ip);
  return [
    { what: 'enquiry.ticket.address', key: address, limit: 30, windowMs: hourMs, now },
    { what: 'enquiry.ticket.network', key: network, limit: 300, windowMs: hourMs, now },
  ];
}

/** What a ticket asks for. */
export interface TicketRules {
  /** Nobody fills in the form in less. */
  readonly leastFillMs: number;
  readonly lifeMs: number;
  /** Zero bits of the proof, by how often the network asked in this hour. */
  readonly bits: (asked: number) => number;
}

export const ticketRules: TicketRules = { leastFillMs: 3_000, lifeMs: 2 * hourMs, bits: workBits };
