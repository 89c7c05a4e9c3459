import type { Group } from '@pahatid/contract';
import { updateGroup } from '@pahatid/db/queries/groups';
import type { Call } from '../../http/call.ts';
import { fieldProblem, ProblemError } from '../../http/problem.ts';
import { assertVersion } from '../../http/versions.ts';
import { customerScope, mustFindGroup, mustLockGroup } from './find-group.ts';
import { presentGroup } from './present-group.ts';
import { holdSources, recount } from './selection.ts';

export async function editGroup(call: Call<'PATCH /groups/:groupId'>): Promise<Group> {
  const { params, body, scope, user, inScope, audit } = call;
  const { customerId } = customerScope(scope);
  return inScope(async (tx) => {
    const row = await mustLockGroup(tx, customerId, params.groupId);
    if (body.selection !== undefined && row.selection === null)
      throw new ProblemError('GROUP_NOT_DYNAMIC', { groupName: row.groupName });
    if (body.variableNames !== undefined && row.selection !== null)
      throw new ProblemError('GROUP_IS_DYNAMIC', { groupName: row.groupName });
    const before = {
      groupName: row.groupName,
      description: row.description,
      variableNames: row.variableNames,
      selection: row.selection,
    };
    const after = {
      groupName: body.groupName ?? before.groupName,
      description: body.description ?? before.description,
      variableNames: body.variableNames ?? before.variableNames,
      selection: body.selection ?? before.selection,
    };
    const seen = body.version;
    await assertVersion(tx, 'message_group', params.groupId, { stored: row.version, seen });
    // Members have a value in each place.
    if (after.variableNames.length < before.variableNames.length) throw fieldProblem('variableNames', 'TOO_FEW');
    if (body.selection !== undefined) await holdSources(tx, customerId, body.selection);
    if (!(await updateGroup(tx, { ...params, customerId, ...after, seen, userId: user.userId })))
      throw new ProblemError('GROUP_NAME_TAKEN');
    if (body.selection !== undefined) await recount(tx, customerId, params.groupId, body.selection);
    await audit(tx, { action: 'edit', subjectType: 'group', subjectId: params.groupId, before, after });
    return presentGroup(await mustFindGroup(tx, customerId, params.groupId), false);
  });
}
