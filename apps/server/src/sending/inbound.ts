/** Texts that phones send: stored for the customer they belong to, and an opt-out stops that customer's messages immediately. */
import { isOptOut } from '@pahatid/domain';
import type { InboundText } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import { type PartOfText, partsKeyOf, storePart } from './inbound-parts.ts';
import { findReplyOwner, type InboundOptions } from './reply-owner.ts';
import { storeReply } from './store-reply.ts';

/** All texts and parts of texts of a flush. */
export const storeTexts = async (
  tx: PoolClient,
  texts: readonly InboundText[],
  options: InboundOptions,
): Promise<void> => {
  const isPart = (text: InboundText): text is PartOfText => text.part !== null;
  // In one order everywhere, because each is locked until the commit.
  const parts = texts.filter(isPart).map((text) => ({ text, name: JSON.stringify(Object.values(partsKeyOf(text))) }));
  for (const { text } of parts.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)))
    await storePart(tx, text, options);
  for (const text of texts) {
    if (isPart(text)) continue;
    const owner = await findReplyOwner(tx, options, text);
    await storeReply(tx, { ...text, isOptOut: isOptOut(text.content), wasStored: false }, owner, options.log);
  }
};
