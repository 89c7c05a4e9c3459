/**
 * The check of a submitted task: whether all its parts may be used, which rows of its file its template refuses, how
 * many segments it takes and what they cost. The result is frozen with the task, so that a later edit of the template
 * changes nothing in progress.
 */
import { sql, withTransaction } from '@pahatid/db';
import { setAbCheck } from '@pahatid/db/queries/ab-tests';
import { countBlockRows, type RejectRow, readBlocks } from '@pahatid/db/queries/files';
import {
  type CheckResult,
  claimCheck,
  hasUnchecked,
  insertTaskReject,
  releaseTaskLease,
  renewCheck,
  renewTaskLease,
  setCheckResult,
  type TaskLease,
} from '@pahatid/db/queries/task-checking';
import { findTask, findTaskParts } from '@pahatid/db/queries/tasks';
import { compileTemplate } from '@pahatid/domain';
import { type BlockRow, decodeBlock } from '../../files/blocks.ts';
import { cleanShown } from '../../files/clean-text.ts';
import { ProblemError } from '../../http/problem.ts';
import type { NotifyTaskEnded } from '../../notices/notify-task-ended.ts';
import { type Lane, makeLane, toClaimOrder } from '../../process/lanes.ts';
import { assertLinksUsable } from '../../review-rules/check-links.ts';
import type { TaskJobContext } from '../../sending/job-context.ts';
import { NoRouteError } from '../../sending/route/routing-table.ts';
import { type AbDraw, AbTally } from './ab-tally.ts';
import { findSuppressed, type Suppressed } from './find-suppressed.ts';
import { type FrozenAudience, freezeAudience, inOrder } from './freeze-audience.ts';
import { readVariants } from './read-variants.ts';
import { RecipientTally, type Refusal } from './recipient-tally.ts';
import { transitionBySystem } from './system-transition.ts';
import {
  assertCustomerMaySend,
  assertFileUsable,
  assertTemplateSendable,
  chooseMapping,
  chooseSender,
} from './task-parts.ts';

/** A dead check is taken up again after this. */
const leaseMs = 8_000;
const blocksAtOnce = 5;
const rawChars = 64;

/** True when a task was dealt with. */
export async function checkNextTask(
  context: TaskJobContext,
  notifyEnd?: NotifyTaskEnded,
  lane: Lane = makeLane(),
): Promise<boolean> {
  const { pool, log, owner, offsetMs } = context;
  if (!(await hasUnchecked(pool))) return false;
  const lease = await withTransaction(pool, (tx) => claimCheck(tx, { owner, leaseMs, offsetMs }, toClaimOrder(lane)));
  if (lease === null) return false;
  lane.turns.serve(lease.customerId);
  try {
    const result = await check(context, lease);
    const passed = await withTransaction(pool, async (tx) => {
      const ok = await transitionBySystem(tx, {
        ...lease,
        action: 'pass',
        set: sql`${setCheckResult(result)}, audience_id = ${result.frozen?.file.fileId ?? null},
          audience = ${result.frozen === null ? null : JSON.stringify(result.frozen.facts)}`,
        where: sql`t.owner = ${owner}`,
      });
      if (ok && result.draw !== null) await setAbCheck(tx, lease.taskId, result.draw);
      return ok;
    });
    if (passed)
      log.info({ taskId: lease.taskId, total: result.totalCount, dropped: result.droppedCount }, 'task checked');
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) {
      await releaseTaskLease(pool, lease, offsetMs).catch(() => undefined);
      throw error;
    }
    await withTransaction(pool, async (tx) => {
      const failed = await transitionBySystem(tx, {
        ...lease,
        action: 'fail',
        reason,
        set: sql`status_reason = ${reason}, ended_at = clock_timestamp(), owner = null, lease_until = null`,
        where: sql`t.owner = ${owner}`,
      });
      if (failed) await notifyEnd?.(tx, lease.taskId);
    });
    log.info({ taskId: lease.taskId, reason }, 'task rejected by its check');
  }
  context.notifyTask(lease.taskId);
  return true;
}

