import { TaskStatus } from '@pahatid/contract';
import { sql } from '@pahatid/db';
import { holdFile } from '@pahatid/db/queries/files';
import { holdGroups } from '@pahatid/db/queries/groups';
import { findTaskParts, type TaskFields, type TaskParts, type TaskRow } from '@pahatid/db/queries/tasks';
import { savedBy } from '@pahatid/db/queries/versions';
import type { PoolClient } from 'pg';
import { type Actor, fieldsOf, refused, transition } from './act-on-task.ts';
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
  const fields = fieldsOf(row);
  // Asked of a task that is no draft, the answer is about its status, whatever else may be wrong with it.
  if (row.task_status !== TaskStatus.Draft) throw refused(row, 'submit');
  assertComplete(fields);
  const parts = await holdParts(tx, row.customer_id, fields);
  assertKnown(fields, parts);
  assertCustomerMaySend(fields, parts);
  assertTemplateSendable(fields, parts);
  const senderId = chooseSender(fields, parts);
  assertRecipientsUsable(fields, parts);
  const mapping = chooseMapping(fields, parts);
  assertPlanAhead(fields, parts.now);
  await transition(tx, actor, row, 'submit', {
    // What was submitted is a version of its own: a form that was opened before does not make it a draft again unseen.
    set: sql`${savedBy(actor.user.userId)}, sender_id = ${senderId}, mapping = ${JSON.stringify(mapping)}, submitted_at = clock_timestamp(),
             plan_time = case when plan_flag = 1 then plan_time end, status_reason = null, status_note = null`,
  });
}

/** What the task is made of, its file and groups held so that it stands as it was judged. */
export async function holdParts(tx: PoolClient, customerId: string, fields: TaskFields): Promise<TaskParts> {
  if (fields.fileId !== null) await holdFile(tx, customerId, fields.fileId);
  if (fields.groupIds.length > 0) await holdGroups(tx, customerId, fields.groupIds);
  return findTaskParts(tx, customerId, fields);
}
