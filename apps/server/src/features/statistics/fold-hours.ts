/** Keeps reports of long ranges fast: the minutes of ended hours are added to the statistics by hour, and deleted later. */
import { withTransaction } from '@pahatid/db';
import {
  deleteOldHours,
  deleteOldMinutes,
  findFoldEnd,
  foldHours,
  listUnfolded,
} from '@pahatid/db/queries/hour-folding';
import { HOUR_DAYS, HOUR_MS, MINUTE_DAYS } from '@pahatid/db/queries/report-figures';
import type { JobContext } from '../../sending/job-context.ts';

/** Minutes in one transaction. */
const rowsAtOnce = 5_000;
const roundsAtOnce = 40;

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

/** Deletes the minutes that have become old enough, at most as many as come in a busy minute. Returns the number. */
export async function deleteFoldedMinutes({ pool, offsetMs, signal }: JobContext, rows = rowsAtOnce): Promise<number> {
  const end = await findFoldEnd(pool, offsetMs);
  const before = new Date(end.getTime() - MINUTE_DAYS * 24 * HOUR_MS);
  let sum = 0;
  for (let round = 0; round < roundsAtOnce && signal?.aborted !== true; round++) {
    const deleted = await withTransaction(pool, (tx) => deleteOldMinutes(tx, before, rows));
    if (deleted === 0) break;
    sum += deleted;
  }
  return sum;
}

/** Deletes hours that are older than three years, at most as many as come in a busy day. Returns the number. */
export async function deleteOldStatistics({ pool, offsetMs, signal }: JobContext, rows = rowsAtOnce): Promise<number> {
  const end = await findFoldEnd(pool, offsetMs);
  const before = new Date(end.getTime() - HOUR_DAYS * 24 * HOUR_MS);
  let sum = 0;
  for (let round = 0; round < roundsAtOnce && signal?.aborted !== true; round++) {
    const deleted = await withTransaction(pool, (tx) => deleteOldHours(tx, before, rows));
    if (deleted === 0) break;
    sum += deleted;
  }
  return sum;
}
