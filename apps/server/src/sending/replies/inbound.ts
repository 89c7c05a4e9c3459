/** Texts that phones send: stored for the customer they belong to, and an opt-out stops that customer's messages immediately. */
import { insertOptOut } from '@pahatid/db';
import { isOptOut } from '@pahatid/domain';
import type { InboundText } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import { type PartOfText, storePart, toPartsKey } from './inbound-parts.ts';
import { findReplyOwner, type InboundOptions } from './reply-owner.ts';
import { storeReply } from './store-reply.ts';

/** PostgreSQL stores no NUL, and a reader sees none: a text with one is kept, and refuses messages, like one without. */
const withoutNul = (text: InboundText): InboundText => ({
  ...text,
  destination: text.destination.replaceAll('\0', ''),
  content: text.content.replaceAll('\0', ''),
});

/**
 * Puts the number of a text that no table holds onto the list of the customer it belongs to, if the text refuses messages.
 * Returns false if it has no owner.
 */
export const storeOptOutAlone = async (
  tx: PoolClient,
  text: InboundText,
  options: InboundOptions,
): Promise<boolean> => {
  const { msisdn, ...readable } = withoutNul(text);
  const owner = await findReplyOwner(tx, options, { ...readable, msisdn });
  if (owner === null) return false;
  const { customerId } = owner;
  await insertOptOut(tx, { customerId, msisdn, source: 'reply', evidence: readable.content, at: new Date() });
  return true;
};

/** All texts and parts of texts of a flush. */
export const storeTexts = async (
  tx: PoolClient,
  received: readonly InboundText[],
  options: InboundOptions,
): Promise<void> => {
  const texts = received.map(withoutNul);
  const isPart = (text: InboundText): text is PartOfText => text.part !== null;
  // In one order everywhere, because each is locked until the commit.
  const parts = texts.filter(isPart).map((text) => ({ text, name: JSON.stringify(Object.values(toPartsKey(text))) }));
  for (const { text } of parts.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)))
    await storePart(tx, text, options);
  for (const text of texts) {
    if (isPart(text)) continue;
    const owner = await findReplyOwner(tx, options, text);
    await storeReply(tx, { ...text, isOptOut: isOptOut(text.content), wasStored: false }, owner, options.log);
  }
};
