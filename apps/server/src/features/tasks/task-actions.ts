/**
 * User actions on a task. Each action is one transaction: the guarded UPDATE that lets exactly one of two clicks win,
 * its place on the timeline, its entry in the audit log; the streams are notified after the commit.
 */

import type { Task } from '@pahatid/contract';
import { YesNo } from '@pahatid/contract/enums';
import { getCustomerId, sql } from '@pahatid/db';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { releaseReservation } from '@pahatid/db/queries/reservations';
import { lockTask, type TaskFields, type TaskRow } from '@pahatid/db/queries/tasks';
import type { Pool, PoolClient } from 'pg';
import { TASK_CHANNEL } from '../../sending/notifier.ts';
import { type Actor, mustFind, present, transition } from './act-on-task.ts';
import { confirmTask } from './confirm-task.ts';
import { copyTask, createTask, type NewTask } from './create-task.ts';
import { decideByPerson } from './decide-ab-test.ts';
import { editTask, removeTask } from './edit-task.ts';
import { pauseTask } from './pause-task.ts';
import { resendTask, retryTask } from './retry-task.ts';
import { stopVariants } from './stop-variants.ts';
import { submitTask } from './submit-task.ts';

export interface TaskActions {
  create(actor: Actor, input: NewTask, idempotencyKey: string | null): Promise<{ task: Task; isNew: boolean }>;
  /** `seen`: the version that the fields were changed from. */
  edit(actor: Actor, taskId: string, fields: Partial<TaskFields>, seen: number | undefined): Promise<Task>;
  remove(actor: Actor, taskId: string): Promise<void>;
  submit(actor: Actor, taskId: string): Promise<Task>;
  /** `graceSeconds`: how long it waits before it starts. */
  confirm(actor: Actor, taskId: string, graceSeconds: number): Promise<Task>;
  cancel(actor: Actor, taskId: string): Promise<Task>;
  terminate(actor: Actor, taskId: string): Promise<Task>;
  pause(actor: Actor, taskId: string, paused: 0 | 1): Promise<Task>;
  /** `only`: results that are repeated; null: all that may be. */
  retry(actor: Actor, taskId: string, only: readonly string[] | null): Promise<Task>;
  /** Creates a draft with the fields of a task, omitting those that no longer exist. */
  copy(
    actor: Actor,
    taskId: string,
    taskName: string,
    idempotencyKey: string | null,
  ): Promise<{ task: Task; isNew: boolean }>;
  resend(actor: Actor, taskId: string): Promise<Task>;
  /** Sends the text of a variant to those that wait for the decision of an A/B test. */
  decide(actor: Actor, taskId: string, winner: number): Promise<Task>;
}

export function makeTaskActions(control: Pool): TaskActions {
  const notifyChange = async (taskId: string): Promise<void> => {
    await notify(control, TASK_CHANNEL, taskId);
    await notify(control, JOBS_CHANNEL, 'task');
  };

  /** Runs one action on one task: a transaction, then the notification of listeners. */
  const run = async (
    actor: Actor,
    taskId: string,
    work: (tx: PoolClient, before: TaskRow) => Promise<void>,
  ): Promise<Task> => {
    const row = await actor.inScope(async (tx) => {
      await lockTask(tx, getCustomerId(actor.scope), taskId);
      await work(tx, await mustFind(tx, actor, taskId));
      return mustFind(tx, actor, taskId);
    });
    await notifyChange(taskId);
    return present(row, actor);
  };

  const create: TaskActions['create'] = async (actor, input, key) => {
    const answer = await createTask(actor, input, key);
    if (answer.isNew) await notifyChange(answer.task.taskId);
    return answer;
  };

  return {
    create,
    async copy(actor, taskId, taskName, key) {
      return await create(actor, await copyTask(actor, taskId, taskName), key);
    },
    edit: (actor, taskId, fields, seen) =>
      run(actor, taskId, (tx, before) => editTask(tx, actor, before, fields, seen)),
    remove: removeTask,
    submit: (actor, taskId) => run(actor, taskId, (tx, before) => submitTask(tx, actor, before)),
    confirm: (actor, taskId, graceSeconds) =>
      run(actor, taskId, (tx, before) => confirmTask(tx, actor, before, graceSeconds)),
    cancel: (actor, taskId) =>
      run(actor, taskId, async (tx, before) => {
        await transition(tx, actor, before, 'cancel', { set: sql`ended_at = clock_timestamp()` });
        await releaseReservation(tx, taskId);
        await stopVariants(tx, actor, taskId);
      }),
    // Preparation writes the remaining messages as TERMINATED and releases the reservation when all are counted.
    terminate: (actor, taskId) =>
      run(actor, taskId, (tx, before) =>
        transition(tx, actor, before, 'terminate', { set: sql`paused = ${YesNo.No}, status_reason = null` }),
      ),
    pause: (actor, taskId, paused) => run(actor, taskId, (tx, before) => pauseTask(tx, actor, before, paused)),
    retry: (actor, taskId, only) => run(actor, taskId, (tx, before) => retryTask(tx, actor, before, only)),
    resend: (actor, taskId) => run(actor, taskId, (tx, before) => resendTask(tx, actor, before)),
    decide: (actor, taskId, winner) => run(actor, taskId, (tx, before) => decideByPerson(tx, actor, before, winner)),
  };
}
