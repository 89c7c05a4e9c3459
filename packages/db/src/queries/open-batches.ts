import { batchState } from '../literals.ts';
import { type Fragment, sql } from '../sql.ts';

/** All batches that are not done, as a table: each state by the index that has it alone, however many are done. */
export const openBatches: Fragment = sql`(
  select * from batch where state = ${batchState.Parked}
  union all select * from batch where state = ${batchState.Ready}
  union all select * from batch where state = ${batchState.Claimed})`;
