/**
 * The check of a submitted task (0 → 2 or 8), leased so that one process at a time does it. It writes nothing that
 * counts before its last statement; one that dies is done again from the beginning by whoever claims it next.
 */
import { type Db, maybe, run, sql } from '../sql.ts';
import { anyOrder, turnOf } from './claim-order.ts';
import { dbNow, dbNowPlus, isFree } from './db-clock.ts';
import type { RejectRow } from './files.ts';
import type { FrozenPrices } from './routing.ts';

export interface TaskLease {
  readonly taskId: string;
  readonly customerId: string;
  readonly owner: string;
}

export interface LeaseTerms {
  readonly owner: string;
  readonly leaseMs: number;
  /** Moves the database's clock, in tests. */
  readonly offsetMs: number;
}

/** Recipients up to which a check takes about a second while others run. */
export const smallCheckRecipients = 20_000;
/** Serialises the claims of all processes: "one large check per customer" is judged on what is committed. */
const claimLock = 7_240_824_204;

/**
 * The task whose customer is next and that was submitted first; one that was given back takes its place by then, so that
 * one that is given back each time does not keep the others waiting. Of a customer whose large task is being checked
 * only small ones are taken. What a check before it left behind is removed.
 */
export const claimCheck = async (tx: Db, terms: LeaseTerms, order = anyOrder): Promise<TaskLease | null> => {
  await run(tx, sql`select pg_advisory_xact_lock(${claimLock})`);
  const isUnderWay = sql`not ${isFree(sql.ref('busy.lease_until'), terms.offsetMs)}`;
  const row = await maybe(
    tx,
    sql<{ task_id: string; customer_id: string }>`with waiting as (
        select t.task_id, t.customer_id, t.demo_hold, t.lease_until, t.submitted_at,
          coalesce((select f.valid_count from file f where f.file_id = t.file_id), 0)
            + coalesce((select sum(g.member_count) from message_group g where g.group_id = any(t.group_ids)), 0)
            > ${smallCheckRecipients} as is_large
        from task t where t.task_status = 0)
      update task set owner = ${terms.owner}, lease_until = ${dbNowPlus(terms.leaseMs, terms.offsetMs)},
        check_started_at = clock_timestamp(), check_read = 0, check_total = null
      where task_id = (select t.task_id from task t join waiting w on w.task_id = t.task_id
                       where t.task_status = 0 and not t.demo_hold and ${isFree(sql.ref('t.lease_until'), terms.offsetMs)}
                         and not (w.is_large and (${order.smallOnly}::boolean or exists (
                           select from waiting busy
                           where busy.customer_id = w.customer_id and busy.is_large and ${isUnderWay})))
                       order by ${turnOf(sql.ref('t.customer_id'), order)}, coalesce(t.lease_until, t.submitted_at)
                       limit 1 for update of t skip locked)
      returning task_id, customer_id`,
  );
  if (row === null) return null;
  await run(tx, sql`delete from task_reject where task_id = ${row.task_id}`);
  return { taskId: row.task_id, customerId: row.customer_id, owner: terms.owner };
};

/** False when the task is another's by now. */
export const renewTaskLease = async (db: Db, lease: TaskLease, terms: LeaseTerms): Promise<boolean> =>
  (await run(
    db,
    sql`update task set lease_until = ${dbNowPlus(terms.leaseMs, terms.offsetMs)}
        where task_id = ${lease.taskId} and owner = ${lease.owner}`,
  )) === 1;

/** Keeps the lease of a check and stores how far it is; false when the task is another's by now. */
export const renewCheck = async (
  db: Db,
  lease: TaskLease,
  terms: LeaseTerms,
  progress: { rowsRead: number; totalRows: number },
): Promise<boolean> =>
  (await run(
    db,
    sql`update task set lease_until = ${dbNowPlus(terms.leaseMs, terms.offsetMs)},
          check_read = ${progress.rowsRead}, check_total = ${progress.totalRows}
        where task_id = ${lease.taskId} and owner = ${lease.owner}`,
  )) === 1;

/** Gives the task back; the instant stays, so that tasks take turns by when they were last served. */
export const releaseTaskLease = async (db: Db, lease: TaskLease, offsetMs = 0): Promise<void> => {
  await run(
    db,
    sql`update task set owner = null, lease_until = ${dbNow(offsetMs)}
        where task_id = ${lease.taskId} and owner = ${lease.owner}`,
  );
};

/** Rows of one block that the template refuses; false when the lease is lost. */
export const insertTaskReject = async (
  db: Db,
  lease: TaskLease,
  seq: number,
  rows: readonly RejectRow[],
): Promise<boolean> =>
  (await run(
    db,
    sql`insert into task_reject (task_id, seq, customer_id, rows)
        select task_id, ${seq}, customer_id, ${JSON.stringify(rows)} from task
        where task_id = ${lease.taskId} and owner = ${lease.owner} and task_status = 0 for share`,
  )) === 1;

export interface CheckResult {
  readonly templateVersion: number;
  readonly content: string;
  readonly chargeType: string;
  /** Per segment where it is the same for all, 1/10,000 PHP. */
  readonly price: number | null;
  /** Per segment, by country and carrier: what was shown before confirming is what is charged. */
  readonly prices: FrozenPrices;
  readonly fileGeneration: number;
  readonly totalCount: number;
  readonly droppedCount: number;
  readonly optedOutCount: number;
  readonly estimatedSegments: number;
  readonly estimatedCost: number;
  readonly facts: CheckFacts;
}

/** What confirming shows beside the sums; kept as JSON, for nothing looks for it. */
export interface CheckFacts {
  /** Of one message. */
  readonly segmentsMin: number;
  readonly segmentsMax: number;
  readonly carriers: readonly {
    readonly areaCode: string;
    readonly carrier: string | null;
    readonly recipients: number;
    readonly segments: number;
    /** Per segment, 1/10,000 PHP. */
    readonly price: number;
  }[];
}

/** The assignments that go with 0 → 2: what is frozen, and what it will cost. */
export const setCheckResult = (result: CheckResult) =>
  sql`template_version = ${result.templateVersion}, content = ${result.content}, charge_type = ${result.chargeType},
    price = ${result.price}, prices = ${JSON.stringify(result.prices)}, file_generation = ${result.fileGeneration}, total_count = ${result.totalCount},
    dropped_count = ${result.droppedCount}, opted_out_count = ${result.optedOutCount},
    estimated_segments = ${result.estimatedSegments}, estimated_cost = ${result.estimatedCost},
    check_facts = ${JSON.stringify(result.facts)}, owner = null, lease_until = null`;
