/**
 * The check of a submitted task (0 → 2 or 8), leased so that one process at a time does it. It writes nothing that
 * counts before its last statement; one that dies is done again from the beginning by whoever claims it next.
 */
import { type Db, maybe, run, sql } from '../sql.ts';
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

/**
 * The task that was submitted first; one that was given back takes its place by then, so that one that is given back
 * each time does not keep the others waiting. What a check before it left behind is removed.
 */
export const claimCheck = async (tx: Db, terms: LeaseTerms): Promise<TaskLease | null> => {
  const row = await maybe(
    tx,
    sql<{ task_id: string; customer_id: string }>`update task set owner = ${terms.owner},
        lease_until = ${dbNowPlus(terms.leaseMs, terms.offsetMs)}
      where task_id = (select task_id from task where task_status = 0 and not demo_hold
                         and ${isFree(sql.ref('lease_until'), terms.offsetMs)}
                       order by coalesce(lease_until, submitted_at) limit 1 for update skip locked)
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
