/** Stores one complete text of a phone: for its owner, with its consequences, or for staff. */
import { insertOptOut } from '@pahatid/db';
import { writeInboundEvent } from '@pahatid/db/queries/callback-events';
import {
  insertInbound,
  type ReplyOwner,
  rewriteInbound,
  saveUnownedReply,
  type UnownedReply,
} from '@pahatid/db/queries/inbound';
import { writeSmppInbound } from '@pahatid/db/queries/smpp-deliveries';
import { TEST_SUPPLIER } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { answerByKeyword } from './answer-by-keyword.ts';

/** `wasStored`: it was stored before a part of it came, and is written again with that part. */
export const storeReply = async (
  tx: PoolClient,
  text: UnownedReply & { readonly wasStored: boolean },
  owner: ReplyOwner | null,
  log: Logger,
): Promise<void> => {
  const { inboundId, msisdn, content, isOptOut, wasStored } = text;
  if (owner === null) {
    const { supplierId, destination } = text;
    if (supplierId === TEST_SUPPLIER) return;
    if (await saveUnownedReply(tx, text))
      log.warn({ inboundId, supplierId, destination, isOptOut }, 'reply has no owner, kept for staff');
    return;
  }
  const isNew = wasStored
    ? await rewriteInbound(tx, { ...text, customerId: owner.customerId }).then(() => true)
    : await insertInbound(tx, { ...text, ...owner });
  if (isNew && owner.appId !== null) {
    const event = { ...owner, appId: owner.appId, inboundId };
    await writeInboundEvent(tx, event);
    await writeSmppInbound(tx, event);
    await answerByKeyword(tx, { ...text, customerId: owner.customerId, appId: owner.appId });
  }
  // Senders look for refusals of the last minutes, so this one is of now, however long the database was away.
  if (isOptOut)
    await insertOptOut(tx, {
      customerId: owner.customerId,
      msisdn,
      source: 'reply',
      evidence: content,
      at: new Date(),
    });
};
