/**
 * The check of a submitted task: may all its parts be sent with, which rows of its file does its template refuse, how
 * many segments will it take and what will they cost. What it finds is frozen with the task, so that a later edit of
 * the template changes nothing under way.
 */
import { priceKey, sql, withTransaction } from '@pahatid/db';
import { findOptedOut, type RejectRow, readBlocks } from '@pahatid/db/queries/files';
import {
  type CheckResult,
  claimCheck,
  insertTaskReject,
  releaseTaskLease,
  renewTaskLease,
  setCheckResult,
  type TaskLease,
} from '@pahatid/db/queries/task-checking';
import { findTask, findTaskParts, type TaskParts, type TaskRow } from '@pahatid/db/queries/tasks';
import { type CompiledTemplate, compileTemplate, renderRow } from '@pahatid/domain';
import {
  assertCustomerMaySend,
  assertFileUsable,
  assertTemplateSendable,
  chooseMapping,
  chooseSender,
} from '../features/tasks/task-parts.ts';
import { decodeBlock } from '../files/blocks.ts';
import { cleanShown } from '../files/clean-text.ts';
import { ProblemError } from '../http/problem.ts';
import { NoRouteError, type RoutingTable } from '../sending/routing-table.ts';
import type { TaskJobContext } from './context.ts';
import { countryOf } from './country.ts';
import { transitionBySystem } from './system-transition.ts';

/** A dead check is taken up again after this. */
const leaseMs = 8_000;
const blocksAtOnce = 5;
const rawChars = 64;
const marketing = 3;

/** True when a task was dealt with. */
export async function checkNextTask(context: TaskJobContext): Promise<boolean> {
  const { pool, log, owner, offsetMs } = context;
  const lease = await withTransaction(pool, (tx) => claimCheck(tx, { owner, leaseMs, offsetMs }));
  if (lease === null) return false;
  try {
    const result = await check(context, lease);
    const passed = await withTransaction(pool, (tx) =>
      transitionBySystem(tx, {
        ...lease,
        action: 'pass',
        set: setCheckResult(result),
        where: sql`t.owner = ${owner}`,
      }),
    );
    if (passed)
      log.info({ taskId: lease.taskId, total: result.totalCount, dropped: result.droppedCount }, 'task checked');
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) {
      await releaseTaskLease(pool, lease, offsetMs).catch(() => undefined);
      throw error;
    }
    await withTransaction(pool, (tx) =>
      transitionBySystem(tx, {
        ...lease,
        action: 'fail',
        reason,
        set: sql`status_reason = ${reason}, ended_at = clock_timestamp(), owner = null, lease_until = null`,
        where: sql`t.owner = ${owner}`,
      }),
    );
    log.info({ taskId: lease.taskId, reason }, 'task failed its check');
  }
  context.notifyTask(lease.taskId);
  return true;
}

