import { TaskStatus } from '@pahatid/contract';
import { sql } from '@pahatid/db';
import { holdFile } from '@pahatid/db/queries/files';
import { holdGroups } from '@pahatid/db/queries/groups';
import { findTaskParts, type TaskFields, type TaskParts, type TaskRow } from '@pahatid/db/queries/tasks';
import { savedBy } from '@pahatid/db/queries/versions';
import { compileTemplate } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { assertLinksUsable } from '../../review-rules/check-links.ts';
import { type Actor, refused, toTaskFields, transition } from './act-on-task.ts';
import { readVariants } from './read-variants.ts';
import {
  assertComplete,
  assertCustomerMaySend,
  assertKnown,
  assertPlanAhead,
  assertRecipientsUsable,
  assertTemplateSendable,
  chooseMapping,
  chooseSender,
} from './task-parts.ts';

/** From draft to 0: everything a person must decide is judged now; the file's rows are judged by a job. */
export async function submitTask(tx: PoolClient, actor: Actor, row: TaskRow): Promise<void> {
  const fields = toTaskFields(row);
  // For a task that is not a draft, the error is about its status, whatever other errors it has.
  if (row.taskStatus !== TaskStatus.Draft) throw refused(row, 'submit');
  assertComplete(fields);
  const parts = await holdParts(tx, row.customerId, fields);
  assertKnown(fields, parts);
  assertCustomerMaySend(fields, parts);
  assertTemplateSendable(fields, parts);
  const senderId = chooseSender(fields, parts);
  const variants = await readVariants(tx, { ...fields, customerId: row.customerId }, parts);
  const contents = variants?.map(({ content }) => content) ?? [parts.template?.content ?? ''];
  await assertLinksUsable(tx, row.customerId, contents, parts.now);
  assertRecipientsUsable(fields, parts);
  // The same values fill the variables of all variants.
  const variableCount = Math.max(...contents.map((content) => compileTemplate(content).variableCount));
  const mapping = chooseMapping(fields, parts, variableCount);
  assertPlanAhead(fields, parts.now);
  await transition(tx, actor, row, 'submit', {
    // Submitting creates a new version: a form that was opened before cannot turn it into a draft again unnoticed.
    set: sql`${savedBy(actor.user.userId)}, sender_id = ${senderId}, mapping = ${JSON.stringify(mapping)}, submitted_at = clock_timestamp(),
             plan_time = case when plan_flag = 1 then plan_time end, status_reason = null, status_note = null`,
  });
}

/** Locks the task's parts, its file and groups, so that they stay as checked. */
export async function holdParts(tx: PoolClient, customerId: string, fields: TaskFields): Promise<TaskParts> {
  if (fields.fileId !== null) await holdFile(tx, customerId, fields.fileId);
  if (fields.groupIds.length > 0) await holdGroups(tx, customerId, fields.groupIds);
  return findTaskParts(tx, customerId, fields);
}
