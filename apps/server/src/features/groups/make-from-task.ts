import type { Group } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { insertImport } from '@pahatid/db/queries/imports';
import { findTask } from '@pahatid/db/queries/tasks';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { insertWithinLimit } from './add-group.ts';
import { customerScope, mustFindGroup } from './find-group.ts';
import { presentGroup } from './present-group.ts';

/** Makes a group of a task's recipients with the given outcomes. A job adds them: the caller wakes it afterwards. */
export async function makeFromTask(call: Call<'POST /groups/from-task'>): Promise<Group> {
  const { body, scope, user, inScope, audit } = call;
  const { customerId } = customerScope(scope);
  const { taskId, outcomes, groupName, description } = body;
  const groupId = uuidV7();
  return inScope(async (tx) => {
    const task = await findTask(tx, customerId, taskId);
    if (task === null) throw new ProblemError('TASK_NOT_FOUND', { taskId });
    const group = { groupName, description, variableNames: [], source: 'task' as const, createdBy: user.userId };
    await insertWithinLimit(tx, { ...group, groupId, customerId });
    await insertImport(tx, {
      importId: uuidV7(),
      customerId,
      groupId,
      kind: 'task',
      taskId,
      params: { outcomes },
      totalCount: task.totalCount,
      createdBy: user.userId,
    });
    await audit(tx, { action: 'takeOutcome', subjectType: 'group', subjectId: groupId, after: body });
    return presentGroup(await mustFindGroup(tx, customerId, groupId), false);
  });
}
