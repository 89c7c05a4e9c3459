import { BY_KEY_PIPELINED, withTransaction } from '@pahatid/db';
import type { Pool, PoolClient } from 'pg';
import { outcomeTotals } from '../../metrics/sending-metrics.ts';
import { Tally } from './tally.ts';
import { trafficCounts } from './traffic-counts.ts';

/** Runs a transaction that changes messages. The changes are added to the metrics once it has committed, not before. */
export async function withTally<T>(pool: Pool, work: (tx: PoolClient, tally: Tally) => Promise<T>): Promise<T> {
  // Run again after a failure, the work begins with an empty tally.
  const { result, tally } = await withTransaction(
    pool,
    async (tx) => {
      const ours = new Tally();
      return { result: await work(tx, ours), tally: ours };
    },
    BY_KEY_PIPELINED,
  );
  outcomeTotals.addAll(tally.outcomes);
  for (const [key, moved] of tally.rollupMoves) trafficCounts.add(key, moved);
  return result;
}
