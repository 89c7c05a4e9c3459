import { reviewHeldTasks } from '@pahatid/db/queries/threshold-holding';
import { deleteRule } from '@pahatid/db/queries/threshold-rules';
import { saveAlertCallbacks } from '../../callbacks/save-endpoints.ts';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { auditedFields, mustBeCustomer, mustLockOwnRule } from './find-rule.ts';
import { notifyResumed, resumeAll } from './resume-held.ts';

type RemoveCall = Call<'DELETE /thresholds/:thresholdId'>;

export async function removeRule(deps: ApiDeps, { params, scope, inScope, audit }: RemoveCall): Promise<undefined> {
  const customerId = mustBeCustomer(scope);
  const { thresholdId } = params;
  const taskIds = await inScope(async (tx) => {
    const before = await mustLockOwnRule(tx, customerId, thresholdId);
    const resumed = await resumeAll(tx, before, null);
    await deleteRule(tx, customerId, thresholdId);
    await saveAlertCallbacks(tx, customerId, [], deps);
    await reviewHeldTasks(tx, customerId);
    await audit(tx, {
      action: 'delete',
      subjectType: 'threshold',
      subjectId: thresholdId,
      before: auditedFields(before),
    });
    return resumed.taskIds;
  });
  await notifyResumed(deps.pools.control, taskIds);
  return undefined;
}