/** What the customer is told; null: a failure of ours, to be tried again. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ProblemError) return error.code;
  return error instanceof NoRouteError ? 'NO_ROUTE' : null;
}

async function check(context: TaskJobContext, lease: TaskLease): Promise<CheckResult> {
  const { pool } = context;
  const task = await findTask(pool, lease.customerId, lease.taskId);
  if (task === null) throw new Error(`task ${lease.taskId} is gone`);
  const parts = await findTaskParts(pool, lease.customerId, {
    appId: task.app_id,
    templateId: task.template_id,
    senderId: task.sender_id,
    fileId: task.file_id,
  });
  assertCustomerMaySend({ appId: task.app_id }, parts);
  assertTemplateSendable({ smsType: task.sms_type }, parts);
  chooseSender({ senderId: task.sender_id }, parts);
  assertFileUsable(parts);
  const { variables } = chooseMapping({ mapping: task.mapping }, parts);
  const { routing } = await context.accept();
  const tally = new Tally(task, compileTemplate(parts.template?.content ?? ''), variables, routing);
  await readAll(context, lease, task, parts, tally);
  if (tally.totalCount === 0) throw new ProblemError('NO_RECIPIENTS');
  return {
    templateVersion: parts.template?.version ?? 0,
    content: parts.template?.content ?? '',
    chargeType: parts.app?.charge_type ?? 'SenderPays',
    price: tally.price,
    prices: Object.fromEntries(tally.prices),
    fileGeneration: parts.file?.generation ?? 0,
    totalCount: tally.totalCount,
    droppedCount: tally.droppedCount,
    optedOutCount: tally.optedOutCount,
    estimatedSegments: tally.segments,
    estimatedCost: tally.cost,
  };
}

async function readAll(
  context: TaskJobContext,
  lease: TaskLease,
  task: TaskRow,
  parts: TaskParts,
  tally: Tally,
): Promise<void> {
  const { pool, owner, offsetMs, signal } = context;
  const file = { fileId: task.file_id ?? '', generation: parts.file?.generation ?? 0 };
  for (let from = 0; ; from += blocksAtOnce) {
    signal?.throwIfAborted();
    const blocks = await readBlocks(pool, file, from, blocksAtOnce);
    if (blocks.length === 0) return;
    for (const { seq, bytes } of blocks) {
      const rows = decodeBlock(bytes);
      const msisdns = rows.map((row) => row.msisdn);
      const optedOut =
        task.sms_type === marketing ? await findOptedOut(pool, lease.customerId, msisdns) : new Set<string>();
      const dropped: RejectRow[] = [];
      for (const row of rows) {
        const refusal = tally.add(row.msisdn, row.values, optedOut);
        if (refusal !== null) dropped.push([row.line, cleanShown(refusal.raw, rawChars), refusal.reason]);
      }
      if (dropped.length > 0 && !(await insertTaskReject(pool, lease, seq, dropped))) throw lostLease(lease);
    }
    if (!(await renewTaskLease(pool, lease, { owner, leaseMs, offsetMs }))) throw lostLease(lease);
  }
}

const lostLease = (lease: TaskLease): Error => new Error(`the lease of task ${lease.taskId} is lost`);

/** Adds up recipients, segments and cost, and judges each row by the template. */
class Tally {
  totalCount = 0;
  droppedCount = 0;
  optedOutCount = 0;
  segments = 0;
  cost = 0;
  readonly prices = new Map<string, number>();
  private readonly task: TaskRow;
  private readonly template: CompiledTemplate;
  private readonly mapping: readonly number[];
  private readonly routing: RoutingTable;

  constructor(task: TaskRow, template: CompiledTemplate, mapping: readonly number[], routing: RoutingTable) {
    this.task = task;
    this.template = template;
    this.mapping = mapping;
    this.routing = routing;
  }

  /** Per segment where it is the same for all. */
  get price(): number | null {
    const [price, ...others] = new Set(this.prices.values());
    return others.length === 0 ? (price ?? null) : null;
  }

  /** Null: a recipient, or one that opted out. Throws `NoRouteError` where nobody would carry it. */
  add(
    msisdn: string,
    values: readonly (string | null)[],
    optedOut: ReadonlySet<string>,
  ): { raw: string; reason: string } | null {
    // Erased since the upload: no recipient, and nothing to show of it.
    if (msisdn === '') {
      this.optedOutCount += 1;
      return null;
    }
    const row = renderRow(this.template, this.mapping, values);
    if (!row.ok) {
      this.droppedCount += 1;
      const blamed = row.variable === 0 ? null : values[this.mapping[row.variable - 1] ?? -1];
      return {
        raw: blamed ? `${msisdn}: ${blamed}` : msisdn,
        reason: row.variable === 0 ? row.reason : `${row.reason}:${row.variable}`,
      };
    }
    if (optedOut.has(msisdn)) {
      this.optedOutCount += 1;
      return null;
    }
    const smsType = this.task.sms_type ?? 0;
    const areaCode = countryOf(msisdn);
    const carrier = this.routing.rangeHolder(msisdn);
    this.routing.route(areaCode, carrier, smsType, msisdn);
    const price = this.routing.price(areaCode, carrier, smsType, this.task.customer_id);
    this.prices.set(priceKey(areaCode, carrier), price);
    this.totalCount += 1;
    this.segments += row.segments;
    this.cost += row.segments * price;
    return null;
  }
}
