/**
 * One pass of an erasure: uploads first, so that no task creates a new message of the number, then the rows of tables.
 * Messages in progress stay until they have ended; the request stays open until then, and for one more pass, because a
 * task may have read its file just before.
 */
import type { NumberCounts } from '@pahatid/contract';
import { withTransaction } from '@pahatid/db';
import { eraseFromAnswers } from '@pahatid/db/queries/callback-events';
import { eraseConsents } from '@pahatid/db/queries/consents';
import { hideOptOut } from '@pahatid/db/queries/erased-opt-outs';
import { advanceErasure, lockErasure } from '@pahatid/db/queries/erasures';
import { eraseFromExports } from '@pahatid/db/queries/exports';
import { eraseFromGroups } from '@pahatid/db/queries/group-members';
import { eraseClicks } from '@pahatid/db/queries/link-clicks';
import { eraseMessageExtras } from '@pahatid/db/queries/message-extras';
import {
  countNumber,
  eraseDoubts,
  eraseExemptions,
  eraseInbound,
  eraseMessages,
  eraseReceipts,
  findReceiptsOfNumber,
} from '@pahatid/db/queries/numbers';
import { eraseSmppTexts } from '@pahatid/db/queries/smpp-texts';
import { eraseVerifications } from '@pahatid/db/queries/verifications';
import type { Pool, PoolClient } from 'pg';
import { idForms } from '../../sending/receipts/receipt-ids.ts';
import { eraseFromFiles } from './erase-from-files.ts';

/** Longer than any transaction that may still write data it read before. */
const settleMs = 60_000;

export interface ErasurePass {
  readonly erasureId: string;
  readonly customerId: string;
  readonly msisdn: string;
  readonly hash: Buffer;
  readonly now: Date;
}

/** True when the request is done. */
export async function eraseNumber(pool: Pool, pass: ErasurePass): Promise<boolean> {
  const { customerId, msisdn, erasureId, now } = pass;
  const fileCount = await eraseFromFiles(pool, customerId, msisdn);
  return withTransaction(pool, async (tx) => {
    const request = await lockErasure(tx, erasureId);
    if (request === null) return true;
    const erased = { ...(await eraseRows(tx, pass)), fileCount };
    const { underWayCount } = await countNumber(tx, customerId, msisdn);
    const isSettled = now.getTime() - request.askedAt.getTime() >= settleMs;
    const isDone = underWayCount === 0 && isSettled;
    await advanceErasure(tx, { erasureId, erased, underWayCount, doneAt: isDone ? now : null });
    return isDone;
  });
}

async function eraseRows(
  tx: PoolClient,
  { customerId, msisdn, hash, now }: ErasurePass,
): Promise<Omit<NumberCounts, 'underWayCount' | 'fileCount'>> {
  const receipts = await findReceiptsOfNumber(tx, msisdn);
  const messageIds = await eraseMessages(tx, customerId, msisdn);
  await eraseMessageExtras(tx, customerId, messageIds);
  await eraseReceipts(
    tx,
    customerId,
    receipts.flatMap((each) => idForms(each.carrierMessageId).map((form) => ({ ...each, form }))),
    messageIds,
  );
  const clickCount = await eraseClicks(tx, customerId, messageIds);
  await eraseDoubts(tx, customerId, msisdn);
  await eraseSmppTexts(tx, customerId, msisdn);
  await eraseVerifications(tx, customerId, msisdn, now);
  await eraseFromAnswers(tx, customerId, msisdn);
  await eraseFromExports(tx, customerId);
  return {
    messageCount: messageIds.length,
    clickCount,
    optOutCount: await hideOptOut(tx, { customerId, msisdn, hash, at: now }),
    consentCount: await eraseConsents(tx, customerId, msisdn),
    inboundCount: await eraseInbound(tx, customerId, msisdn),
    exemptionCount: await eraseExemptions(tx, customerId, msisdn),
    groupCount: await eraseFromGroups(tx, customerId, msisdn),
  };
}
