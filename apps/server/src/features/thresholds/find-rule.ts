import type { Threshold } from '@pahatid/contract';
import { getCustomerId, type Scope } from '@pahatid/db';
import { hasApplication } from '@pahatid/db/queries/applications';
import { findRule, lockRule, type RuleInput, type RuleRow } from '@pahatid/db/queries/threshold-rules';
import type { PoolClient } from 'pg';
import type { Caller } from '../../http/call.ts';
import { ProblemError } from '../../http/problem.ts';
import { presentRules } from './present-rule.ts';

/** Only a customer's user writes rules; the contract refuses others. */
export function mustBeCustomer(scope: Scope): string {
  const customerId = getCustomerId(scope);
  if (customerId === null) throw new ProblemError('NOT_FOUND');
  return customerId;
}

export async function mustFindRule(tx: PoolClient, customerId: string | null, thresholdId: string): Promise<RuleRow> {
  const row = await findRule(tx, customerId, thresholdId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

export async function mustLockRule(tx: PoolClient, customerId: string, thresholdId: string): Promise<RuleRow> {
  const row = await lockRule(tx, customerId, thresholdId);
  if (row === null) throw new ProblemError('NOT_FOUND');
  return row;
}

/** Locks a rule that the customer may change: throws THRESHOLD_SET_BY_STAFF for one of the staff. */
export async function mustLockOwnRule(tx: PoolClient, customerId: string, thresholdId: string): Promise<RuleRow> {
  const row = await mustLockRule(tx, customerId, thresholdId);
  if (row.setBy === 'staff') throw new ProblemError('THRESHOLD_SET_BY_STAFF');
  return row;
}

export async function assertApplication(tx: PoolClient, customerId: string, { appId }: RuleInput): Promise<void> {
  if (appId !== null && !(await hasApplication(tx, customerId, appId)))
    throw new ProblemError('APP_NOT_FOUND', { appId }, [{ field: 'appId', code: 'APP_NOT_FOUND' }]);
}

export async function presentOne(tx: PoolClient, row: RuleRow, user: Caller, now: Date): Promise<Threshold> {
  const [rule] = await presentRules(tx, [row], user, now);
  if (rule === undefined) throw new Error(`rule ${row.thresholdId} was not presented`);
  return rule;
}

/** Columns that the audit log omits: what a check measured, not what a user set. */
const measured = new Set([
  'customerId',
  'notifiedAt',
  'alertedPeriod',
  'limitedPeriod',
  'firingSince',
  'lastValue',
  'lastVolume',
  'checkedAt',
  'version',
  'customerName',
]);

/** The fields of a rule for the audit log. */
export const auditedFields = (row: RuleRow): object =>
  Object.fromEntries(Object.entries(row).filter(([key, value]) => value !== null && !measured.has(key)));
