import type { Threshold } from '@pahatid/contract';
import { JOBS_CHANNEL, notify } from '@pahatid/db/queries/notify';
import { forgetAlarms } from '@pahatid/db/queries/pumping-alarms';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import { reviewHeldTasks } from '@pahatid/db/queries/threshold-holding';
import {
  countsOther,
  forgetRefusals,
  forgetVolumes,
  type RuleInput,
  type RuleRow,
  updateRule,
} from '@pahatid/db/queries/threshold-rules';
import type { Pool, PoolClient } from 'pg';
import type { Guard } from '../../callbacks/guard.ts';
import { saveAlertCallbacks } from '../../callbacks/save-endpoints.ts';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { assertVersion } from '../../http/versions.ts';
import {
  assertApplication,
  auditedFields,
  mustBeCustomer,
  mustFindRule,
  mustLockOwnRule,
  presentOne,
} from './find-rule.ts';
import { changeRule } from './read-rule.ts';

type EditCall = Call<'PATCH /thresholds/:thresholdId'>;

export async function editRule(deps: ApiDeps, guard: Guard, call: EditCall): Promise<Threshold> {
  const { params, body, scope, user, inScope, audit } = call;
  const { control } = deps.pools;
  const customerId = mustBeCustomer(scope);
  const { thresholdId } = params;
  const changed = await inScope(async (tx) => {
    const before = await mustLockOwnRule(tx, customerId, thresholdId);
    const { version: seen, ...change } = body;
    await assertVersion(tx, 'threshold', thresholdId, { stored: before.version, seen });
    const rule = changeRule(before, change, guard);
    if (rule.webhooks.some((url) => !before.webhooks.includes(url))) call.needProof();
    await assertApplication(tx, customerId, rule);
    await resetCounters(tx, control, before, rule);
    await updateRule(tx, { customerId, thresholdId, seen, userId: user.userId }, rule);
    await saveAlertCallbacks(tx, customerId, rule.webhooks, deps);
    if (rule.kind === 'volume') await reviewHeldTasks(tx, customerId);
    // The new bounds are evaluated from nothing, and a rule that is disabled slows no application.
    if (rule.kind === 'pumping') await forgetAlarms(tx, customerId, thresholdId);
    await audit(tx, {
      action: 'edit',
      subjectType: 'threshold',
      subjectId: thresholdId,
      before: auditedFields(before),
      after: change,
    });
    return presentOne(tx, await mustFindRule(tx, customerId, thresholdId), user, deps.now());
  });
  await notify(control, JOBS_CHANNEL, 'task');
  return changed;
}

/** The counters belong to sending, and no tenant may write them; nothing is counted by the old rule meanwhile. */
async function resetCounters(tx: PoolClient, control: Pool, before: RuleRow, rule: RuleInput): Promise<void> {
  const { customerId, thresholdId } = before;
  const isOther = countsOther(before, rule);
  if (!isOther && (rule.kind !== 'volume' || rule.limitAt === before.limitAt)) return;
  await lockCustomerFunds(tx, customerId);
  await forgetRefusals(control, customerId, thresholdId);
  if (isOther) await forgetVolumes(control, customerId, thresholdId);
}
