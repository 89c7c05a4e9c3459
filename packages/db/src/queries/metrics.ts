/** Figures for monitoring. Cheap for tables of any size: all of them stop at a bound or read a partial index. */
import { batchState, taskStatus, yesNo } from '../literals.ts';
import { type Db, many, one, sql } from '../sql.ts';
import { dbNow } from './db-clock.ts';

export const listSupplierNames = async (db: Db): Promise<{ supplierId: string; supplierAccount: string }[]> =>
  await many(db, sql`select supplier_id as "supplierId", supplier_account as "supplierAccount" from supplier`);

export interface LaneFigures {
  readonly lane: number;
  readonly readyBatches: number;
  readonly readyMessages: number;
  /** Of the ready ones, those that may not be sent now. */
  readonly parkedBatches: number;
  readonly claimedBatches: number;
  /** Age of the oldest batch that could be sent now; 0 when there is none. */
  readonly oldestSeconds: number;
}

export interface QueueFigures {
  readonly lanes: readonly LaneFigures[];
  readonly inDoubt: number;
  readonly inDoubtSeconds: number;
  readonly unmatchedReceipts: number;
  readonly unmatchedSeconds: number;
}

/** Counting stops here: this figure means “as many or more”. */
const COUNT_LIMIT = 100_000;

export const readQueueFigures = async (db: Db): Promise<QueueFigures> => {
  // Unfinished batches are few compared with the messages they hold, and have separate partial indexes.
  const lanes = await many<LaneFigures>(
    db,
    sql`
      select l.lane::int as lane,
        coalesce(r.batches, 0)::int as "readyBatches", coalesce(r.messages, 0)::int as "readyMessages",
        coalesce(r.parked, 0)::int as "parkedBatches",
        coalesce(c.batches, 0)::int as "claimedBatches",
        coalesce(extract(epoch from ${dbNow()} - r.oldest), 0)::float8 as "oldestSeconds"
      from (values (1), (2), (3)) as l(lane)
      left join (
        select b.lane, count(*) as batches, sum(b.message_count) as messages,
          count(*) filter (where b.state = ${batchState.Parked}) as parked,
          min(greatest(b.created_at, b.not_before)) filter (where coalesce(b.not_before <= ${dbNow()}, true)
            and coalesce(t.task_status = ${taskStatus.Sending} and t.paused = ${yesNo.No}
              and not t.demo_hold, true)) as oldest
        from ((select * from batch where state = ${batchState.Ready} limit ${COUNT_LIMIT}) union all
            (select * from batch where state = ${batchState.Parked} limit ${COUNT_LIMIT})) as b left
          join task t on t.task_id = b.task_id
        group by b.lane) as r on r.lane = l.lane
      left join (select lane, count(*) as batches from batch
        where state = ${batchState.Claimed} group by lane) as c on c.lane = l.lane
      order by l.lane`,
  );
  // Two statements: distributed tables and control tables don't meet in one.
  const doubts = await one<{ n: number; age: number }>(
    db,
    sql`select count(*)::int as n, coalesce(extract(epoch from ${dbNow()} - min(since)), 0)::float8 as age
        from (select since from in_doubt where resolved_at is null limit ${COUNT_LIMIT}) as open`,
  );
  const receipts = await one<{ n: number; age: number }>(
    db,
    sql`select count(*)::int as n, coalesce(extract(epoch from ${dbNow()} - min(received_at)), 0)::float8 as age
        from (select received_at from receipt_inbox where matched_at is null order by received_at limit ${COUNT_LIMIT}) as open`,
  );
  return {
    lanes,
    inDoubt: doubts.n,
    inDoubtSeconds: doubts.age,
    unmatchedReceipts: receipts.n,
    unmatchedSeconds: receipts.age,
  };
};
