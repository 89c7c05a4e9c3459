/**
 * Suspend and resume. Everything in progress stops within seconds automatically: senders, APIs and sessions check the
 * customer's state. Running tasks are also paused, as staff pause them, so that users see why nothing moves, and so
 * that tasks that staff paused themselves stay paused afterwards.
 */

import { UseState } from '@pahatid/contract/enums';
import {
  deleteSessionsOfCustomer,
  pauseSuspended,
  resumeCustomer,
  resumeSuspended,
  suspendCustomer,
} from '@pahatid/db/queries/customer-suspending';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { insertTaskEvent } from '@pahatid/db/queries/tasks';
import { pausedByStaff } from '@pahatid/domain';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { serve } from '../../http/serve.ts';
import { BATCH_CHANNEL, TASK_CHANNEL } from '../../sending/notifier.ts';
import { mustFindCustomer } from './find-customer.ts';
import { presentCustomer } from './present-customer.ts';

export function registerSuspending(app: FastifyInstance, deps: ApiDeps): void {
  const { control } = deps.pools;

  /** After the commit: senders, jobs and open screens look again. They would do so anyway, a little later. */
  const notifyListeners = async (taskIds: readonly string[]): Promise<void> => {
    const words: [string, string][] = taskIds.map((taskId) => [TASK_CHANNEL, taskId]);
    words.push([JOBS_CHANNEL, 'task'], [BATCH_CHANNEL, '']);
    for (const [channel, payload] of words)
      await notify(control, channel, payload).catch((err: unknown) =>
        deps.log.warn({ err }, 'notification of a suspension failed, receivers poll'),
      );
  };

  const note = async (
    tx: PoolClient,
    customerId: string,
    taskIds: readonly string[],
    event: { action: 'pause' | 'resume'; userId: string },
  ): Promise<void> => {
    for (const taskId of taskIds)
      await insertTaskEvent(tx, { taskId, customerId, taskStatus: null, note: null, ...event });
  };

  serve(app, 'POST /customers/:customerId/suspend', async ({ params, body, user, inScope, audit }) => {
    const { customerId } = params;
    const done = await inScope(async (tx) => {
      await mustFindCustomer(tx, customerId);
      if (!(await suspendCustomer(tx, customerId, body.reason, deps.now()))) throw new ProblemError('CONFLICT');
      const taskIds = await pauseSuspended(tx, customerId, pausedByStaff);
      await note(tx, customerId, taskIds, { action: 'pause', userId: user.userId });
      await deleteSessionsOfCustomer(tx, customerId);
      await audit(tx, {
        customerId,
        action: 'suspend',
        subjectType: 'customer',
        subjectId: customerId,
        before: { useState: UseState.Enabled },
        after: { useState: UseState.Disabled, reason: body.reason, pausedTasks: taskIds },
      });
      return { taskIds, customer: await presentCustomer(tx, deps, await mustFindCustomer(tx, customerId)) };
    });
    await notifyListeners(done.taskIds);
    return done.customer;
  });

  serve(app, 'POST /customers/:customerId/resume', async ({ params, user, inScope, audit }) => {
    const { customerId } = params;
    const done = await inScope(async (tx) => {
      const before = await mustFindCustomer(tx, customerId);
      if (!(await resumeCustomer(tx, customerId))) throw new ProblemError('CONFLICT');
      const taskIds = await resumeSuspended(tx, customerId, pausedByStaff);
      await note(tx, customerId, taskIds, { action: 'resume', userId: user.userId });
      await audit(tx, {
        customerId,
        action: 'resume',
        subjectType: 'customer',
        subjectId: customerId,
        before: { useState: UseState.Disabled, reason: before.suspendReason },
        after: { useState: UseState.Enabled, resumedTasks: taskIds },
      });
      return { taskIds, customer: await presentCustomer(tx, deps, await mustFindCustomer(tx, customerId)) };
    });
    await notifyListeners(done.taskIds);
    return done.customer;
  });
}
