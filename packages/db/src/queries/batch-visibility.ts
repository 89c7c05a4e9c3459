/**
 * Batches whose messages are not as their row says. On Citus a transaction becomes visible node by node, the coordinator's
 * part first: a batch may be there before its messages are, or its counts before their outcomes. Mostly for a moment; after a
 * crash of a node in between, until Citus has recovered what is prepared there (decision 183).
 */
import { numberArray } from '../array-literal.ts';
import { splitByCustomer } from '../by-customer.ts';
import { isDistributed } from '../distributed.ts';
import { batchState, sendStatus } from '../literals.ts';
import { type Db, many, one, run, sql } from '../sql.ts';

interface BatchKey {
  readonly customerId: string;
  readonly batchId: bigint;
}

interface CountedBatch extends BatchKey {
  messageCount: number;
  successCount: number;
  failedCount: number;
}

/**
 * Returns those of these locked batches, which no sender has or had a moment ago, that are ahead of their messages: to be
 * left alone until a later look. None on PostgreSQL.
 */
export const findBatchesAhead = async (tx: Db, batches: readonly BatchKey[]): Promise<Set<bigint>> => {
  const ahead = new Set<bigint>();
  if (batches.length === 0 || !(await isDistributed(tx))) return ahead;
  for (const { customerId, rows } of await splitByCustomer(tx, await readCounts(tx, batches))) {
    const found = await many<{ batchId: string }>(
      tx,
      sql`select i.batch_id as "batchId" from unnest(${numberArray(rows.map(({ batchId }) => batchId))}::bigint[],
            ${numberArray(rows.map(({ messageCount }) => messageCount))}::int[],
            ${numberArray(rows.map(({ successCount }) => successCount))}::int[],
            ${numberArray(rows.map(({ failedCount }) => failedCount))}::int[])
            as i(batch_id, message_count, success_count, failed_count)
          cross join lateral (
            select count(*) as n, count(*) filter (where send_status = ${sendStatus.Successful}) as success,
              count(*) filter (where send_status = ${sendStatus.Failed}) as failed
            from message where customer_id = ${customerId}::uuid
              and message_id >= i.batch_id and message_id < i.batch_id + i.message_count) m
          where (m.n, m.success, m.failed) <> (i.message_count, i.success_count, i.failed_count)`,
    );
    for (const { batchId } of found) ahead.add(BigInt(batchId));
  }
  return ahead;
};

/** The rows are locked: they are as they were when they were claimed. */
const readCounts = async (tx: Db, batches: readonly BatchKey[]): Promise<CountedBatch[]> => {
  const rows = await many<Omit<CountedBatch, 'batchId'> & { batchId: string }>(
    tx,
    sql`select customer_id as "customerId", batch_id as "batchId", message_count as "messageCount",
          success_count as "successCount", failed_count as "failedCount"
        from batch where batch_id = any(${numberArray(batches.map(({ batchId }) => batchId))}::bigint[])`,
  );
  return rows.map((row) => ({ ...row, batchId: BigInt(row.batchId) }));
};

/** Undoes a claim in its own transaction. */
export const unclaimBatches = async (tx: Db, batchIds: readonly bigint[]): Promise<void> => {
  await run(
    tx,
    sql`update batch set state = ${batchState.Ready}, owner = null, lease_until = null
        where batch_id = any(${numberArray(batchIds)}::bigint[]) and state = ${batchState.Claimed}`,
  );
};

/** SQLSTATE of a lock that is not available: what failed with it is run again. */
class NotVisibleError extends Error {
  readonly code = '55P03';
}

/** Throws if messages of a locked batch that is not done are not visible yet. */
export const assertVisible = async (tx: Db, batch: BatchKey & { readonly messageCount: number }): Promise<void> => {
  if (!(await isDistributed(tx))) return;
  const { customerId, batchId, messageCount } = batch;
  const { n } = await one(
    tx,
    sql<{ n: number }>`select count(*)::int as n from message where customer_id = ${customerId}
      and message_id >= ${String(batchId)}::bigint and message_id < ${String(batchId + BigInt(messageCount))}::bigint`,
  );
  if (n < messageCount) throw new NotVisibleError(`messages of batch ${batchId} are not visible yet`);
};
