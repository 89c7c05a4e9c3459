/** Writes a request that another member of staff approves, in the transaction that would have acted. */
import { type Approval, approvalDays, Role } from '@pahatid/contract';
import { uuidV7 } from '@pahatid/db';
import { insertApproval } from '@pahatid/db/queries/approvals';
import { listStaff } from '@pahatid/db/queries/staff';
import type { PoolClient } from 'pg';
import type { CallAudit, SignedInUser } from '../http/call.ts';
import type { ApiDeps } from '../http/deps.ts';
import { PendingAnswer } from '../http/pending-answer.ts';
import { notify } from '../notices/notify.ts';

/** The part of a call that a request needs. */
export interface Requester {
  readonly user: SignedInUser;
  readonly audit: (tx: PoolClient, entry: CallAudit) => Promise<void>;
}

/** Roles that may approve or reject: those that may perform the requested action. */
export const approvers: Record<Approval['kind'], readonly Role[]> = {
  ledger: [Role.Admin],
  limits: [Role.Admin],
  price: [Role.Operator, Role.Admin],
};

export async function requestApproval(
  tx: PoolClient,
  { user, audit }: Requester,
  deps: ApiDeps,
  asked: { customerId: string | null /** No later than then. */; until?: Date } & Pick<Approval, 'kind' | 'request'>,
): Promise<PendingAnswer> {
  const approvalId = uuidV7();
  const requestTime = deps.now();
  const { kind, customerId, request, until } = asked;
  const lastMs = requestTime.getTime() + approvalDays * 86_400_000;
  const expireTime = new Date(Math.min(lastMs, until?.getTime() ?? lastMs));
  await insertApproval(tx, { approvalId, kind, customerId, request, requestTime, expireTime, userId: user.userId });
  // The log of the staff alone: nothing has happened to the customer yet.
  await audit(tx, {
    action: 'requestApproval',
    subjectType: 'approval',
    subjectId: approvalId,
    after: { of: kind, customerId, ...request },
  });
  const staff = await listStaff(tx);
  await notify(
    tx,
    {
      kind: 'approvalPending',
      customerId: null,
      params: { approvalId, of: kind, account: user.account },
      userIds: staff.filter(({ role }) => approvers[kind].includes(role)).map(({ userId }) => userId),
      except: user.userId,
      onceKey: `approval:${approvalId}`,
    },
    deps.config,
  );
  return new PendingAnswer({ approvalId, expireTime: expireTime.toISOString() });
}
