/** Requests to erase a number: created once, open until none of its messages is in progress any more. */
import type { NumberCounts } from '@pahatid/contract';
import { type Db, many, maybe, one, run, sql } from '../sql.ts';
import { dbNow, dbNowPlus } from './db-clock.ts';

export interface ErasureRow {
  erasureId: string;
  customerId: string;
  shownNumber: string;
  numberSealed: string | null;
  counts: NumberCounts;
  askedBy: string | null;
  askedAt: Date;
  doneAt: Date | null;
}

const ownColumns = sql.raw(
  `e.erasure_id as "erasureId", e.customer_id as "customerId", e.shown_number as "shownNumber",
   e.number_sealed as "numberSealed", e.counts, e.asked_at as "askedAt", e.done_at as "doneAt"`,
);
const columns = sql`${ownColumns}, u.name as "askedBy"`;

export interface NewErasure {
  erasureId: string;
  customerId: string;
  shownNumber: string;
  hash: Buffer;
  sealed: string;
  /** Null: a user that does not exist any more. */
  askedBy: string | null;
  at: Date;
}

/**
 * Returns the open request for this number, created if there is none: two concurrent calls share one. `isNew`: created
 * by this call.
 */
export const takeErasure = async (tx: Db, request: NewErasure): Promise<{ erasureId: string; isNew: boolean }> => {
  const made = await run(
    tx,
    sql`insert into erasure (erasure_id, customer_id, shown_number, msisdn_hash, number_sealed, asked_by, asked_at, tried_at)
        values (${request.erasureId}, ${request.customerId}, ${request.shownNumber}, ${request.hash}, ${request.sealed},
                ${request.askedBy}, ${request.at}, ${request.at})
        on conflict (customer_id, msisdn_hash) where done_at is null do nothing`,
  );
  const row = await one(
    tx,
    sql<{ erasureId: string }>`select erasure_id as "erasureId" from erasure
      where customer_id = ${request.customerId} and msisdn_hash = ${request.hash} and done_at is null for update`,
  );
  return { erasureId: row.erasureId, isNew: made === 1 };
};

export const findErasure = async (db: Db, erasureId: string): Promise<ErasureRow> =>
  one(
    db,
    sql<ErasureRow>`select ${columns} from erasure e left join app_user u on u.user_id = e.asked_by
      where e.erasure_id = ${erasureId}`,
  );

export const listErasures = async (db: Db, customerId: string, limit: number): Promise<ErasureRow[]> =>
  many(
    db,
    sql<ErasureRow>`select ${columns} from erasure e left join app_user u on u.user_id = e.asked_by
      where e.customer_id = ${customerId} order by e.asked_at desc, e.erasure_id desc limit ${limit}`,
  );

/**
 * Adds the counts erased by a pass; the count in progress replaces the previous one. With `isDone` the number itself is
 * deleted.
 */
export const advanceErasure = async (
  tx: Db,
  step: { erasureId: string; erased: Omit<NumberCounts, 'underWayCount'>; underWayCount: number; doneAt: Date | null },
): Promise<void> => {
  const add = (name: keyof typeof step.erased) =>
    sql`${sql.lit(name)}, coalesce((counts ->> ${sql.lit(name)})::int, 0) + ${step.erased[name]}::int`;
  await run(
    tx,
    sql`update erasure set counts = jsonb_build_object(${add('messageCount')}, ${add('optOutCount')}, ${add('consentCount')}, ${add('inboundCount')},
          ${add('fileCount')}, ${add('exemptionCount')}, ${add('groupCount')}, ${add('clickCount')}, 'underWayCount', ${step.underWayCount}::int),
          tried_at = clock_timestamp(), done_at = ${step.doneAt}::timestamptz,
          number_sealed = case when ${step.doneAt}::timestamptz is null then number_sealed end,
          msisdn_hash = case when ${step.doneAt}::timestamptz is null then msisdn_hash end
        where erasure_id = ${step.erasureId} and done_at is null`,
  );
};

/** Locks a request that is still open; returns null if another process has just ended it. */
export const lockErasure = async (tx: Db, erasureId: string): Promise<ErasureRow | null> =>
  maybe(
    tx,
    sql<ErasureRow>`select ${ownColumns}, null as "askedBy" from erasure e
      where e.erasure_id = ${erasureId} and e.done_at is null for update`,
  );

/** Open requests not looked at for so long, marked as looked at: each process takes its own. */
export const claimErasures = async (db: Db, everyMs: number, offsetMs: number): Promise<ErasureRow[]> =>
  many(
    db,
    sql<ErasureRow>`update erasure e set tried_at = ${dbNow(offsetMs)} where e.erasure_id in (
        select erasure_id from erasure where done_at is null and tried_at <= ${dbNowPlus(-everyMs, offsetMs)}
        order by tried_at limit 10 for update skip locked)
      returning ${ownColumns}, null as "askedBy"`,
  );
