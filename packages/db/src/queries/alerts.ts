/**
 * Conditions that need the attention of staff, derived from data that is stored anyway. Each query reads a bounded part
 * of an index.
 */
import { auditStatus, taskStatus } from '../literals.ts';
import { type Db, many, maybe, run, sql } from '../sql.ts';
import { listFullKeys, readAttempt } from './attempts.ts';
import { dbNow } from './db-clock.ts';

const seconds = (count: number) => sql`${count}::float8 * interval '1 second'`;

export interface StalledReceipts {
  supplierId: string;
  supplierAccount: string;
  /** Accepted by the carrier since, long enough ago for a receipt. */
  accepted: number;
  since: Date;
}

/** Accounts that take messages and send no receipts: none for so long, though at least so many could have come. */
export const listStalledReceipts = (
  db: Db,
  { silentS, least }: { silentS: number; least: number },
): Promise<StalledReceipts[]> =>
  many<StalledReceipts>(
    db,
    sql`with flow as (
          select r.supplier_id, t.at, sum(t.accepted) as accepted, sum(t.receipts) as receipts
          from traffic t join route r on r.route_id = t.route_id group by 1, 2),
        last as (select supplier_id, max(at) filter (where receipts > 0) as receipt_at from flow group by 1)
        select s.supplier_id as "supplierId", s.supplier_account as "supplierAccount", sum(f.accepted)::int as accepted,
          coalesce(l.receipt_at, min(f.at)) as since
        from last l join flow f using (supplier_id) join supplier s using (supplier_id)
        where f.at < ${dbNow()} - ${seconds(silentS)} and f.at > coalesce(l.receipt_at, '-infinity') and f.accepted > 0
          and coalesce(l.receipt_at < ${dbNow()} - ${seconds(silentS)}, true)
        group by s.supplier_id, l.receipt_at having sum(f.accepted) >= ${least} order by 2`,
  );

export interface UnmatchedReceipts {
  supplierId: string;
  count: number;
  since: Date;
}

/** Receipts that have matched no message for so long, by account; counting ends at a thousand. */
export const listUnmatchedReceipts = (db: Db, { waitedS, withinS }: { waitedS: number; withinS: number }) =>
  many<UnmatchedReceipts>(
    db,
    sql`select supplier_id as "supplierId", count(*)::int as count, min(received_at) as since
        from (select supplier_id, received_at from receipt_inbox
              where matched_at is null and received_at < ${dbNow()} - ${seconds(waitedS)}
                and received_at > ${dbNow()} - ${seconds(withinS)}
              order by received_at desc limit 1000) r
        group by 1 order by 1`,
  );

