/**
 * The check of a submitted task (0 → 2 or 8), leased so that one process at a time does it. It writes nothing relevant
 * before its last statement; one that dies is repeated from the beginning by the next process that claims it.
 */
import { taskStatus } from '../literals.ts';
import { type Db, maybe, prepared, run, sql } from '../sql.ts';
import { anyOrder, toTurn } from './claim-order.ts';
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

/** Maximum recipients for a check to take about a second while others run. */
export const smallCheckRecipients = 20_000;
/** Serializes the claims of all processes: "one large check per customer" is checked against committed data. */
const claimLock = 7_240_824_204;

/** Whether a submitted task has no check yet, be it under way: without one there is nothing to claim. */
export const hasUnchecked = async (db: Db): Promise<boolean> =>
  (await maybe(db, prepared(sql`select from task t where t.task_status = ${taskStatus.Initialized} limit 1`))) !== null;

/**
 * Claims the earliest submitted task of the next customer; a released task is ordered by its release time, so that one
 * released repeatedly does not delay the others. While a large task of a customer is being checked, only small ones are
 * claimed for it. Data left by an earlier check is removed.
 */
export const claimCheck = async (tx: Db, terms: LeaseTerms, order = anyOrder): Promise<TaskLease | null> => {
  await run(tx, sql`select pg_advisory_xact_lock(${claimLock})`);
  const isUnderWay = sql`not ${isFree(sql.ref('busy.lease_until'), terms.offsetMs)}`;
  const row = await maybe(
    tx,
    sql<{ taskId: string; customerId: string }>`with waiting as (
        select t.task_id, t.customer_id, t.demo_hold, t.lease_until, t.submitted_at,
          coalesce((select f.valid_count from file f where f.file_id = t.file_id), 0)
            + coalesce((select sum(coalesce(g.selected_count, g.member_count)) from message_group g where g.group_id = any(t.group_ids)), 0)
            > ${smallCheckRecipients} as is_large
        from task t where t.task_status = ${taskStatus.Initialized})
      update task set owner = ${terms.owner}, lease_until = ${dbNowPlus(terms.leaseMs, terms.offsetMs)},
        check_started_at = clock_timestamp(), check_read = 0, check_total = null
      where task_id = (select t.task_id from task t join waiting w on w.task_id = t.task_id
                       where t.task_status = ${taskStatus.Initialized} and not t.demo_hold
                         and ${isFree(sql.ref('t.lease_until'), terms.offsetMs)}
                         and not (w.is_large and (${order.smallOnly}::boolean or exists (
                           select from waiting busy
                           where busy.customer_id = w.customer_id and busy.is_large and ${isUnderWay})))
                       order by ${toTurn(sql.ref('t.customer_id'), order)}, coalesce(t.lease_until, t.submitted_at)
                       limit 1 for update of t skip locked)
      returning task_id as "taskId", customer_id as "customerId"`,
  );
  if (row === null) return null;
  await run(tx, sql`delete from task_reject where task_id = ${row.taskId}`);
  return { ...row, owner: terms.owner };
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

/** Releases the task; the instant is preserved, so that tasks take turns by when they were last served. */
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
        where task_id = ${lease.taskId} and owner = ${lease.owner} and task_status = ${taskStatus.Initialized} for share`,
  )) === 1;

export interface CheckResult {
  readonly templateVersion: number;
  readonly content: string;
  readonly chargeType: string;
  /** Per segment if it is the same for all, 1/10,000 PHP. */
  readonly price: number | null;
  /** Per segment, by country and carrier: the price shown before confirming is the price charged. */
  readonly prices: FrozenPrices;
  readonly fileGeneration: number;
  readonly totalCount: number;
  readonly droppedCount: number;
  readonly optedOutCount: number;
  readonly noConsentCount: number;
  readonly leftOutCount: number;
  readonly estimatedSegments: number;
  readonly estimatedCost: number;
  readonly facts: CheckFacts;
}

/** Facts shown on confirming in addition to the sums; stored as JSON, because nothing searches for them. */
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

/** The assignments of 0 → 2: the frozen values, and the cost. */
export const setCheckResult = (result: CheckResult) =>
  sql`template_version = ${result.templateVersion}, content = ${result.content}, charge_type = ${result.chargeType},
    price = ${result.price}, prices = ${JSON.stringify(result.prices)}, file_generation = ${result.fileGeneration}, total_count = ${result.totalCount},
    dropped_count = ${result.droppedCount}, opted_out_count = ${result.optedOutCount}, no_consent_count = ${result.noConsentCount},
    left_out_count = ${result.leftOutCount},
    estimated_segments = ${result.estimatedSegments}, estimated_cost = ${result.estimatedCost},
    check_facts = ${JSON.stringify(result.facts)}, owner = null, lease_until = null`;
