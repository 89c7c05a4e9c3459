/**
 * Proof of work required from a program before it is served: valid for one call from the same address. The ticket
 * contains its creation time and the required work, and is signed, so nothing is stored until it is used.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type AttemptLimit, countAttempt, countAttempts } from '@pahatid/db';
import type { Pool } from 'pg';
import type { Secrets } from '../secrets/secrets.ts';
import { networkKeys } from './network-keys.ts';
import { tooOften } from './problem.ts';
import { isWork } from './proof-of-work.ts';

export interface Ticket {
  /** Also the text in front of the proof. */
  readonly id: string;
  readonly issuedMs: number;
  readonly bits: number;
}

/** What the work is for: a ticket of one purpose opens nothing of another. */
type TicketPurpose = 'enquiry' | 'captcha' | 'accountRequest' | 'demoVisit';

type Signer = Pick<Secrets, 'signTicket'>;

const sign = (secrets: Signer, purpose: TicketPurpose, { id, issuedMs, bits }: Ticket, ip: string): string =>
  secrets.signTicket([purpose, id, String(issuedMs), String(bits), networkKeys(ip).address]).toString('base64url');

export function makeTicket(
  secrets: Signer,
  purpose: TicketPurpose,
  { ip, now, bits }: { ip: string; now: Date; bits: number },
): Ticket & { ticket: string } {
  const made: Ticket = { id: randomBytes(16).toString('base64url'), issuedMs: now.getTime(), bits };
  return { ...made, ticket: `${made.id}.${made.issuedMs}.${bits}.${sign(secrets, purpose, made, ip)}` };
}

interface TicketAsk {
  readonly purpose: TicketPurpose;
  readonly ip: string;
  readonly now: Date;
  /** Of the address, and of its network. */
  readonly limits: readonly AttemptLimit[];
  /** Zero bits of the proof, by how often the network asked. */
  readonly bits: (asked: number) => number;
  /** Until the ticket counts. */
  readonly waitMs: number;
}

/** A ticket as a form for visitors gets it. Throws RATE_LIMITED for an address that asks too often. */
export async function giveTicket(
  { secrets, pool }: { readonly secrets: Signer; readonly pool: Pool },
  { purpose, ip, now, limits, bits: bitsFor, waitMs }: TicketAsk,
): Promise<{ ticket: string; prefix: string; bits: number; waitMs: number }> {
  const counted = await countAttempts(pool, limits);
  if ('refused' in counted) throw tooOften(counted.endsAt, now);
  const { ticket, id, bits } = makeTicket(secrets, purpose, { ip, now, bits: bitsFor(counted[1]?.count ?? 1) });
  return { ticket, prefix: id, bits, waitMs };
}

/** Null: not ours, altered, of another purpose or another address's. */
function readTicket(secrets: Signer, purpose: TicketPurpose, text: string, ip: string): Ticket | null {
  const [, id, issued, bits, given] = /^([\w-]{22})\.(\d{1,15})\.(\d{1,2})\.([\w-]{43})$/.exec(text) ?? [];
  if (id === undefined || given === undefined) return null;
  const ticket: Ticket = { id, issuedMs: Number(issued), bits: Number(bits) };
  const wanted = Buffer.from(sign(secrets, purpose, ticket, ip));
  return timingSafeEqual(wanted, Buffer.from(given)) ? ticket : null;
}

export interface TicketUse {
  readonly purpose: TicketPurpose;
  readonly given: { readonly ticket: string; readonly proof: string };
  readonly ip: string;
  readonly now: Date;
  readonly leastAgeMs: number;
  readonly lifeMs: number;
}

/**
 * Returns the ticket if it is ours, for this address, of the right age, solved, and unused; of concurrent uses one
 * succeeds.
 */
export async function useTicket(
  { secrets, pool }: { readonly secrets: Signer; readonly pool: Pool },
  { purpose, given, ip, now, leastAgeMs, lifeMs }: TicketUse,
): Promise<Ticket | null> {
  const found = readTicket(secrets, purpose, given.ticket, ip);
  if (found === null) return null;
  const ageMs = now.getTime() - found.issuedMs;
  if (ageMs < leastAgeMs || ageMs > lifeMs || !isWork(found.id, given.proof, found.bits)) return null;
  const once = { what: `${purpose}.ticket.used`, key: found.id, limit: 1, windowMs: lifeMs, now };
  return (await countAttempt(pool, once)).allowed ? found : null;
}
