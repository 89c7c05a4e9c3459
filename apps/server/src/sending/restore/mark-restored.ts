/**
 * Marks a database that was restored from a backup, before anything serves it (decision 127). What the backup calls waiting
 * may have been sent since: it is in doubt from now on, like what was written to a socket and not answered. So nothing
 * sends it again automatically, receipts find it by carrier, destination and time, and a person decides about the rest. All
 * lanes are paused.
 */
import {
  insertDoubts,
  leaseWriter,
  lockBatchMessages,
  uuidV7,
  type WriterLease,
  withTransaction,
  writeOutcomes,
} from '@pahatid/db';
import { parkForRestore } from '@pahatid/db/queries/batch-parking';
import { addUnsure, beginDoubts, endLeases, lockOpenBatches, pauseLanes } from '@pahatid/db/queries/restores';
import type { Pool, PoolClient } from 'pg';
import { IN_DOUBT, WAITING } from '../settle/message-states.ts';
import { type Tally, toTallyMessage } from '../settle/tally.ts';
import { withTally } from '../settle/with-tally.ts';
import { recoverLeases } from '../submit/recover-leases.ts';

/** Batches of one transaction. */
const BATCHES_AT_ONCE = 50;

export interface Marked {
  readonly restoreId: string;
  /** Messages in doubt because of the restore. */
  readonly unsure: number;
}

/** `backupAt`: the state that came back. No role may run. */
export async function markRestored(pool: Pool, backupAt: Date): Promise<Marked> {
  const restoreId = uuidV7();
  await withTransaction(pool, async (tx) => {
    await pauseLanes(tx, restoreId, backupAt, new Date());
    await endLeases(tx);
  });
  const writer = await leaseWriter(pool, uuidV7());
  try {
    // What was written to a socket in the backup is in doubt by the application's own policy.
    await recoverLeases(pool, writer);
    const at = new Date();
    await withTransaction(pool, (tx) => beginDoubts(tx, restoreId, at));
    let unsure = 0;
    for (let after: bigint | null = 0n; after !== null; ) {
      const step = await doubtSome(pool, writer, { restoreId, at, after });
      unsure += step.unsure;
      after = step.last;
    }
    return { restoreId, unsure };
  } finally {
    await writer.release();
  }
}

async function doubtSome(
  pool: Pool,
  writer: WriterLease,
  { restoreId, at, after }: { restoreId: string; at: Date; after: bigint },
): Promise<{ unsure: number; last: bigint | null }> {
  return await withTally(pool, async (tx, tally) => {
    const batches = await lockOpenBatches(tx, after, BATCHES_AT_ONCE);
    const counts = new Map<number, number>();
    for (const batch of batches) {
      const count = await doubtBatch(tx, tally, batch, at);
      counts.set(batch.lane, (counts.get(batch.lane) ?? 0) + count);
    }
    await tally.write(tx, writer.writer, at);
    await parkForRestore(
      tx,
      batches.map(({ batchId }) => batchId),
    );
    await addUnsure(tx, restoreId, counts);
    return { unsure: [...counts.values()].reduce((sum, n) => sum + n, 0), last: batches.at(-1)?.batchId ?? null };
  });
}

async function doubtBatch(
  tx: PoolClient,
  tally: Tally,
  batch: { customerId: string; batchId: bigint; messageCount: number },
  at: Date,
): Promise<number> {
  const rows = await lockBatchMessages(tx, batch, WAITING);
  await writeOutcomes(
    tx,
    rows.map((row) => ({
      ...row,
      ...unchanged,
      before: { ...WAITING, partsDelivered: row.partsDelivered },
      after: IN_DOUBT,
    })),
  );
  for (const row of rows) tally.add(toTallyMessage(row, batch.batchId), WAITING, IN_DOUBT);
  await insertDoubts(tx, rows, at, null);
  return rows.length;
}

const unchanged = { dealResult: null, carrierCode: null, submittedMs: null, answeredMs: null, reportMs: null } as const;
