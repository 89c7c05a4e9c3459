import { type Group, groupLimit } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { countGroups, insertGroup, type NewGroup } from '@pahatid/db/queries/groups';
import type { PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { customerScope, mustFindGroup } from './find-group.ts';
import { presentGroup } from './present-group.ts';

export async function addGroup({ body, scope, user, inScope, audit }: Call<'POST /groups'>): Promise<Group> {
  const group = { ...body, ...customerScope(scope), groupId: uuidV7(), createdBy: user.userId };
  return inScope(async (tx) => {
    await insertWithinLimit(tx, group);
    await audit(tx, { action: 'add', subjectType: 'group', subjectId: group.groupId, after: body });
    return presentGroup(await mustFindGroup(tx, group.customerId, group.groupId), false);
  });
}

/** Throws GROUP_LIMIT if the customer has as many groups as it may have, GROUP_NAME_TAKEN for a second of one name. */
export async function insertWithinLimit(tx: PoolClient, group: NewGroup): Promise<void> {
  if ((await countGroups(tx, group.customerId)) >= groupLimit)
    throw new ProblemError('GROUP_LIMIT', { limit: groupLimit });
  if (!(await insertGroup(tx, group))) throw new ProblemError('GROUP_NAME_TAKEN');
}
