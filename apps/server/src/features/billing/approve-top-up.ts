/** Money that arrived is entered in the transaction that ends the request; beyond the limit a second admin approves it. */
import { findApproval } from '@pahatid/db/queries/approvals';
import { lockCustomerFunds } from '@pahatid/db/queries/reservations';
import { endTopUp, lockPendingTopUp, noteTopUpApproval } from '@pahatid/db/queries/top-ups';
import type { PoolClient } from 'pg';
import { applyLedger, isLedgerBeyond } from '../../approvals/apply-ledger.ts';
import { type Requester, requestApproval } from '../../approvals/request-approval.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { ProblemError } from '../../http/problem.ts';
import { notifyTopUpDecided } from '../../notices/notify-top-up-decided.ts';

interface TopUpDecision extends Requester {
  readonly topUpId: string;
  /** 1/10,000 PHP. */
  readonly amount: number;
}

/** Throws CONFLICT if the request has ended, or waits for a second admin. */
export async function approveTopUp(
  tx: PoolClient,
  { topUpId, amount, user, audit }: TopUpDecision,
  deps: ApiDeps,
): Promise<void> {
  const now = deps.now();
  const pending = await lockPendingTopUp(tx, topUpId);
  if (pending === null || (await isAwaited(tx, pending.approvalId, now))) throw new ProblemError('CONFLICT');
  const { customerId, reference } = pending;
  const request = { kind: 'topUp', amount, note: reference } as const;
  const entry = { customerId, userId: user.userId, now, request };
  // Before the sum of the entries is read, so that two concurrent ones are added up.
  await lockCustomerFunds(tx, customerId);
  if (await isLedgerBeyond(tx, entry)) {
    const { approvalId } = await requestApproval(tx, { user, audit }, deps, { kind: 'ledger', customerId, request });
    await noteTopUpApproval(tx, topUpId, approvalId);
    return;
  }
  const { entryId, before, balance } = await applyLedger(tx, entry);
  await endTopUp(tx, topUpId, { state: 'approved', entered: amount, userId: user.userId, reason: null, now });
  await audit(tx, {
    customerId,
    action: 'topUp',
    subjectType: 'ledger',
    subjectId: entryId,
    before: { balance: before },
    after: { balance, amount, note: reference },
  });
  await notifyTopUpDecided(tx, topUpId, deps.config);
}

const isAwaited = async (tx: PoolClient, approvalId: string | null, now: Date): Promise<boolean> =>
  approvalId !== null && (await findApproval(tx, approvalId, now))?.state === 'pending';
