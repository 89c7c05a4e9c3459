import { createHash } from 'node:crypto';
import { routes, type Task, TaskStatus } from '@pahatid/contract';
import { getCustomerId, uuidV7 } from '@pahatid/db';
import { keepAnswer, takeKey } from '@pahatid/db/queries/idempotency';
import { findTaskParts, insertTask, type TaskFields, type TaskParts, type TaskRow } from '@pahatid/db/queries/tasks';
import type { PoolClient } from 'pg';
import { ProblemError } from '../../http/problem.ts';
import { type Actor, mustFind, present, record, toTaskFields } from './act-on-task.ts';
import { assertVariantsKnown } from './read-variants.ts';
import { holdParts, submitTask } from './submit-task.ts';
import { assertKnown } from './task-parts.ts';

export type NewTask = TaskFields & { draft: boolean };

/** A repeated key returns the previous response: `isNew` false. */
export async function createTask(
  actor: Actor,
  input: NewTask,
  key: string | null,
): Promise<{ task: Task; isNew: boolean }> {
  const customerId = getCustomerId(actor.scope);
  if (customerId === null) throw new ProblemError('FORBIDDEN');
  const requestHash = createHash('sha256').update(JSON.stringify(input)).digest();
  return actor.inScope(async (tx) => {
    if (key !== null) {
      const kept = await takeKey(tx, { customerId, key: `tasks:${key}`, requestHash });
      if (kept !== null) {
        if (!kept.requestHash.equals(requestHash)) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
        // Exactly: the database stores its fields in another order.
        return { task: routes['POST /tasks'].response!.parse(kept.response), isNew: false };
      }
    }
    const task = present(await insert(tx, actor, input), actor);
    if (key !== null) await keepAnswer(tx, { customerId, key: `tasks:${key}` }, { status: 201, response: task });
    return { task, isNew: true };
  });
}

/** Fields for a new draft like a task, under another name. */
export const copyTask = (actor: Actor, taskId: string, taskName: string): Promise<NewTask> =>
  actor.inScope(async (tx) => {
    const row = await mustFind(tx, actor, taskId);
    const parts = await findTaskParts(tx, row.customerId, toTaskFields(row));
    const copy = copyOf(toTaskFields(row), parts);
    const abTest = await copyVariants(tx, row.customerId, copy);
    return { ...copy, templateId: abTest?.variants[0]?.templateId ?? copy.templateId, abTest, taskName, draft: true };
  });

/** Without its A/B test, if a template of it is not there any more. */
async function copyVariants(tx: PoolClient, customerId: string, copy: TaskFields): Promise<TaskFields['abTest']> {
  const { abTest, appId } = copy;
  if (abTest === null || appId === null) return null;
  for (const { templateId } of abTest.variants) {
    const { template } = await findTaskParts(tx, customerId, { appId, templateId, senderId: null, fileId: null });
    if (template?.appId !== appId) return null;
  }
  return abTest;
}

async function insert(tx: PoolClient, actor: Actor, input: NewTask): Promise<TaskRow> {
  const { draft, ...fields } = input;
  const customerId = getCustomerId(actor.scope);
  if (customerId === null) throw new ProblemError('FORBIDDEN');
  const parts = await holdParts(tx, customerId, fields);
  assertKnown(fields, parts);
  await assertVariantsKnown(tx, { ...fields, customerId }, parts);
  const taskId = uuidV7();
  await insertTask(tx, {
    ...fields,
    taskId,
    customerId,
    createdBy: actor.user.userId,
    taskStatus: TaskStatus.Draft,
  });
  const created = { taskId, customerId, from: null };
  const row = await mustFind(tx, actor, taskId);
  if (draft) await record(tx, actor, created, { action: 'create', taskStatus: TaskStatus.Draft });
  else await submitTask(tx, actor, row);
  return mustFind(tx, actor, taskId);
}

/** Returns the fields for a copy of a task: those that may not be used any more are omitted, to be selected again. */
function copyOf(fields: TaskFields, parts: TaskParts): TaskFields {
  const hasApp = parts.app !== null;
  const hasFile = parts.file?.fileStatus === 'success';
  const comes = (time: string | null): boolean => time !== null && Date.parse(time) > parts.now.getTime();
  const isAhead = comes(fields.planTime);
  return {
    ...fields,
    appId: hasApp ? fields.appId : null,
    templateId: hasApp && parts.template !== null ? fields.templateId : null,
    senderId: hasApp ? fields.senderId : null,
    fileId: hasFile ? fields.fileId : null,
    groupIds: fields.groupIds.filter((groupId) => parts.groups.some((group) => group.groupId === groupId)),
    mapping: hasFile || fields.fileId === null ? fields.mapping : null,
    planFlag: isAhead ? fields.planFlag : 0,
    planTime: isAhead ? fields.planTime : null,
    leaveOutCarriers: [],
    latestStartTime: comes(fields.latestStartTime) ? fields.latestStartTime : null,
  };
}
