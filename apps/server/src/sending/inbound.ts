/** Texts that phones send: kept for the customer they answer, and a refusal stops that customer's messages at once. */
import { insertOptOut } from '@pahatid/db';
import { writeInboundEvent } from '@pahatid/db/queries/callback-events';
import { findAnswered, insertInbound } from '@pahatid/db/queries/inbound';
import { isOptOut } from '@pahatid/domain';
import type { InboundText } from '@pahatid/engine';
import type { PoolClient } from 'pg';
import { LOOK_BACK_MS, type PartOfText, partsKeyOf, storePart } from './inbound-parts.ts';

/** All texts and parts of texts of a flush. */
export const storeTexts = async (tx: PoolClient, texts: readonly InboundText[]): Promise<void> => {
  const isPart = (text: InboundText): text is PartOfText => text.part !== null;
  // In one order everywhere, because each is locked until the commit.
  const parts = texts.filter(isPart).map((text) => ({ text, name: JSON.stringify(Object.values(partsKeyOf(text))) }));
  for (const { text } of parts.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)))
    await storePart(tx, text);
  for (const text of texts) if (!isPart(text)) await storeInbound(tx, text);
};

/** False where nobody wrote to this phone: there is no one to keep it for. */
const storeInbound = async (tx: PoolClient, text: InboundText): Promise<boolean> => {
  const { supplierId, msisdn, destination, content, receivedMs } = text;
  const answered = await findAnswered(tx, supplierId, msisdn, destination, receivedMs - LOOK_BACK_MS);
  if (answered === null) return false;
  const refuses = isOptOut(content);
  if (await insertInbound(tx, { ...text, ...answered, isOptOut: refuses }))
    await writeInboundEvent(tx, { ...answered, inboundId: text.inboundId });
  if (refuses) {
    const { customerId } = answered;
    // Senders look for refusals of the last minutes, so this one is of now, however long the database was away.
    await insertOptOut(tx, { customerId, msisdn, source: 'reply', evidence: content, at: new Date() });
  }
  return true;
};
