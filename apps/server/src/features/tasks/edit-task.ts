import { TaskStatus } from '@pahatid/contract';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import { editTask as changeTask, removeDraft, type TaskFields, type TaskRow } from '@pahatid/db/queries/tasks';
import { fromStatuses } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import { assertVersion } from '../../http/versions.ts';
import { type Actor, mustFind, record, refused, toTaskFields } from './act-on-task.ts';
import { assertVariantsKnown } from './read-variants.ts';
import { holdParts } from './submit-task.ts';
import { assertKnown } from './task-parts.ts';

/** Whatever its status, it becomes a draft. `seen`: the version that the edit is based on. */
export async function editTask(
  tx: PoolClient,
  actor: Actor,
  before: TaskRow,
  fields: Partial<TaskFields>,
  seen: number | undefined,
): Promise<void> {
  const { taskId } = before;
  const customerId = before.customerId;
  const after = { ...toTaskFields(before), ...fields };
  const parts = await holdParts(tx, customerId, after);
  assertKnown(fields, parts);
  if (fields.abTest) await assertVariantsKnown(tx, { ...after, customerId }, parts);
  const from = [TaskStatus.Draft, ...fromStatuses('edit')];
  await assertVersion(tx, 'task', taskId, { stored: before.version, seen });
  if (!(await changeTask(tx, { taskId, customerId, from, fields, seen, userId: actor.user.userId })))
    throw refused(await mustFind(tx, actor, taskId), 'edit');
  await releaseReservation(tx, taskId);
  const wasDraft = before.taskStatus === TaskStatus.Draft;
  const task = { taskId, customerId, from: before.taskStatus };
  if (wasDraft)
    await actor.audit(tx, {
      action: 'edit',
      subjectType: 'task',
      subjectId: taskId,
      after: { fields: Object.keys(fields) },
    });
  else await record(tx, actor, task, { action: 'edit', taskStatus: TaskStatus.Draft });
}

/** Drafts alone. */
export async function removeTask(actor: Actor, taskId: string): Promise<void> {
  await actor.inScope(async (tx) => {
    const before = await mustFind(tx, actor, taskId);
    if (!(await removeDraft(tx, before.customerId, taskId))) throw refused(await mustFind(tx, actor, taskId), 'delete');
    await actor.audit(tx, {
      action: 'delete',
      subjectType: 'task',
      subjectId: taskId,
      before: { taskName: before.taskName },
    });
  });
}
