/**
 * The customer that a phone's text belongs to: the owner of the number or sender ID that the phone replies to. The
 * phone sends an address, never a customer, so the first match decides:
 *
 * 1. the newest message of the last 30 days that the phone got from this address;
 * 2. the assigned number, or the sender ID if a single customer has it registered;
 * 3. at the provider's shared opt-out number, the newest marketing message to the phone, otherwise the newest of any
 *    type: that number is in marketing texts whose sender ID can't be answered.
 *
 * A text without a match is stored for staff. The carrier of test mode is asked nothing of this: what it sends names the
 * message that it replies to, so that a test never reaches another customer.
 */
import {
  findOwnerByAddress,
  findOwnerByCarrierId,
  findOwnerByMessage,
  findOwnerBySharedNumber,
  type ReplyOwner,
} from '@pahatid/db/queries/inbound';
import { parseMsisdn, TEST_SUPPLIER } from '@pahatid/domain';
import type { InboundText } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';

/** A text replies to a message within this time, or to none. */
const LOOK_BACK_MS = 30 * 86_400_000;

export interface InboundOptions {
  /** The number that customers share for opt-outs, as `normalizeAddress` writes it; null: there is none. */
  readonly sharedNumber: string | null;
  readonly log: Logger;
}

/** Carriers write the same number in several formats; short codes and sender IDs stay as they are. */
export const normalizeAddress = (address: string): string => {
  const parsed = parseMsisdn(address);
  return parsed.ok ? parsed.msisdn : address.replace(/^\+(?=\d+$)/, '');
};

export const findReplyOwner = async (
  tx: PoolClient,
  { sharedNumber }: Pick<InboundOptions, 'sharedNumber'>,
  { supplierId, msisdn, destination: written, receivedMs }: InboundText,
): Promise<ReplyOwner | null> => {
  if (supplierId === TEST_SUPPLIER) return findOwnerByCarrierId(tx, supplierId, written);
  const destination = normalizeAddress(written);
  const address = { msisdn, destination, sinceMs: receivedMs - LOOK_BACK_MS };
  const owner = (await findOwnerByMessage(tx, address)) ?? (await findOwnerByAddress(tx, destination));
  if (owner !== null || destination !== sharedNumber) return owner;
  return findOwnerBySharedNumber(tx, address);
};