/** Returns the reason shown to the customer; null: an internal failure, to be retried. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ProblemError) return error.code;
  return error instanceof NoRouteError ? 'NO_ROUTE' : null;
}

async function check(
  context: TaskJobContext,
  lease: TaskLease,
): Promise<CheckResult & { readonly frozen: FrozenAudience | null; readonly draw: AbDraw | null }> {
  const { pool } = context;
  const task = await findTask(pool, lease.customerId, lease.taskId);
  if (task === null) throw new Error(`task ${lease.taskId} is gone`);
  const parts = await findTaskParts(pool, lease.customerId, {
    appId: task.appId,
    templateId: task.templateId,
    senderId: task.senderId,
    fileId: task.fileId,
    groupIds: task.groupIds,
  });
  assertCustomerMaySend({ appId: task.appId }, parts);
  assertTemplateSendable({ smsType: task.smsType }, parts);
  chooseSender({ senderId: task.senderId }, parts);
  if (task.fileId !== null || task.groupIds.length === 0) assertFileUsable(parts);
  const variants = await readVariants(pool, task, parts);
  const contents = variants?.map(({ content }) => content) ?? [parts.template?.content ?? ''];
  await assertLinksUsable(pool, lease.customerId, contents, new Date(Date.now() + context.offsetMs));
  const template = compileTemplate(contents[0] ?? '');
  const variableCount = Math.max(...contents.map((content) => compileTemplate(content).variableCount));
  const mapping = chooseMapping({ mapping: task.mapping }, parts, variableCount);
  const renew = () => renewTaskLease(pool, lease, { owner: context.owner, leaseMs, offsetMs: context.offsetMs });
  const assertHeld = async (): Promise<void> => {
    context.signal?.throwIfAborted();
    if (!(await renew())) throw lostLease(lease);
  };
  const frozen =
    task.groupIds.length === 0 ? null : await freezeAudience(pool, { task, parts, mapping, variableCount, assertHeld });
  const file = frozen?.file ?? { fileId: task.fileId ?? '', generation: parts.file?.generation ?? 0 };
  const { routing } = await context.accept();
  const terms = {
    customerId: task.customerId,
    appId: task.appId ?? '',
    smsType: task.smsType ?? 0,
    mapping: frozen === null ? mapping.variables : inOrder(variableCount),
    routing,
    leaveOut: task.leaveOutCarriers,
  };
  const compared = variants === null ? null : new AbTally(terms, variants);
  const tally = compared?.whole ?? new RecipientTally({ ...terms, template });
  await readAll(context, lease, task, file, (row, suppressed) =>
    compared === null ? tally.add(row.msisdn, row.values, suppressed) : compared.add(row, suppressed),
  );
  const draw = compared?.draw() ?? null;
  if (tally.totalCount === 0) throw new ProblemError('NO_RECIPIENTS');
  return {
    templateVersion: parts.template?.version ?? 0,
    content: parts.template?.content ?? '',
    chargeType: parts.app?.chargeType ?? 'SenderPays',
    price: tally.price,
    prices: Object.fromEntries(tally.prices),
    fileGeneration: file.generation,
    totalCount: tally.totalCount,
    droppedCount: tally.droppedCount,
    optedOutCount: tally.optedOutCount,
    noConsentCount: tally.noConsentCount,
    leftOutCount: tally.leftOutCount,
    estimatedSegments: tally.segments,
    estimatedCost: tally.cost,
    frozen,
    draw,
    facts: { segmentsMin: tally.segmentsMin ?? 0, segmentsMax: tally.segmentsMax ?? 0, carriers: tally.carriers },
  };
}

async function readAll(
  context: TaskJobContext,
  lease: TaskLease,
  task: { customerId: string; smsType: number | null },
  file: { fileId: string; generation: number },
  add: (row: BlockRow, suppressed: Suppressed) => Refusal | null,
): Promise<void> {
  const { pool, owner, offsetMs, signal } = context;
  const totalRows = await countBlockRows(pool, file);
  let rowsRead = 0;
  for (let from = 0; ; from += blocksAtOnce) {
    signal?.throwIfAborted();
    const blocks = await readBlocks(pool, file, from, blocksAtOnce);
    if (blocks.length === 0) return;
    for (const { seq, bytes } of blocks) {
      const rows = decodeBlock(bytes);
      rowsRead += rows.length;
      const msisdns = rows.map((row) => row.msisdn);
      const suppressed = await findSuppressed(pool, task, msisdns);
      const dropped: RejectRow[] = [];
      for (const row of rows) {
        const refusal = add(row, suppressed);
        if (refusal !== null) dropped.push([row.line, cleanShown(refusal.raw, rawChars), refusal.reason]);
      }
      if (dropped.length > 0 && !(await insertTaskReject(pool, lease, seq, dropped))) throw lostLease(lease);
    }
    if (!(await renewCheck(pool, lease, { owner, leaseMs, offsetMs }, { rowsRead, totalRows }))) throw lostLease(lease);
  }
}

const lostLease = (lease: TaskLease): Error => new Error(`the lease of task ${lease.taskId} is lost`);
