/**
 * The common part of all actions on a task: the actor, the current task, the guarded UPDATE that lets exactly one of
 * two clicks win, and its record on the timeline and in the audit log.
 */
import type { Task } from '@pahatid/contract';
import { type Fragment, getCustomerId, type Scope } from '@pahatid/db';
import { toAbFields } from '@pahatid/db/queries/ab-tests';
import { findTask, insertTaskEvent, type TaskFields, type TaskRow, transitionTask } from '@pahatid/db/queries/tasks';
import { fromStatuses, type TaskAction, toStatus } from '@pahatid/domain';
import type { PoolClient } from 'pg';
import type { CallAudit, Caller } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { presentTask } from './present-task.ts';

/** The acting user, with its scope. */
export interface Actor {
  readonly user: Caller;
  readonly scope: Scope;
  inScope<T>(work: (tx: PoolClient) => Promise<T>): Promise<T>;
  audit(tx: PoolClient, entry: CallAudit): Promise<void>;
}

export const present = (row: TaskRow, actor: Actor): Task => presentTask(row, actor.user.customerId === null);

export async function mustFind(tx: PoolClient, actor: Actor, taskId: string): Promise<TaskRow> {
  const row = await findTask(tx, getCustomerId(actor.scope), taskId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

export const refused = (row: TaskRow, action: string): ProblemError =>
  new ProblemError('TASK_TRANSITION', { from: row.taskStatus, action });

export const toTaskFields = (row: TaskRow): TaskFields => ({
  taskName: row.taskName,
  appId: row.appId,
  smsType: row.smsType,
  templateId: row.templateId,
  senderId: row.senderId,
  fileId: row.fileId,
  groupIds: row.groupIds,
  mapping: row.mapping,
  planFlag: row.planFlag,
  planTime: row.planTime?.toISOString() ?? null,
  latestStartTime: row.latestStartAt?.toISOString() ?? null,
  abTest: toAbFields(row.abTest),
  leaveOutCarriers: row.leaveOutCarriers,
});

/** Records an event on the task's timeline and in the customer's audit log. */
export async function record(
  tx: PoolClient,
  actor: Actor,
  task: { taskId: string; customerId: string; from: number | null },
  event: { action: string; taskStatus: number | null; note?: string | null },
): Promise<void> {
  await insertTaskEvent(tx, {
    taskId: task.taskId,
    customerId: task.customerId,
    taskStatus: event.taskStatus,
    action: event.action,
    userId: actor.user.userId,
    note: event.note ?? null,
  });
  await actor.audit(tx, {
    customerId: task.customerId,
    action: event.action,
    subjectType: 'task',
    subjectId: task.taskId,
    before: task.from === null ? null : { taskStatus: task.from },
    after: event.taskStatus === null ? null : { taskStatus: event.taskStatus },
  });
}

/** One guarded transition with its record; the row afterwards. */
export async function transition(
  tx: PoolClient,
  actor: Actor,
  before: TaskRow,
  action: TaskAction,
  more: { set?: Fragment<unknown>; where?: Fragment<unknown>; asked?: string; note?: string | null } = {},
): Promise<void> {
  const to = toStatus(action);
  const { taskId, customerId } = before;
  const won = await transitionTask(tx, {
    taskId,
    customerId: getCustomerId(actor.scope),
    from: fromStatuses(action),
    to,
    ...(more.set ? { set: more.set } : {}),
    ...(more.where ? { where: more.where } : {}),
  });
  if (!won) throw refused(await mustFind(tx, actor, taskId), more.asked ?? action);
  await record(
    tx,
    actor,
    { taskId, customerId, from: before.taskStatus },
    { action, taskStatus: to, note: more.note ?? null },
  );
}
