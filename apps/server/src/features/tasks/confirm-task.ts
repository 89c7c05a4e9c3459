import { SmsType, type TaskStatus } from '@pahatid/contract';
import { YesNo } from '@pahatid/contract/enums';
import { type Fragment, sql } from '@pahatid/db';
import { listVariantTexts } from '@pahatid/db/queries/ab-tests';
import { getAvailable, lockCustomerFunds, reserve } from '@pahatid/db/queries/reservations';
import { findConfirmFacts } from '@pahatid/db/queries/task-confirming';
import { findTaskParts, type TaskRow } from '@pahatid/db/queries/tasks';
import { fromStatuses, needsReview } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { ProblemError } from '../../http/problem.ts';
import { assertLinksUsable } from '../../review-rules/check-links.ts';
import { type Actor, refused, toTaskFields, transition } from './act-on-task.ts';
import { readVariants } from './read-variants.ts';
import { assertCustomerMaySend, assertPlanAhead, assertTemplateSendable, chooseSender } from './task-parts.ts';

/**
 * Moves the task to its start, or to a reviewer if the customer's policy requires one; its cost is reserved. Without a
 * plan it starts after `graceSeconds`, in which an edit takes it back.
 */
export async function confirmTask(tx: PoolClient, actor: Actor, before: TaskRow, graceSeconds: number): Promise<void> {
  if (!fromStatuses('confirm').includes(before.taskStatus as TaskStatus)) throw refused(before, 'confirm');
  const { customerId, taskId } = before;
  const fields = toTaskFields(before);
  const parts = await findTaskParts(tx, customerId, fields);
  assertCustomerMaySend(fields, parts);
  assertTemplateSendable(fields, parts);
  const variants = await readVariants(tx, { ...fields, customerId }, parts);
  chooseSender(fields, parts);
  assertPlanAhead(fields, parts.now);
  if (before.totalCount === 0) throw new ProblemError('NO_RECIPIENTS');
  // From here on one confirmation of the customer at a time: two can't both take the last peso.
  await lockCustomerFunds(tx, customerId);
  const facts = await findConfirmFacts(tx, customerId, taskId);
  // A link may have been rejected or blocked since the check.
  const contents = variants === null ? [facts.content ?? ''] : await listVariantTexts(tx, taskId);
  await assertLinksUsable(tx, customerId, contents, parts.now);
  const reviewed = needsReview({
    policy: facts.reviewPolicy,
    above: facts.reviewAbove,
    recipients: before.totalCount,
    smsType: before.smsType ?? SmsType.Notification,
    hasSentBefore: facts.hasSentBefore,
  });
  const asked = 'confirm';
  if (reviewed) await transition(tx, actor, before, 'requestReview', { asked });
  else await transition(tx, actor, before, 'confirm', { set: confirmedNow(before, graceSeconds), asked });
  await holdBack(tx, customerId, taskId, before.estimatedCost ?? 0);
}

const confirmedNow = ({ planFlag }: TaskRow, graceSeconds: number): Fragment<unknown> =>
  planFlag === YesNo.Yes || graceSeconds === 0
    ? sql`confirmed_at = clock_timestamp(), grace_ends_at = null`
    : sql`confirmed_at = clock_timestamp(), grace_ends_at = clock_timestamp() + make_interval(secs => ${graceSeconds})`;

/** Of the balance, until the task has ended. The caller holds the lock on the funds. */
export async function holdBack(tx: PoolClient, customerId: string, taskId: string, cost: number): Promise<void> {
  const available = await getAvailable(tx, customerId);
  if (available < cost) throw new ProblemError('BALANCE_TOO_LOW', { needed: cost, available });
  await reserve(tx, { taskId, customerId, cost });
}
