/** Texts that phones send: kept for the customer they answer, and a refusal stops that customer's messages at once. */
import { insertOptOut } from '@pahatid/db';
import { writeInboundEvent } from '@pahatid/db/queries/callback-events';
import { findAnswered, insertInbound } from '@pahatid/db/queries/inbound';
import { isOptOut } from '@pahatid/domain';
import type { InboundText } from '@pahatid/engine';
import type { PoolClient } from 'pg';

/** A text answers a message of this time, or none. */
const LOOK_BACK_MS = 30 * 86_400_000;

/** False where nobody wrote to this phone: there is no one to keep it for. */
export const storeInbound = async (tx: PoolClient, text: InboundText): Promise<boolean> => {
  const { supplierId, msisdn, destination, content, receivedMs } = text;
  const answered = await findAnswered(tx, supplierId, msisdn, destination, receivedMs - LOOK_BACK_MS);
  if (answered === null) return false;
  const refuses = isOptOut(content);
  if (await insertInbound(tx, { ...text, ...answered, isOptOut: refuses }))
    await writeInboundEvent(tx, { ...answered, inboundId: text.inboundId });
  if (refuses) {
    const { customerId } = answered;
    await insertOptOut(tx, { customerId, msisdn, source: 'reply', evidence: content, at: new Date(receivedMs) });
  }
  return true;
};
