import type { Threshold } from '@pahatid/contract';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import { countRules, insertRule } from '@pahatid/db/queries/threshold-rules';
import type { Guard } from '../../callbacks/guard.ts';
import { saveAlertCallbacks } from '../../callbacks/save-endpoints.ts';
import type { Call } from '../../http/call.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { assertApplication, mustBeCustomer, mustFindRule, presentOne } from './find-rule.ts';
import { readRule } from './read-rule.ts';

/** Each rule is checked for every accepted message. */
const ruleLimit = 50;

export async function addRule(deps: ApiDeps, guard: Guard, call: Call<'POST /thresholds'>): Promise<Threshold> {
  const { body, scope, user, inScope, audit } = call;
  const customerId = mustBeCustomer(scope);
  const rule = readRule(body, guard);
  if (rule.webhooks.length > 0) call.needProof();
  return inScope(async (tx) => {
    await assertApplication(tx, customerId, rule);
    // One after the other, so that two concurrent ones can't both take the last place.
    await lockCustomerFunds(tx, customerId);
    if ((await countRules(tx, customerId, {})) >= ruleLimit) throw new ProblemError('THRESHOLD_LIMIT');
    const thresholdId = await insertRule(tx, customerId, rule, { userId: user.userId });
    await saveAlertCallbacks(tx, customerId, rule.webhooks, deps);
    await audit(tx, { action: 'add', subjectType: 'threshold', subjectId: thresholdId, after: rule });
    return presentOne(tx, await mustFindRule(tx, customerId, thresholdId), user, deps.now());
  });
}
