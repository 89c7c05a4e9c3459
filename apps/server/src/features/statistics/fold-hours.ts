/** Keeps reports of long ranges fast: the minutes of ended hours are added to the statistics by hour. */
import { withTransaction } from '@pahatid/db';
import { findFoldEnd, foldHours, listUnfolded } from '@pahatid/db/queries/hour-folding';
import type { JobContext } from '../../sending/job-context.ts';

/** Minutes in one transaction. */
const rowsAtOnce = 5_000;

/** Folds all that is due, customer by customer. Returns the number of minutes. */
export async function foldEndedHours({ pool, log, offsetMs, signal }: JobContext, rows = rowsAtOnce): Promise<number> {
  const end = await findFoldEnd(pool, offsetMs);
  let sum = 0;
  for (const customerId of await listUnfolded(pool, end)) {
    for (let folded = rows; folded === rows && signal?.aborted !== true; sum += folded)
      folded = await withTransaction(pool, (tx) => foldHours(tx, customerId, end, rows));
  }
  if (sum > 0) log.debug({ minutes: sum }, 'statistics folded by hour');
  return sum;
}
