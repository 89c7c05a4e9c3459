import { removeMembers } from '@pahatid/db/queries/group-members';
import type { Call } from '../../http/call.ts';
import { readNumbers } from '../../imports/read-numbers.ts';
import { customerScope, mustLockGroup, refuseDynamic } from './find-group.ts';

export async function removeGroupMembers(call: Call<'POST /groups/:groupId/members/remove'>) {
  const { params, body, scope, inScope, audit } = call;
  const { customerId } = customerScope(scope);
  return inScope(async (tx) => {
    const group = await mustLockGroup(tx, customerId, params.groupId);
    refuseDynamic(group);
    const { valid } = readNumbers(body.mobileNumbers, (each) => each);
    const msisdns = valid.map((each) => each.msisdn);
    const removedCount = await removeMembers(tx, customerId, params.groupId, msisdns);
    await audit(tx, {
      action: 'removeMembers',
      subjectType: 'group',
      subjectId: params.groupId,
      after: { removedCount },
    });
    return { removedCount, memberCount: group.memberCount - removedCount };
  });
}
