import type { GroupSelection } from '@pahatid/contract';
import type { Scope } from '@pahatid/db';
import { findGroup, type GroupRow, lockGroup } from '@pahatid/db/queries/groups';
import type { PoolClient } from 'pg';
import { ProblemError } from '../../http/problem.ts';

export async function mustFindGroup(tx: PoolClient, customerId: string | null, groupId: string): Promise<GroupRow> {
  const row = await findGroup(tx, customerId, groupId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Locks the group until the end of the transaction: its members and fields change one call after the other. */
export async function mustLockGroup(
  tx: PoolClient,
  customerId: string,
  groupId: string,
): Promise<NonNullable<Awaited<ReturnType<typeof lockGroup>>>> {
  const row = await lockGroup(tx, customerId, groupId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Members of a dynamic group are selected, so they can't be listed or changed. */
export function refuseDynamic(group: { readonly groupName: string; readonly selection: GroupSelection | null }): void {
  if (group.selection !== null) throw new ProblemError('GROUP_IS_DYNAMIC', { groupName: group.groupName });
}

/** Routes for a customer's writers are never reached by staff. */
export function customerScope(scope: Scope): { customerId: string } {
  if ('customerId' in scope) return scope;
  throw new ProblemError('FORBIDDEN');
}
