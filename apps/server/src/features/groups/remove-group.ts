import { findSelectingGroup } from '@pahatid/db/queries/dynamic-groups';
import { deleteGroup, listGroupUsers } from '@pahatid/db/queries/groups';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { customerScope, mustLockGroup } from './find-group.ts';

/** A job deletes the members: the caller wakes it afterwards. */
export async function removeGroup(call: Call<'DELETE /groups/:groupId'>): Promise<undefined> {
  const { params, scope, inScope, audit } = call;
  const { customerId } = customerScope(scope);
  await inScope(async (tx) => {
    const before = await mustLockGroup(tx, customerId, params.groupId);
    const [task] = await listGroupUsers(tx, customerId, params.groupId);
    if (task !== undefined) throw new ProblemError('GROUP_IN_USE', { taskName: task.taskName });
    const selecting = await findSelectingGroup(tx, customerId, params.groupId);
    if (selecting !== null) throw new ProblemError('GROUP_SELECTED_FROM', { groupName: selecting });
    await deleteGroup(tx, customerId, params.groupId);
    await audit(tx, {
      action: 'delete',
      subjectType: 'group',
      subjectId: params.groupId,
      before: { groupName: before.groupName, memberCount: before.memberCount },
    });
  });
  return undefined;
}
