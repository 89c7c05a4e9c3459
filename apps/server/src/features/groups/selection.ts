/** Dynamic groups: what they may select from, and counting what they find. */
import type { Group, GroupSelection, SelectionCount } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { listSourceGroups, saveSelectedCount } from '@pahatid/db/queries/dynamic-groups';
import { holdGroups } from '@pahatid/db/queries/groups';
import type { PoolClient } from 'pg';
import { countSelection } from '../../audiences/count-selection.ts';
import type { Call } from '../../http/call.ts';
import { phoneFor } from '../../http/phones.ts';
import { ProblemError } from '../../http/problem.ts';
import { insertWithinLimit } from './add-group.ts';
import { customerScope, mustFindGroup } from './find-group.ts';
import { presentGroup } from './present-group.ts';

/** Holds the groups that a selection reads until the end of the transaction, so that none is deleted meanwhile. */
export async function holdSources(tx: PoolClient, customerId: string, { groupIds }: GroupSelection): Promise<void> {
  await holdGroups(tx, customerId, groupIds);
  await findSources(tx, customerId, groupIds);
}

async function findSources(tx: PoolClient, customerId: string, groupIds: readonly string[]): Promise<void> {
  const groups = await listSourceGroups(tx, customerId, groupIds);
  const missing = groupIds.find((groupId) => !groups.some((group) => group.groupId === groupId));
  if (missing !== undefined) throw new ProblemError('GROUP_NOT_FOUND', { groupId: missing });
  const dynamic = groups.find(({ isDynamic }) => isDynamic);
  if (dynamic !== undefined) throw new ProblemError('GROUP_IS_DYNAMIC', { groupName: dynamic.groupName });
}

export const recount = async (
  tx: PoolClient,
  customerId: string,
  groupId: string,
  selection: GroupSelection,
): Promise<void> => {
  const { count } = await countSelection(tx, { customerId, selection });
  await saveSelectedCount(tx, customerId, groupId, count);
};

export async function addDynamicGroup(call: Call<'POST /groups/dynamic'>): Promise<Group> {
  const { body, scope, user, inScope, audit } = call;
  const { customerId } = customerScope(scope);
  const groupId = uuidV7();
  return inScope(async (tx) => {
    await holdSources(tx, customerId, body.selection);
    const group = { ...body, groupId, customerId, variableNames: [], source: 'dynamic' as const };
    await insertWithinLimit(tx, { ...group, createdBy: user.userId });
    await recount(tx, customerId, groupId, body.selection);
    await audit(tx, { action: 'add', subjectType: 'group', subjectId: groupId, after: body });
    return presentGroup(await mustFindGroup(tx, customerId, groupId), false);
  });
}

export const countFound = ({ body, scope, user, inScope }: Call<'POST /groups/count-selection'>) =>
  inScope(async (tx): Promise<SelectionCount> => {
    const { customerId } = customerScope(scope);
    await findSources(tx, customerId, body.selection.groupIds);
    const { msisdns, ...counted } = await countSelection(tx, { customerId, selection: body.selection });
    return { ...counted, sample: msisdns.map((msisdn) => phoneFor(user, msisdn)) };
  });
