/** Makes a group from others: merged, or the first without the members of the rest. A job adds the members. */
import { type Group, groupVariableLimit } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { findGroup, type GroupRow } from '@pahatid/db/queries/groups';
import { findBusyGroup, insertImport } from '@pahatid/db/queries/imports';
import type { PoolClient } from 'pg';
import type { Call } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { insertWithinLimit } from './add-group.ts';
import { customerScope, mustFindGroup, refuseDynamic } from './find-group.ts';
import { presentGroup } from './present-group.ts';

/** The caller wakes the jobs afterwards. */
export async function combineGroups(call: Call<'POST /groups/combine'>): Promise<Group> {
  const { body, scope, user, inScope, audit } = call;
  const { customerId } = customerScope(scope);
  const { combination, groupIds, groupName, description } = body;
  const groupId = uuidV7();
  return inScope(async (tx) => {
    const parts = await findParts(tx, customerId, groupIds);
    // A reduced first group keeps only its own variables; merged groups have all of them.
    const named = combination === 'merge' ? parts.flatMap((part) => part.variableNames) : parts[0]?.variableNames;
    const variableNames = [...new Set(named)].slice(0, groupVariableLimit);
    const group = { groupName, description, variableNames, source: 'groups' as const, createdBy: user.userId };
    await insertWithinLimit(tx, { ...group, groupId, customerId });
    const read = combination === 'merge' ? parts : parts.slice(0, 1);
    await insertImport(tx, {
      importId: uuidV7(),
      customerId,
      groupId,
      kind: combination,
      params: { groupIds },
      totalCount: read.reduce((sum, part) => sum + part.memberCount, 0),
      createdBy: user.userId,
    });
    await audit(tx, { action: 'combine', subjectType: 'group', subjectId: groupId, after: body });
    return presentGroup(await mustFindGroup(tx, customerId, groupId), false);
  });
}

async function findParts(tx: PoolClient, customerId: string, groupIds: string[]): Promise<GroupRow[]> {
  const parts: GroupRow[] = [];
  for (const groupId of groupIds) {
    const part = await findGroup(tx, customerId, groupId);
    if (part === null) throw new ProblemError('GROUP_NOT_FOUND', { groupId });
    refuseDynamic(part);
    parts.push(part);
  }
  const busy = await findBusyGroup(tx, customerId, groupIds);
  if (busy !== null) throw new ProblemError('GROUP_BUSY', { groupName: busy });
  return parts;
}
