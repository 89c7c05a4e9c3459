/**
 * The customer that a phone's text belongs to: the one that owns the number or sender ID which the phone answers. The
 * phone names an address, never a customer, so the first of these that finds one decides:
 *
 * 1. the newest message of the last 30 days that the phone got from this address;
 * 2. the assigned number, or the sender ID if a single customer has it registered;
 * 3. at the provider's shared opt-out number, the newest marketing message to the phone, else the newest of any type:
 *    that number stands in marketing texts whose sender ID can't be answered.
 *
 * A text that none of them finds an owner for is kept for staff.
 */
import {
  findOwnerByAddress,
  findOwnerByMessage,
  findOwnerBySharedNumber,
  type ReplyOwner,
} from '@pahatid/db/queries/inbound';
import { parseMsisdn } from '@pahatid/domain';
import type { InboundText } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';

/** A text answers a message of this time, or none. */
const LOOK_BACK_MS = 30 * 86_400_000;

export interface InboundOptions {
  /** The number that customers share for opt-outs, as `normalizeAddress` writes it; null: there is none. */
  readonly sharedNumber: string | null;
  readonly log: Logger;
}

/** Carriers write the same number in several ways; short codes and sender IDs stay as they are. */
export const normalizeAddress = (address: string): string => {
  const parsed = parseMsisdn(address);
  return parsed.ok ? parsed.msisdn : address.replace(/^\+(?=\d+$)/, '');
};

export const findReplyOwner = async (
  tx: PoolClient,
  { sharedNumber }: Pick<InboundOptions, 'sharedNumber'>,
  { msisdn, destination: written, receivedMs }: InboundText,
): Promise<ReplyOwner | null> => {
  const destination = normalizeAddress(written);
  const address = { msisdn, destination, sinceMs: receivedMs - LOOK_BACK_MS };
  const owner = (await findOwnerByMessage(tx, address)) ?? (await findOwnerByAddress(tx, destination));
  if (owner !== null || destination !== sharedNumber) return owner;
  return findOwnerBySharedNumber(tx, address);
};
