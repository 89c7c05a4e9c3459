/**
 * What people do to a task. Each act is one transaction: the guarded UPDATE that lets exactly one of two clicks win,
 * its place on the timeline, its entry in the audit log; the streams are told after the commit.
 */
import { createHash } from 'node:crypto';
import { routes, SmsType, type Task, TaskStatus } from '@pahatid/contract';
import { customerOf, type RawBuilder, type Scope, sql, uuidV7 } from '@pahatid/db';
import { holdFile } from '@pahatid/db/queries/files';
import { holdGroups } from '@pahatid/db/queries/groups';
import { keepAnswer, takeKey } from '@pahatid/db/queries/idempotency';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { getAvailable, lockCustomerFunds, releaseReservation, reserve } from '@pahatid/db/queries/reservations';
import { findConfirmFacts, sumRetryable } from '@pahatid/db/queries/task-confirming';
import { sumResendable } from '@pahatid/db/queries/task-resending';
import {
  editTask,
  findTask,
  findTaskParts,
  insertTask,
  insertTaskEvent,
  lockTask,
  removeDraft,
  setPaused,
  type TaskFields,
  type TaskParts,
  type TaskRow,
  transitionTask,
} from '@pahatid/db/queries/tasks';
import { fromStatuses, needsReview, pausedByStaff, retryChoice, type TaskAction, toStatus } from '@pahatid/domain';
import type { Pool, PoolClient } from 'pg';
import type { CallAudit, SignedInUser } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { RECEIPT_DEADLINE_MS } from '../../sending/expire-receipts.ts';
import { TASK_CHANNEL } from '../../sending/notifier.ts';
import { presentTask } from './present-task.ts';
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

/** Who acts, and through whose eyes. */
export interface Actor {
  readonly user: SignedInUser;
  readonly scope: Scope;
  inScope<T>(work: (tx: PoolClient) => Promise<T>): Promise<T>;
  audit(tx: PoolClient, entry: CallAudit): Promise<void>;
}

/** Pause and resume leave the status alone. */
const pausable: readonly TaskStatus[] = [TaskStatus.Preparing, TaskStatus.Sending];

const present = (row: TaskRow, actor: Actor): Task => presentTask(row, actor.user.customerId === null);

