/**
 * Which of a sender's batches contain a recipient that opted out since they were loaded: released and claimed again, they
 * lose it. A batch is looked at only while its customer has opt-outs that its last look may have missed.
 */
import { BY_KEY_PIPELINED, withTransaction } from '@pahatid/db';
import {
  findLatestOptOuts,
  findRefused,
  listMarketingBatches,
  type MarketingBatch,
} from '@pahatid/db/queries/batch-refusals';
import type { Pool } from 'pg';

/** Longer than the clocks of a provider's machines differ. */
const RECENT_MS = 120_000;
/** Longer than a transaction that adds opt-outs takes from their instant to its commit. */
const COMMIT_MS = 15_000;
/** Messages looked at by one statement. */
const MESSAGES_AT_ONCE = 10_000;

export class Refusals {
  /** Of each batch, since when opt-outs may have been missed: Unix milliseconds by the database's clock. */
  private readonly checkedMs = new Map<bigint, number>();

  /** `nowMs`: of the database, before the batches were loaded. */
  loaded(batchIds: readonly bigint[], nowMs: number): void {
    for (const batchId of batchIds) this.checkedMs.set(batchId, nowMs);
  }

  /** Returns the owner's batches, and those of `others`, that must be released. */
  async find(pool: Pool, owner: string, others: readonly bigint[]): Promise<bigint[]> {
    const held = await withTransaction(pool, (tx) => listMarketingBatches(tx, owner, others), BY_KEY_PIPELINED);
    this.forgetAllBut(held);
    if (held.length === 0) return [];
    const customerIds = [...new Set(held.map(({ customerId }) => customerId))];
    const latest = await withTransaction(pool, (tx) => findLatestOptOuts(tx, customerIds, RECENT_MS), BY_KEY_PIPELINED);
    const latestOf = new Map(latest.map((row) => [row.customerId, row.latestMs]));
    const due = held.filter(({ batchId, customerId }) => {
      const latestMs = latestOf.get(customerId) ?? null;
      return latestMs !== null && latestMs > (this.checkedMs.get(batchId) ?? 0) - COMMIT_MS;
    });
    const found: bigint[] = [];
    for (const batches of cutByMessages(due)) found.push(...(await findRefused(pool, batches, RECENT_MS)));
    for (const { batchId } of due) this.checkedMs.set(batchId, latest[0]?.nowMs ?? 0);
    return found;
  }

  private forgetAllBut(held: readonly MarketingBatch[]): void {
    const known = new Set(held.map(({ batchId }) => batchId));
    for (const batchId of this.checkedMs.keys()) if (!known.has(batchId)) this.checkedMs.delete(batchId);
  }
}

function* cutByMessages(batches: readonly MarketingBatch[]): Generator<MarketingBatch[]> {
  let part: MarketingBatch[] = [];
  let messages = 0;
  for (const batch of batches) {
    if (part.length > 0 && messages + batch.messageCount > MESSAGES_AT_ONCE) {
      yield part;
      part = [];
      messages = 0;
    }
    part.push(batch);
    messages += batch.messageCount;
  }
  if (part.length > 0) yield part;
}
