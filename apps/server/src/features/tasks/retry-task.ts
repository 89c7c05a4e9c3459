import type { TaskStatus } from '@pahatid/contract';
import { YesNo } from '@pahatid/contract/enums';
import { sql } from '@pahatid/db';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import { findConfirmFacts, sumRetryable } from '@pahatid/db/queries/task-confirming';
import { sumResendable } from '@pahatid/db/queries/task-resending';
import { findTaskParts, type TaskRow } from '@pahatid/db/queries/tasks';
import { fromStatuses, retryChoice } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { ProblemError } from '../../http/problem.ts';
import { assertLinksUsable } from '../../review-rules/check-links.ts';
import { type Actor, refused, toTaskFields, transition } from './act-on-task.ts';
import { holdBack } from './confirm-task.ts';
import { assertCustomerMaySend } from './task-parts.ts';

/** Those that failed once more. `only`: results that are repeated; null: all that may be. */
export const retryTask = (
  tx: PoolClient,
  actor: Actor,
  before: TaskRow,
  only: readonly string[] | null,
): Promise<void> =>
  beginRound(tx, actor, before, {
    action: 'retry',
    only,
    sum: () => sumRetryable(tx, before.customerId, before.taskId, retryChoice(only)),
  });

/** Those that have been unconfirmed for so long that nothing will be heard of them. */
export const resendTask = (tx: PoolClient, actor: Actor, before: TaskRow): Promise<void> =>
  beginRound(tx, actor, before, {
    action: 'resend',
    only: null,
    sum: () => sumResendable(tx, before.customerId, before.taskId),
  });

/** Another round of a task that is at rest, for the recipients that `sum` counts. */
async function beginRound(
  tx: PoolClient,
  actor: Actor,
  before: TaskRow,
  round: {
    action: 'retry' | 'resend';
    /** Results that are repeated; null: all. */
    only: readonly string[] | null;
    sum: () => Promise<{ count: number; cost: number }>;
  },
): Promise<void> {
  const { action, only, sum } = round;
  if (!fromStatuses(action).includes(before.taskStatus as TaskStatus)) throw refused(before, action);
  const { customerId, taskId } = before;
  const parts = await findTaskParts(tx, customerId, toTaskFields(before));
  assertCustomerMaySend(toTaskFields(before), parts);
  const { content } = await findConfirmFacts(tx, customerId, taskId);
  await assertLinksUsable(tx, customerId, [content ?? ''], parts.now);
  const { count, cost } = await sum();
  if (count === 0) throw new ProblemError('NOTHING_TO_RETRY');
  await lockCustomerFunds(tx, customerId);
  await transition(tx, actor, before, action, {
    set: sql`retry_count = retry_count + 1, retry_what = ${action === 'retry' ? 'failed' : 'unconfirmed'}, retry_reasons = ${only}::text[], retry_cursor = 0,
             prepared = false, paused = ${YesNo.No}, ended_at = null, status_reason = null, owner = null, lease_until = null`,
    // A terminated task whose last rows are still being written has not ended yet.
    where: sql`ended_at is not null`,
    note: only?.join(', ') ?? null,
  });
  await holdBack(tx, customerId, taskId, cost);
}