async function mustFind(tx: PoolClient, actor: Actor, taskId: string): Promise<TaskRow> {
  const row = await findTask(tx, customerOf(actor.scope), taskId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

const refused = (row: TaskRow, action: string): ProblemError =>
  new ProblemError('TASK_TRANSITION', { from: row.task_status, action });

const fieldsOf = (row: TaskRow): TaskFields => ({
  taskName: row.task_name,
  appId: row.app_id,
  smsType: row.sms_type,
  templateId: row.template_id,
  senderId: row.sender_id,
  fileId: row.file_id,
  groupIds: row.group_ids,
  mapping: row.mapping,
  planFlag: row.plan_flag,
  planTime: row.plan_time?.toISOString() ?? null,
});

/** Writes what happened where it is read: the task's timeline and the customer's audit log. */
async function record(
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
async function transition(
  tx: PoolClient,
  actor: Actor,
  before: TaskRow,
  action: TaskAction,
  more: { set?: RawBuilder<unknown>; where?: RawBuilder<unknown>; asked?: string; note?: string | null } = {},
): Promise<void> {
  const to = toStatus(action);
  const { task_id: taskId, customer_id: customerId } = before;
  const won = await transitionTask(tx, {
    taskId,
    customerId: customerOf(actor.scope),
    from: fromStatuses(action),
    to,
    ...(more.set ? { set: more.set } : {}),
    ...(more.where ? { where: more.where } : {}),
  });
  if (!won) throw refused(await mustFind(tx, actor, taskId), more.asked ?? action);
  await record(
    tx,
    actor,
    { taskId, customerId, from: before.task_status },
    { action, taskStatus: to, note: more.note ?? null },
  );
}

export interface TaskActs {
  create(
    actor: Actor,
    input: TaskFields & { draft: boolean },
    idempotencyKey: string | null,
  ): Promise<{ task: Task; isNew: boolean }>;
  edit(actor: Actor, taskId: string, fields: Partial<TaskFields>): Promise<Task>;
  remove(actor: Actor, taskId: string): Promise<void>;
  submit(actor: Actor, taskId: string): Promise<Task>;
  confirm(actor: Actor, taskId: string): Promise<Task>;
  cancel(actor: Actor, taskId: string): Promise<Task>;
  terminate(actor: Actor, taskId: string): Promise<Task>;
  pause(actor: Actor, taskId: string, paused: 0 | 1): Promise<Task>;
  /** `only`: results that are repeated; null: all that may be. */
  retry(actor: Actor, taskId: string, only: readonly string[] | null): Promise<Task>;
  /** A new draft with the fields of a task, what is gone of them left out. */
  copy(actor: Actor, taskId: string, taskName: string, idempotencyKey: string | null): Promise<Task>;
  resend(actor: Actor, taskId: string): Promise<Task>;
}

export function makeTaskActs(control: Pool): TaskActs {
  const tell = async (taskId: string): Promise<void> => {
    await notify(control, TASK_CHANNEL, taskId);
    await notify(control, JOBS_CHANNEL, 'task');
  };

  /** One act on one task: a transaction, then the word to who listens. */
  const act = async (
    actor: Actor,
    taskId: string,
    work: (tx: PoolClient, before: TaskRow) => Promise<void>,
  ): Promise<Task> => {
    const row = await actor.inScope(async (tx) => {
      await lockTask(tx, customerOf(actor.scope), taskId);
      await work(tx, await mustFind(tx, actor, taskId));
      return mustFind(tx, actor, taskId);
    });
    await tell(taskId);
    return present(row, actor);
  };

  /** From draft to 0: everything a person must decide is judged now; the file's rows are judged by a job. */
  const submitDraft = async (tx: PoolClient, actor: Actor, row: TaskRow): Promise<void> => {
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
      set: sql`sender_id = ${senderId}, mapping = ${JSON.stringify(mapping)}, submitted_at = clock_timestamp(),
               plan_time = case when plan_flag = 1 then plan_time end, status_reason = null, status_note = null`,
    });
  };

  const insert = async (tx: PoolClient, actor: Actor, input: TaskFields & { draft: boolean }): Promise<TaskRow> => {
    const { draft, ...fields } = input;
    const customerId = customerOf(actor.scope);
    if (customerId === null) throw new ProblemError('FORBIDDEN');
    assertKnown(fields, await holdParts(tx, customerId, fields));
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
    else await submitDraft(tx, actor, row);
    return mustFind(tx, actor, taskId);
  };

  return {
    async create(actor, input, key) {
      const customerId = customerOf(actor.scope);
      if (customerId === null) throw new ProblemError('FORBIDDEN');
      const requestHash = createHash('sha256').update(JSON.stringify(input)).digest();
      const answer = await actor.inScope(async (tx) => {
        if (key !== null) {
          const kept = await takeKey(tx, { customerId, key: `tasks:${key}`, requestHash });
          if (kept !== null) {
            if (!kept.requestHash.equals(requestHash)) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
            // To the letter: the database keeps its fields in an order of its own.
            return { task: routes['POST /tasks'].response!.parse(kept.response), isNew: false };
          }
        }
        const task = present(await insert(tx, actor, input), actor);
        if (key !== null) await keepAnswer(tx, { customerId, key: `tasks:${key}` }, { status: 201, response: task });
        return { task, isNew: true };
      });
      if (answer.isNew) await tell(answer.task.taskId);
      return answer;
    },

    edit: (actor, taskId, fields) =>
      act(actor, taskId, async (tx, before) => {
        const customerId = before.customer_id;
        const after = { ...fieldsOf(before), ...fields };
        assertKnown(fields, await holdParts(tx, customerId, after));
        const from = [TaskStatus.Draft, ...fromStatuses('edit')];
        if (!(await editTask(tx, { taskId, customerId, from, fields })))
          throw refused(await mustFind(tx, actor, taskId), 'edit');
        await releaseReservation(tx, taskId);
        const wasDraft = before.task_status === TaskStatus.Draft;
        const task = { taskId, customerId, from: before.task_status };
        if (wasDraft)
          await actor.audit(tx, {
            action: 'edit',
            subjectType: 'task',
            subjectId: taskId,
            after: { fields: Object.keys(fields) },
          });
        else await record(tx, actor, task, { action: 'edit', taskStatus: TaskStatus.Draft });
      }),

    async remove(actor, taskId) {
      await actor.inScope(async (tx) => {
        const before = await mustFind(tx, actor, taskId);
        if (!(await removeDraft(tx, before.customer_id, taskId)))
          throw refused(await mustFind(tx, actor, taskId), 'delete');
        await actor.audit(tx, {
          action: 'delete',
          subjectType: 'task',
          subjectId: taskId,
          before: { taskName: before.task_name },
        });
      });
    },

    submit: (actor, taskId) => act(actor, taskId, (tx, before) => submitDraft(tx, actor, before)),

    confirm: (actor, taskId) =>
      act(actor, taskId, async (tx, before) => {
        if (!fromStatuses('confirm').includes(before.task_status as TaskStatus)) throw refused(before, 'confirm');
        const { customer_id: customerId } = before;
        const fields = fieldsOf(before);
        const parts = await findTaskParts(tx, customerId, fields);
        assertCustomerMaySend(fields, parts);
        assertTemplateSendable(fields, parts);
        chooseSender(fields, parts);
        assertPlanAhead(fields, parts.now);
        if (before.total_count === 0) throw new ProblemError('NO_RECIPIENTS');
        // From here on one confirmation of the customer at a time: two can't both take the last peso.
        await lockCustomerFunds(tx, customerId);
        const facts = await findConfirmFacts(tx, customerId, taskId);
        const reviewed = needsReview({
          policy: facts.review_policy,
          above: facts.review_above,
          recipients: before.total_count,
          smsType: before.sms_type ?? SmsType.Notification,
          hasSentBefore: facts.has_sent_before,
        });
        const asked = 'confirm';
        if (reviewed) await transition(tx, actor, before, 'requestReview', { asked });
        else await transition(tx, actor, before, 'confirm', { set: sql`confirmed_at = clock_timestamp()`, asked });
        await holdBack(tx, customerId, taskId, before.estimated_cost ?? 0);
      }),

    cancel: (actor, taskId) =>
      act(actor, taskId, async (tx, before) => {
        await transition(tx, actor, before, 'cancel', { set: sql`ended_at = clock_timestamp()` });
        await releaseReservation(tx, taskId);
      }),

    // The program writes what was never handed over as TERMINATED and releases the reservation when all is counted.
    terminate: (actor, taskId) =>
      act(actor, taskId, (tx, before) =>
        transition(tx, actor, before, 'terminate', { set: sql`paused = 0, status_reason = null` }),
      ),

    pause: (actor, taskId, paused) =>
      act(actor, taskId, async (tx, before) => {
        const action = paused === 1 ? 'pause' : 'resume';
        const byStaff = actor.user.customerId === null;
        const reason = paused === 0 ? null : byStaff ? pausedByStaff : 'PAUSED_BY_USER';
        const customerId = customerOf(actor.scope);
        const isHeld = before.paused === 1 && before.status_reason === pausedByStaff;
        if (paused === 0 && isHeld && !byStaff) throw new ProblemError('TASK_HELD_BY_STAFF');
        // Staff may take over what a customer paused, so that it stays so.
        const takesOver = paused === 1 && byStaff && !isHeld;
        if (!(await setPaused(tx, { taskId, customerId, from: pausable, paused, reason, takesOver })))
          throw refused(await mustFind(tx, actor, taskId), action);
        const task = { taskId, customerId: before.customer_id, from: before.task_status };
        await record(tx, actor, task, { action, taskStatus: null });
      }),

    retry: (actor, taskId, only) =>
      act(actor, taskId, (tx, before) =>
        beginRound(tx, actor, before, {
          action: 'retry',
          only,
          sum: () => sumRetryable(tx, before.customer_id, taskId, retryChoice(only)),
        }),
      ),

    async copy(actor, taskId, taskName, key) {
      const fields = await actor.inScope(async (tx) => {
        const row = await mustFind(tx, actor, taskId);
        const parts = await findTaskParts(tx, row.customer_id, fieldsOf(row));
        return copyOf(fieldsOf(row), parts);
      });
      return (await this.create(actor, { ...fields, taskName, draft: true }, key)).task;
    },

    resend: (actor, taskId) =>
      act(actor, taskId, (tx, before) =>
        beginRound(tx, actor, before, {
          action: 'resend',
          only: null,
          sum: () => sumResendable(tx, before.customer_id, taskId, { longerThanMs: RECEIPT_DEADLINE_MS }),
        }),
      ),
  };
}

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
  if (!fromStatuses(action).includes(before.task_status as TaskStatus)) throw refused(before, action);
  const { customer_id: customerId, task_id: taskId } = before;
  assertCustomerMaySend(fieldsOf(before), await findTaskParts(tx, customerId, fieldsOf(before)));
  const { count, cost } = await sum();
  if (count === 0) throw new ProblemError('NOTHING_TO_RETRY');
  await lockCustomerFunds(tx, customerId);
  await transition(tx, actor, before, action, {
    set: sql`retry_count = retry_count + 1, retry_what = ${action === 'retry' ? 'failed' : 'unconfirmed'}, retry_reasons = ${only}::text[], retry_cursor = 0,
             prepared = false, paused = 0, ended_at = null, status_reason = null, owner = null, lease_until = null`,
    // A terminated task whose last rows are still being written is not at rest yet.
    where: sql`ended_at is not null`,
    note: only?.join(', ') ?? null,
  });
  await holdBack(tx, customerId, taskId, cost);
}