export const listSupplierAccounts = async (db: Db, supplierIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await many<{ id: string; account: string }>(
    db,
    sql`select supplier_id as id, supplier_account as account from supplier where supplier_id = any(${supplierIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, account }) => [id, account]));
};

export interface CodeCounts {
  sent: number;
  used: number;
  /** Of today; what counts against the limit of a day. */
  day: number;
  /** Ranges of numbers that are full. */
  fullRanges: number;
  /** First digits of those, the first to become full first. */
  fullPrefixes: string[];
  /** When the window of those sent ends. */
  sentUntil: Date | null;
  dayUntil: Date | null;
  /** When the first of the full ranges became full, at the latest. */
  rangeSince: Date | null;
}

/** Codes by SMS in the windows that are open now. `prefixes`: of all ranges that have a limit. */
export const readCodeCounts = async (
  db: Db,
  now: Date,
  { rangeLimit, prefixes }: { rangeLimit: number; prefixes: readonly string[] },
): Promise<CodeCounts> => {
  const [sent, used, day, full] = await Promise.all([
    readAttempt(db, { what: 'code.sms.sent', key: '' }, now),
    readAttempt(db, { what: 'code.sms.used', key: '' }, now),
    readAttempt(db, { what: 'code.sms.day', key: '' }, now),
    maybe<{ count: number; since: Date | null }>(
      db,
      sql`select count(*)::int as count, min(started_at) as since from attempt
          where what = 'code.sms.prefix' and ends_at > ${now} and attempt_count >= ${rangeLimit}`,
    ),
  ]);
  const fullRanges = full?.count ?? 0;
  const asked = { what: 'code.sms.prefix', keys: prefixes, limit: rangeLimit, now };
  return {
    sent: sent.count,
    used: used.count,
    day: day.count,
    fullRanges,
    fullPrefixes: fullRanges === 0 ? [] : await listFullKeys(db, asked),
    sentUntil: sent.endsAt,
    dayUntil: day.endsAt,
    rangeSince: full?.since ?? null,
  };
};

export interface JobFailure {
  job: string;
  failures: number;
  failingSince: Date;
}

/** A failure of a job of this process; `failures` in a row. */
export const saveJobFailure = (db: Db, owner: string, job: string, failures: number): Promise<number> =>
  run(
    db,
    sql`insert into job_failure as f (job, owner, failures, failing_since, seen_at)
        values (${job}, ${owner}, ${failures}, ${dbNow()}, ${dbNow()})
        on conflict (job, owner) do update set failures = excluded.failures, seen_at = excluded.seen_at`,
  );

/** The job has succeeded again. */
export const clearJobFailure = (db: Db, owner: string, job: string): Promise<number> =>
  run(db, sql`delete from job_failure where job = ${job} and owner = ${owner}`);

/** Jobs that fail repeatedly and did so recently; a process that has ended no longer reports. */
export const listJobFailures = (db: Db, { least, seenS }: { least: number; seenS: number }): Promise<JobFailure[]> =>
  many<JobFailure>(
    db,
    sql`select job, sum(failures)::int as failures, min(failing_since) as "failingSince" from job_failure
        where failures >= ${least} and seen_at > ${dbNow()} - ${seconds(seenS)} group by job order by 3`,
  );

/** Deletes failures of processes that have ended. */
export const sweepJobFailures = (db: Db): Promise<number> =>
  run(db, sql`delete from job_failure where seen_at < ${dbNow()} - interval '1 day'`);

/** When what waits for a reviewer was submitted, oldest first, up to a bound. */
export const listPendingSince = async (db: Db, limit: number): Promise<Date[]> => {
  const rows = await many<{ at: Date }>(
    db,
    sql`select at from (
          select v.created_at as at from template_version v join template t on t.template_id = v.template_id
            where v.audit_status = ${auditStatus.Pending} and v.version = t.newest_version and t.deleted_at is null
          union all select created_at from sender where audit_status = ${auditStatus.Pending}
          union all select coalesce((select max(e.at) from task_event e where e.task_id = t.task_id
            and e.task_status = ${taskStatus.PendingReview}),
                                    t.submitted_at, t.created_at) from task t
                                      where t.task_status = ${taskStatus.PendingReview}) p
        order by at limit ${limit}`,
  );
  return rows.map(({ at }) => at);
};

export interface VerifyRun {
  at: Date;
  differences: number;
  totals: Record<string, number>;
}

/** Stores the result of a check over all customers; only the last few are of interest. */
export const saveVerifyRun = async (db: Db, runId: string, found: Omit<VerifyRun, 'at'>): Promise<void> => {
  await run(
    db,
    sql`insert into verify_run (run_id, at, differences, totals)
        values (${runId}, ${dbNow()}, ${found.differences}, ${JSON.stringify(found.totals)}::jsonb)`,
  );
  await run(
    db,
    sql`delete from verify_run where run_id not in (select run_id from verify_run order by at desc limit 20)`,
  );
};

export const findLastVerifyRun = (db: Db): Promise<VerifyRun | null> =>
  maybe<VerifyRun>(db, sql`select at, differences, totals from verify_run order by at desc limit 1`);
