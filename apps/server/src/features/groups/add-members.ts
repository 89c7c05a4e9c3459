import type { Call } from '../../http/call.ts';
import type { RoutingTable } from '../../sending/route/routing-table.ts';
import { takeMembers } from './take-members.ts';

type AddCall = Pick<
  Call<'POST /groups/:groupId/members'> | Call<'PUT /groups/:groupId/members'>,
  'params' | 'body' | 'inScope' | 'audit'
>;

/** By a person or by an application; `customerId` is the caller's. */
export const addMembers = (routing: RoutingTable, customerId: string, { params, body, inScope, audit }: AddCall) =>
  inScope(async (tx) => {
    const result = await takeMembers(tx, routing, { customerId, ...params }, body);
    const { addedCount, updatedCount, keptCount, rejected } = result;
    await audit(tx, {
      action: 'addMembers',
      subjectType: 'group',
      subjectId: params.groupId,
      after: { addedCount, updatedCount, keptCount, rejectedCount: rejected.length },
    });
    return result;
  });