/** Fields of a task for another one: what may not be used any more is left out, to be chosen anew. */
function copyOf(fields: TaskFields, parts: TaskParts): TaskFields {
  const hasApp = parts.app !== null;
  const hasFile = parts.file?.file_status === 'success';
  const isAhead = fields.planTime !== null && Date.parse(fields.planTime) > parts.now.getTime();
  return {
    ...fields,
    appId: hasApp ? fields.appId : null,
    templateId: hasApp && parts.template !== null ? fields.templateId : null,
    senderId: hasApp ? fields.senderId : null,
    fileId: hasFile ? fields.fileId : null,
    groupIds: fields.groupIds.filter((groupId) => parts.groups.some((group) => group.group_id === groupId)),
    mapping: hasFile || fields.fileId === null ? fields.mapping : null,
    planFlag: isAhead ? fields.planFlag : 0,
    planTime: isAhead ? fields.planTime : null,
  };
}

/** What the task is made of, its file and groups held so that it stands as it was judged. */
async function holdParts(tx: PoolClient, customerId: string, fields: TaskFields): Promise<TaskParts> {
  if (fields.fileId !== null) await holdFile(tx, customerId, fields.fileId);
  if (fields.groupIds.length > 0) await holdGroups(tx, customerId, fields.groupIds);
  return findTaskParts(tx, customerId, fields);
}

async function holdBack(tx: PoolClient, customerId: string, taskId: string, cost: number): Promise<void> {
  const available = await getAvailable(tx, customerId);
  if (available < cost) throw new ProblemError('BALANCE_TOO_LOW', { needed: cost, available });
  await reserve(tx, { taskId, customerId, cost });
}
