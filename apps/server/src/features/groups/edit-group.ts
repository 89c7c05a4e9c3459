import type { Group } from '@pahatid/contract';
import { updateGroup } from '@pahatid/db/queries/groups';
import type { Call } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { assertVersion } from '../../http/versions.ts';
import { customerScope, mustFindGroup, mustLockGroup } from './find-group.ts';
import { presentGroup } from './present-group.ts';

export async function editGroup(call: Call<'PATCH /groups/:groupId'>): Promise<Group> {
  const { params, body, scope, user, inScope, audit } = call;
  const { customerId } = customerScope(scope);
  return inScope(async (tx) => {
    const row = await mustLockGroup(tx, customerId, params.groupId);
    const before = { groupName: row.groupName, description: row.description, variableNames: row.variableNames };
    const after = {
      groupName: body.groupName ?? before.groupName,
      description: body.description ?? before.description,
      variableNames: body.variableNames ?? before.variableNames,
    };
    const seen = body.version;
    await assertVersion(tx, 'message_group', params.groupId, { stored: row.version, seen });
    // Members have a value in each place.
    if (after.variableNames.length < before.variableNames.length) throw fieldProblem('variableNames', 'TOO_FEW');
    if (!(await updateGroup(tx, { ...params, customerId, ...after, seen, userId: user.userId })))
      throw new ProblemError('GROUP_NAME_TAKEN');
    await audit(tx, { action: 'edit', subjectType: 'group', subjectId: params.groupId, before, after });
    return presentGroup(await mustFindGroup(tx, customerId, params.groupId), false);
  });
}
