import type { AttemptLimit } from '@pahatid/db';
import { networkKeys } from '../../http/network-keys.ts';
import { workBits } from '../../http/proof-of-work.ts';

const hourMs = 3_600_000;

/** A company asks once; a program is stopped by its address, its network, the block of its network, and in total. */
export function requestLimits(ip: string, now: Date): AttemptLimit[] {
  const { address, network, block } = networkKeys(ip);
  const day = { windowMs: 24 * hourMs, now };
  return [
    { what: 'accountRequest.address', key: address, limit: 3, windowMs: hourMs, now },
    { what: 'accountRequest.network', key: network, limit: 6, ...day },
    { what: 'accountRequest.block', key: block, limit: 40, ...day },
    { what: 'accountRequest.all', key: '', limit: 300, ...day },
  ];
}

/** Mails to one address that anyone may cause. Further requests are stored, and the answer does not show that no mail was sent. */
export const mailLimit = (email: string, now: Date): AttemptLimit => ({
  what: 'accountRequest.mail',
  key: email.toLowerCase(),
  limit: 3,
  windowMs: 24 * hourMs,
  now,
});

/** Tickets, of which a form takes one, or a few if it stays open for long. Returns the network's count too. */
export function ticketLimits(ip: string, now: Date): [address: AttemptLimit, network: AttemptLimit] {
  const { address, network } = networkKeys(ip);
  return [
    { what: 'accountRequest.ticket.address', key: address, limit: 30, windowMs: hourMs, now },
    { what: 'accountRequest.ticket.network', key: network, limit: 300, windowMs: hourMs, now },
  ];
}

/** Links are opened once; their secrets cannot be guessed, so this bounds only the work. */
export const confirmLimit = (ip: string, now: Date): AttemptLimit => ({
  what: 'accountRequest.confirm',
  key: networkKeys(ip).address,
  limit: 30,
  windowMs: hourMs,
  now,
});

/** Requirements of a ticket. */
export interface TicketRules {
  /** No person fills in the form in less. */
  readonly leastFillMs: number;
  readonly lifeMs: number;
  /** Zero bits of the proof, by how often the network asked in this hour. */
  readonly bits: (asked: number) => number;
}

export const ticketRules: TicketRules = { leastFillMs: 3_000, lifeMs: 2 * hourMs, bits: workBits };
