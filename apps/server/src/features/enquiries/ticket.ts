/**
 * What the contact form is sent with: handed out when a visitor begins to write, good for one enquiry from the same
 * address. It says when it was made and what work it asks for, and is signed, so nothing of it is stored until it is used.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../secrets.ts';
import { networkKeys } from '../../signing-in/network-keys.ts';

export interface Ticket {
  /** Also the text in front of the proof. */
  readonly id: string;
  readonly issuedMs: number;
  readonly bits: number;
}

type Signer = Pick<Secrets, 'signTicket'>;

const sign = (secrets: Signer, { id, issuedMs, bits }: Ticket, ip: string): string =>
  secrets.signTicket(['enquiry', id, String(issuedMs), String(bits), networkKeys(ip).address]).toString('base64url');

export function makeTicket(
  secrets: Signer,
  { ip, now, bits }: { ip: string; now: Date; bits: number },
): Ticket & { ticket: string } {
  const made: Ticket = { id: randomBytes(16).toString('base64url'), issuedMs: now.getTime(), bits };
  return { ...made, ticket: `${made.id}.${made.issuedMs}.${bits}.${sign(secrets, made, ip)}` };
}

/** Null: not ours, altered, or another address's. */
export function readTicket(secrets: Signer, text: string, ip: string): Ticket | null {
  const [, id, issued, bits, given] = /^([\w-]{22})\.(\d{1,15})\.(\d{1,2})\.([\w-]{43})$/.exec(text) ?? [];
  if (id === undefined || given === undefined) return null;
  const ticket: Ticket = { id, issuedMs: Number(issued), bits: Number(bits) };
  const wanted = Buffer.from(sign(secrets, ticket, ip));
  return timingSafeEqual(wanted, Buffer.from(given)) ? ticket : null;
}
