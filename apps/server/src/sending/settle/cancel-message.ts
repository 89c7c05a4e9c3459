/** Cancels messages that no sender has: not sent and not charged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientStatus, SendStatus } from '@pahatid/contract/enums';
import {
  isBatchFinished,
  lockBatchMessages,
  lockUnclaimedBatchOf,
  releaseCost,
  returnBatch,
  type WriterLease,
  writeOutcomes,
} from '@pahatid/db';
import { wakeEach } from '@pahatid/db/queries/batch-parking';
import { DealResult } from '@pahatid/domain';
import type { Pool } from 'pg';
import { WAITING } from './message-states.ts';
import { toTallyMessage } from './tally.ts';
import { withTally } from './with-tally.ts';

const CANCELLED = { sendStatus: SendStatus.Failed, clientStatus: ClientStatus.Blocked } as const;

/** While another transaction has its batch for a moment. */
const ATTEMPTS = 20;
const PAUSE_MS = 50;

interface Key {
  readonly customerId: string;
  readonly messageId: bigint;
}

/**
 * Cancels a message until a sender has it. `read` returns its states, before each attempt; a message that was cancelled
 * before is `cancelled` in them.
 */
export const cancelUnlessHandedOver = async (
  key: Key,
  read: () => Promise<'waiting' | 'cancelled' | 'ended'>,
  { pool, writer }: { readonly pool: Pool; readonly writer: () => Promise<WriterLease> },
): Promise<boolean> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const state = await read();
    if (state !== 'waiting') return state === 'cancelled';
    if (await cancelMessage(pool, await writer(), key)) return true;
    await sleep(PAUSE_MS);
  }
  return false;
};

/** False: it was handed over, a sender is about to, or it has ended. */
const cancelMessage = async (pool: Pool, writer: WriterLease, { customerId, messageId }: Key): Promise<boolean> =>
  await withTally(pool, async (tx, tally) => {
    const batch = await lockUnclaimedBatchOf(tx, messageId);
    if (batch === null || batch.customerId !== customerId) return false;
    const [row] = await lockBatchMessages(tx, { customerId, batchId: messageId, messageCount: 1 }, WAITING);
    if (row === undefined) return false;
    await writeOutcomes(tx, [
      {
        ...row,
        before: { ...WAITING, partsDelivered: row.partsDelivered },
        after: CANCELLED,
        dealResult: DealResult.Cancelled,
        carrierCode: null,
        submittedMs: null,
        answeredMs: null,
        reportMs: null,
      },
    ]);
    tally.add(toTallyMessage(row, batch.batchId), WAITING, CANCELLED);
    await tally.write(tx, writer.writer, new Date());
    // What it holds is counted among what is parked until it is woken; the claim parks it again.
    await wakeEach(tx, [batch.batchId]);
    if (await isBatchFinished(tx, batch.batchId)) await returnBatch(tx, batch.batchId, true);
    else await releaseCost(tx, batch.batchId, row.price * row.pkgTotal);
    return true;
  });
